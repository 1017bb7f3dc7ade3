//! The table of all calls, with one entry per function. It is a table and therefore long.

use legwork_protocol::Direction;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Actionability, ActionabilityCheck, Corners, ElementQuery, FlushState, FramePoint, HtmlText, Need, Outcome,
    PageCall, PageExpression, PointInfo, ReadContent, ReadResult, ReadScope, Ready, Rect, Settled, StorageResult,
    call_schema, typescript,
};
use crate::{Area, ElementFacts, Located, NameValue, OriginStorage, act::Readings};

macro_rules! calls {
    ($($(#[doc = $doc:literal])+ $name:literal $call:ident $(<$life:lifetime>)? { $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? }
        -> $returns:ty;)*) => {
        $(
            arguments! { [$($doc)+] $name $call $(<$life>)? { $($(#[$meta])* $field: $type),* } }
            impl $(<$life>)? PageCall for $call $(<$life>)? {
                type Returns = $returns;
            }
        )*

        #[expect(clippy::extra_unused_lifetimes, reason = "the types of calls with borrowed arguments name it")]
        fn data_schemas<'a>(written: &mut SchemaGenerator, read: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
            vec![$({
                let result = read.subschema_for::<$returns>();
                ($name, call_schema::<$call $(<$life>)?>(concat!($($doc),+), written, result))
            }),*]
        }
    };
}

/// Calls whose result cannot be serialized. The driver receives their expressions.
macro_rules! references {
    ($($(#[doc = $doc:literal])+ $name:literal $call:ident { $($field:ident: $type:ty),* $(,)? } -> $returns:literal;)*) => {
        $(arguments! { [$($doc)+] $name $call { $($field: $type),* } })*

        fn reference_schemas(written: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
            vec![$(($name, call_schema::<$call>(concat!($($doc),+), written, typescript($returns)))),*]
        }
    };
}

macro_rules! arguments {
    ([$($doc:literal)+] $name:literal $call:ident $(<$life:lifetime>)? { $($(#[$meta:meta])* $field:ident: $type:ty),* }) => {
        $(#[doc = $doc])+
        #[derive(Serialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $call $(<$life>)? { $($(#[$meta])* pub(crate) $field: $type),* }

        impl $(<$life>)? PageExpression for $call $(<$life>)? {
            const NAME: &'static str = $name;
        }
    };
}

/// The schema of each call, by its name.
pub(super) fn schemas(written: &mut SchemaGenerator, read: &mut SchemaGenerator) -> Map<String, Value> {
    let data = data_schemas(written, read);
    data.into_iter().chain(reference_schemas(written)).map(|(name, schema)| (name.to_owned(), schema)).collect()
}

// Reading the page.
calls! {
    /// Captures the page: a line for each node. Without `key`, the capture repeats the previous one, and changes since
    /// then are not collected again.
    "capture" Capture<'a> { key: Option<&'a str> } -> String;
    /// Reads texts, attributes or HTML of elements.
    "readElements" ReadElements<'a> {
        target: &'a ElementQuery,
        scope: ReadScope,
        content: ReadContent<'a>,
        /// The most characters of all texts together. One more is returned if there are more.
        limit: usize,
    } -> ReadResult;
    /// The HTML of the document with its document type, unless it is longer than the limit.
    "html" Html { limit: usize } -> HtmlText;
    /// The HTML of the document element.
    "outerHtml" OuterHtml {} -> String;
    /// The visible content as HTML with a few plain tags, up to a number of characters.
    "readableHtml" ReadableHtml { limit: usize } -> String;
    /// Whether the page shows a text. Runs of white space count as one space, and case is ignored.
    "includesText" IncludesText<'a> { text: &'a str } -> bool;
    /// The title of the document.
    "title" Title {} -> String;
    /// Describes an element without its ref; null if it is gone.
    "locator" Locator { element: u32 } -> Option<Located>;
    /// What rules must know about an element, or about the focused one; null if it is gone. Begins no action.
    "elementFacts" ElementFactsOf { element: Option<u32> } -> Option<ElementFacts>;

    /// Makes an element ready for an action, or states why it is not. Unless the need is `attached`, this begins the
    /// action.
    "checkActionable" CheckActionable<'a> { key: &'a str, target: &'a ElementQuery, need: Need<'a> } -> ActionabilityCheck;
    /// Begins an action for the focused element and returns it. Keys are accepted only for this element. With a text,
    /// the keys of the text follow; without one, a single key or chord follows.
    "focusedElement" FocusedElement<'a> { key: &'a str, text: Option<&'a str> } -> Ready;
    /// Replaces the value of a field that is ready by a secret.
    "enterSecret" EnterSecret<'a> { element: u32, text: &'a str, readings: &'a Readings, submit: bool, again: bool } -> Actionability;
    /// Types a secret at the end of a field.
    "typeSecret" TypeSecret<'a> { element: u32, text: &'a str } -> Actionability;
    /// Excludes a field, or the focused one, from observations from now on, and draws its text as dots. Returns the
    /// origin of its document.
    "maskField" MaskField { element: Option<u32> } -> String;
    /// Inserts a text into an editor as if it was pasted or, if allowed, by editing its content. The entry is `set`
    /// when the editor accepted it.
    "pasteText" PasteText<'a> { element: u32, text: &'a str, or_edit: bool } -> Actionability;
    /// Removes the focus from a field.
    "blurElement" BlurElement { element: u32 } -> ();
    /// Suppresses the submission of forms for this long, so that Enter applies to the field only.
    "suppressSubmit" SuppressSubmit { duration_ms: u64 } -> ();
    /// Suppresses keyboard input in this frame until `allowInput`, or for this long.
    "suppressInput" SuppressInput { duration_ms: u64 } -> ();
    /// Allows keyboard input in this frame again.
    "allowInput" AllowInput {} -> ();
    /// The outcome of the action's input; null if there is nothing to compare.
    "inputOutcome" InputOutcome {} -> Option<Outcome>;

    /// Where to click next in the calendar of a field to choose a day. It is `done` when this is the day itself.
    "calendarStep" CalendarStep<'a> { element: u32, date: &'a str } -> Actionability;
    /// Whether a field that accepts no typing shows the chosen day.
    "calendarOutcome" CalendarOutcome<'a> { element: u32, text: &'a str, readings: &'a Readings } -> Option<Outcome>;
    /// The option of an open list that is not a `<select>`. It is `done` when the option is already chosen. Before the
    /// list was opened, `before` contains the values to be chosen: elements that show them then are not options.
    "findOption" FindOption<'a> { list: u32, value: &'a str, before: Option<&'a [String]> } -> Actionability;
    /// Whether an option of such a list is currently chosen.
    "optionOutcome" OptionOutcome<'a> { list: u32, option: u32, value: &'a str, label: &'a str } -> Option<Outcome>;
    /// Types into a list that offers matching options only then. Returns whether the list accepts typing.
    "typeAhead" TypeAhead<'a> { list: u32, value: &'a str } -> bool;
    /// Removes text that was typed without finding an option.
    "clearTypeAhead" ClearTypeAhead { list: u32 } -> ();
    /// Whether a control is checked; null if it is gone or has no such state.
    "isChecked" IsChecked { element: u32 } -> Option<bool>;
    /// Whether the part of the page that an element stands for is open; null if the element is gone or does not state
    /// it.
    "isExpanded" IsExpanded { element: u32 } -> Option<bool>;

    /// Converts a point in the content of a child frame to this view.
    "frameOffset" FrameOffset { element: u32, x: f64, y: f64 } -> FramePoint;
    /// Converts a rectangle in the content of a child frame to this view; null if the frame is gone.
    "frameBox" FrameBox { element: u32, x: f64, y: f64, width: f64, height: f64 } -> Option<Corners>;
    /// Whether the pointer arrived over the intended element within this time.
    "pointerArrived" PointerArrived { timeout_ms: u64 } -> bool;
    /// Begins an action: scrolls an element or the page by screens or to an end.
    "scroll" Scroll<'a> { key: &'a str, direction: Direction, screens: f64, element: Option<u32> } -> ();

    /// Begins a gesture at a point of the view, and describes what is there.
    "describePoint" DescribePoint<'a> { key: &'a str, x: f64, y: f64 } -> PointInfo;
    /// Whether something was scrolled, or the page handled the wheel event itself, within this time.
    "wheelHandled" WheelHandled { timeout_ms: u64 } -> bool;
    /// Starts to observe whether the page accepts what is dragged over an element.
    "watchDragOver" WatchDragOver { element: u32 } -> ();
    /// Whether the page accepted it within this time.
    "acceptsDrop" AcceptsDrop { timeout_ms: u64 } -> bool;
    /// Draws a lasting box around an element. Returns whether the element exists.
    "highlight" Highlight<'a> { element: u32, style: &'a str } -> bool;
    /// Removes the box around an element, or all boxes. Returns how many were removed.
    "unhighlight" Unhighlight { element: Option<u32> } -> usize;
    /// Draws labelled boxes while a picture is taken. Returns how many are in view.
    "drawMarks" DrawMarks<'a> { labels: &'a [(u32, String)] } -> u32;
    /// Removes the labelled boxes.
    "removeMarks" RemoveMarks {} -> ();

    /// The part of the page that is in view, after the next frame was drawn.
    "viewRect" ViewRect {} -> Rect;
    /// The whole page, after the next frame was drawn. Each side is at most `limit` long.
    "pageRect" PageRect { limit: u32 } -> Rect;
    /// The position of an element in its view.
    "elementRect" ElementRect { element: u32 } -> Rect;
    /// The scroll offset of the page, to the right and down.
    "scrollPosition" ScrollPosition {} -> (f64, f64);

    /// Resolves when the page has settled, when a press missed its element, or after the limit.
    "settle" Settle<'a> { key: &'a str, limit_ms: u64, element: Option<u32> } -> Settled;
    /// Whether the page changes within this time. Returns at its first change.
    "waitForChange" WaitForChange { timeout_ms: u64 } -> bool;
    /// Begins an action, and returns whether a new frame is drawn within a moment.
    "redraw" Redraw<'a> { key: &'a str } -> bool;
    /// The addresses of windows that were opened since the action began by code that was scheduled before it.
    "unrelatedWindows" UnrelatedWindows<'a> { key: &'a str } -> Vec<String>;
    /// Waits within the limit for work that a close would cut off. With `asks_undo`, this includes offers to undo.
    "flush" Flush<'a> { key: &'a str, limit_ms: u64, asks_undo: bool } -> FlushState;

    /// The origin of the document.
    "origin" Origin {} -> String;
    /// The storage of the document's origin; empty if it has none.
    "originStorage" ReadOriginStorage {} -> OriginStorage;
    /// The entries of a storage, by name.
    "storageEntries" StorageEntries { area: Area } -> StorageResult<Vec<NameValue>>;
    /// The value of an entry; null if there is none.
    "storageEntry" StorageEntry<'a> { area: Area, name: &'a str } -> StorageResult<Option<String>>;
    /// Sets an entry if the document still has this origin.
    "setStorageEntry" SetStorageEntry<'a> { area: Area, origin: &'a str, name: &'a str, value: &'a str } -> StorageResult<()>;
    /// Removes one entry or all of them. Returns how many were removed.
    "deleteStorageEntries" DeleteStorageEntries<'a> { area: Area, name: Option<&'a str> } -> StorageResult<usize>;
}

references! {
    /// The element with this number, if it is still in its document.
    "element" ElementOf { element: u32 } -> "Element | undefined";
    /// Elements that may have a closed shadow root from markup. Each is returned once.
    "takePossibleClosedRoots" TakePossibleClosedRoots {} -> "Element[]";
}
