//! What a browser can do through its driver. The executor asks where it matters: what is impossible is a typed failure,
//! and what is done in another way is documented. `docs/engines.md` has the table, which is generated from this file.

use crate::Engine;

/// How far something is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// As documented.
    Full,
    /// In another way, or with a difference.
    Different(&'static str),
    /// Not at all; a request for it fails with an error that states this.
    Missing(&'static str),
}

impl Support {
    /// Whether it is supported, if with a difference.
    pub fn is_there(self) -> bool {
        !matches!(self, Support::Missing(_))
    }
}

macro_rules! capabilities {
    ($($(#[doc = $doc:literal])+ $field:ident $variant:ident $title:literal: $chromium:expr, $firefox:expr, $webkit:expr;)*) => {
        /// Something that not every engine can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Capability {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Capability {
            /// All of them.
            pub const ALL: &'static [Capability] = &[$(Capability::$variant),*];

            /// The title in the table.
            pub fn title(self) -> &'static str {
                match self {
                    $(Capability::$variant => $title),*
                }
            }
        }

        /// What a browser can do through its driver.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Capabilities {
            $($field: Support),*
        }

        impl Capabilities {
            /// Those of Chromium over the DevTools protocol.
            pub const CHROMIUM: Capabilities = Capabilities { $($field: $chromium),* };
            /// Those of Firefox over WebDriver BiDi.
            pub const FIREFOX: Capabilities = Capabilities { $($field: $firefox),* };
            /// Those of browsers with WebKit over classic WebDriver.
            pub const WEBKIT: Capabilities = Capabilities { $($field: $webkit),* };

            /// How far something is supported.
            pub fn support(&self, capability: Capability) -> Support {
                match capability {
                    $(Capability::$variant => self.$field),*
                }
            }
        }
    };
}

use Support::{Different, Full, Missing};

capabilities! {
    /// A browser that Legwork started ends with it, even if Legwork is killed.
    end_with_legwork EndWithLegwork "End of the browser with Legwork":
        Full, Different("the port of loopback stays open until the shell that watches Legwork has killed the browser"),
        Different("the ports of loopback stay open until the shell that watches Legwork has killed the browsers");
    /// Other programs of the user cannot connect to the browser.
    private_connection PrivateConnection "Connection that only Legwork has":
        Full, Different("a WebSocket on loopback; the browser takes one session, which Legwork opens at once"),
        Different("HTTP on loopback, to a session with a random name; the port between driver and browser is open to programs of this machine");
    /// Scripts in a world of their own, which the page cannot see.
    isolated_worlds IsolatedWorlds "Isolated worlds": Full, Full,
        Different("Legwork's script runs in the page's own world, under a random name for each document, with the timers that the document had when it was first looked at");
    /// Shadow roots that markup closes.
    closed_shadow_roots ClosedShadowRoots "Closed shadow roots of markup":
        Full, Different("a root that is closed by markup is not read inside a frame of the same origin"),
        Missing("WebDriver does not hand them out; what is in them is not observed");
    /// Shadow roots that scripts close.
    roots_closed_by_scripts RootsClosedByScripts "Closed shadow roots of scripts":
        Full, Full, Different("only those of scripts that run after Legwork first looked at the document");
    /// A new tab is set up before its first request.
    paused_tabs PausedTabs "Setup of a tab before its first request":
        Full, Different("for the whole session, before its first tab; emulated conditions reach a window that a page opens a moment after it begins to load"),
        Different("a document is set up a moment after it begins to load; restored storage is there only then");
    /// Tabs in one window.
    tabs_in_one_window TabsInOneWindow "Several tabs in one window":
        Full, Different("a window for each tab, because the page of a covered tab stands still"),
        Different("a window for each tab, because the page of a covered tab stands still");
    /// The answer to a press of the mouse follows its arrival in the page.
    press_answers PressAnswers "Presses that are answered when they have arrived":
        Full, Different("the page must also report every press; one that it does not report fails"),
        Different("the page must also report every press; one that it does not report fails");
    /// The focus of a field in a frame.
    frame_focus FrameFocus "Focus in frames of other sites": Full, Full,
        Different("a press of the mouse on the field gives it the focus, if no press was in the frame before");
    /// Text without key events.
    text_insertion TextInsertion "Insertion of text without keys":
        Full, Different("by the editing command `insertText`; pages receive `input` and no `beforeinput`"),
        Different("by the editing command `insertText`");
    /// The HTML drag and drop interface, when an element is dragged.
    html_drags HtmlDrags "Dragging of `draggable` elements":
        Full, Missing("WebDriver BiDi begins no drag of the browser; dragging with the mouse alone works"),
        Missing("WebKitWebDriver begins a drag of the browser and does not end it; dragging with the mouse alone works");
    /// Files and data that come from outside the page.
    outside_drops OutsideDrops "Drops of files and data from outside the page":
        Full, Missing("WebDriver BiDi has no command for it"),
        Missing("WebDriver has no command for it");
    /// Media types and features.
    media_emulation MediaEmulation "Emulated media (colour scheme, reduced motion, print…)":
        Full, Missing("this version of Firefox offers no emulation of media through WebDriver BiDi"),
        Missing("WebDriver emulates no media");
    /// The network is unavailable.
    offline Offline "Emulated lack of a network": Full, Full,
        Missing("WebDriver emulates no conditions of the network");
    /// Requests that are paused, answered and refused.
    interception Interception "Interception of requests":
        Full, Different("requests of workers without a page are checked only by the proxy of restricted sessions"),
        Missing("WebDriver shows no requests; addresses that a run may not request are refused by the proxy of restricted sessions");
    /// Bodies of requests and responses.
    bodies Bodies "Bodies of requests and responses": Full, Full,
        Different("only of short texts that scripts receive in answer to changes");
    /// Work of workers that a close waits for.
    workers Workers "Work of workers that a close waits for":
        Full, Different("not waited for, because WebDriver BiDi evaluates no script in a worker; a close may cut it off"),
        Different("not waited for, because WebDriver evaluates no script in a worker; a close may cut it off");
    /// Downloads that become too large.
    download_limit DownloadLimit "Limit of the size of downloads":
        Full, Different("checked when the file is complete, which is then removed"),
        Different("checked when the file is complete, which is then removed");
    /// Pictures of a smaller size than the page.
    scaled_pictures ScaledPictures "Pictures scaled down to a width":
        Full, Different("pictures have the size of the page"),
        Full;
    /// A stream of pictures.
    screencast Screencast "Live pictures":
        Full, Different("one picture after another instead of those that the browser draws"),
        Different("one picture after another instead of those that the browser draws");
    /// The inputs of a person in the pages.
    input_reports InputReports "Reports of what a person does in the browser (`legwork record`)":
        Full, Missing("WebDriver BiDi does not report how a navigation began"),
        Missing("WebDriver does not report how a navigation began");
    /// A script without end.
    interruption Interruption "Interruption of a script without end":
        Full, Different("the page is reported as unresponsive; `open` continues in a new tab"),
        Different("the page is reported as unresponsive; `open` continues in a new tab");
    /// A page process that ended.
    crash_reports CrashReports "Report of a crashed page":
        Full, Different("the tab counts as closed"),
        Different("the page is reported as unresponsive, or the tab counts as closed");
    /// Messages of the browser itself.
    browser_messages BrowserMessages "Console messages of the browser itself":
        Full, Different("a response with an error status is a request in the activity, and no console message"),
        Different("only what scripts write and exceptions that no script catches, from when Legwork first looked at the document");
    /// How the server answered the request for a document.
    document_status DocumentStatus "Status of the response of a document":
        Full, Full, Missing("WebDriver does not report it; a page that was not found counts as opened");
    /// All requests of pages.
    requests Requests "Requests in the activity and in what an action waits for":
        Full, Full, Different("those of documents, and those of `fetch` and `XMLHttpRequest` in pages");
    /// The question whether a page may be left.
    leave_questions LeaveQuestions "Question whether a page may be left (`beforeunload`)":
        Full, Full, Missing("WebDriver never shows it; the page is left");
    /// Cookies of all sites.
    all_cookies AllCookies "Cookies of all sites":
        Full, Full, Different("those of the documents that are open or were, as they were last seen, and those that were restored");
    /// Choosers that a page opens for files.
    choosers Choosers "File choosers":
        Full, Full, Different("never open; they are noticed by the click on their field, which must be in the document for files to be set on it");
    /// A turn of the wheel.
    wheel Wheel "Turns of the wheel":
        Full, Full, Different("an event of a script, which a page can tell from a person's");
    /// A page as a document.
    pdf Pdf "Pages as PDF": Full, Full, Missing("WebKitWebDriver has no command that prints a page");
    /// A folder that keeps cookies and storage.
    profiles Profiles "Profiles": Full, Full, Missing("a browser of WebKitGTK keeps nothing under automation");
}

impl Capabilities {
    /// Those of a tab of the user's own Chromium, which Legwork's extension relays.
    pub const RELAYED: Capabilities = Capabilities {
        end_with_legwork: Different("the browser is the user's own and stays open; the tab is released"),
        private_connection: Different("a WebSocket on loopback, from the one extension that was paired with a code"),
        paused_tabs: Different("a tab that the page opens is attached a moment after it begins to load"),
        interception: Different("requests are checked in the browser; no proxy checks the connections below them"),
        download_limit: Missing("downloads go to the browser's own folder and are not reported to Legwork"),
        ..Capabilities::CHROMIUM
    };
}

impl Engine {
    /// What browsers with this engine can do.
    pub fn capabilities(self) -> Capabilities {
        match self {
            Engine::Chromium => Capabilities::CHROMIUM,
            Engine::Firefox => Capabilities::FIREFOX,
            Engine::WebKit => Capabilities::WEBKIT,
        }
    }
}
