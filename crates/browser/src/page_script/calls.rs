//! The table of all calls. Long, and a table: one entry a function.

use legwork_protocol::Direction;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Actionability, ActionabilityCheck, Corners, ElementQuery, FlushState, FramePoint, HtmlText, Need, Outcome,
    PageCall, PageExpression, PointInfo, ReadContent, ReadResult, ReadScope, Ready, Rect, Settled, StorageResult,
    call_schema, typescript,
};
use crate::{Area, Located, NameValue, OriginStorage, act::Readings};

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

/// Calls whose result is no data: the driver is given their expressions.
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
    /// Reads the page: a line for each node. Without `key` it is the same reading once more, whose changes since the one before are
    /// not collected anew.
    "capture" Capture<'a> { key: Option<&'a str> } -> String;
    /// Texts, attributes or HTML of elements.
    "readElements" ReadElements<'a> {
        target: &'a ElementQuery,
        scope: ReadScope,
        content: ReadContent<'a>,
        /// The most characters of all texts; one more is answered when there are more.
        limit: usize,
    } -> ReadResult;
    /// The HTML of the document with its type, unless it is longer than the limit.
    "html" Html { limit: usize } -> HtmlText;
    /// The HTML of the document element.
    "outerHtml" OuterHtml {} -> String;
    /// What the page shows as HTML of a few plain tags, up to a number of characters.
    "readableHtml" ReadableHtml { limit: usize } -> String;
    /// Whether the page shows a text; runs of spaces count as one, case is ignored.
    "includesText" IncludesText<'a> { text: &'a str } -> bool;
    /// The title of the document.
    "title" Title {} -> String;
    /// How an element would be named by who has no ref of it; nothing when it is gone.
    "locator" Locator { element: u32 } -> Option<Located>;

    /// Makes an element ready for an action, or states why it is not. Unless the need is `attached`, the action begins.
    "checkActionable" CheckActionable<'a> { key: &'a str, target: &'a ElementQuery, need: Need<'a> } -> ActionabilityCheck;
    /// An action for the element that has the focus begins: which element that is, and that keys are for it alone. With a text, its
    /// keys follow; without one, a single key does.
    "focusedElement" FocusedElement<'a> { key: &'a str, text: Option<&'a str> } -> Ready;
    /// Puts a secret into a field that was made ready, in place of its value.
    "enterSecret" EnterSecret<'a> { element: u32, text: &'a str, readings: &'a Readings, submit: bool, again: bool } -> Actionability;
    /// Types a secret at the end of a field.
    "typeSecret" TypeSecret<'a> { element: u32, text: &'a str } -> Actionability;
    /// From now on a field, or the one that has the focus, is not read, and its text is drawn as dots. Answers the origin of its
    /// document.
    "maskField" MaskField { element: Option<u32> } -> String;
    /// Puts a text into an editor as if it was pasted, or edits it if allowed; the entry is `set` when the editor took it.
    "pasteText" PasteText<'a> { element: u32, text: &'a str, or_edit: bool } -> Actionability;
    /// Takes the focus from a field.
    "blurElement" BlurElement { element: u32 } -> ();
    /// For a moment no form is sent, so that Enter is for the field alone.
    "suppressSubmit" SuppressSubmit { duration_ms: u64 } -> ();
    /// No input is for this frame until it is allowed again, or for this long.
    "suppressInput" SuppressInput { duration_ms: u64 } -> ();
    /// Input is for whatever has the focus again.
    "allowInput" AllowInput {} -> ();
    /// What came of the action's input; nothing when there is nothing to compare.
    "inputOutcome" InputOutcome {} -> Option<Outcome>;

    /// Where to click next in the calendar of a field to choose a day; it is `done` when that is the day itself.
    "calendarStep" CalendarStep<'a> { element: u32, date: &'a str } -> Actionability;
    /// Whether a field that takes no typing shows the day that was chosen.
    "calendarOutcome" CalendarOutcome<'a> { element: u32, text: &'a str, readings: &'a Readings } -> Option<Outcome>;
    /// The option of an open list that is no `<select>`; it is `done` when it is chosen already. `before` are the values to be
    /// chosen, as long as the list was not opened: what says them then is no option.
    "findOption" FindOption<'a> { list: u32, value: &'a str, before: Option<&'a [String]> } -> Actionability;
    /// Whether an option of such a list is chosen now.
    "optionOutcome" OptionOutcome<'a> { list: u32, option: u32, value: &'a str, label: &'a str } -> Option<Outcome>;
    /// Types into a list that offers what fits only then; whether it takes typing.
    "typeAhead" TypeAhead<'a> { list: u32, value: &'a str } -> bool;
    /// Takes out what was typed in vain.
    "clearTypeAhead" ClearTypeAhead { list: u32 } -> ();
    /// Whether a control is checked; nothing when it is gone or has no such state.
    "isChecked" IsChecked { element: u32 } -> Option<bool>;

    /// The point of this view for a point in the content of a child frame.
    "frameOffset" FrameOffset { element: u32, x: f64, y: f64 } -> FramePoint;
    /// Where a rectangle in the content of a child frame is in this view; nothing when the frame is gone.
    "frameBox" FrameBox { element: u32, x: f64, y: f64, width: f64, height: f64 } -> Option<Corners>;
    /// Whether the pointer came over the element it was led to within this time.
    "pointerArrived" PointerArrived { timeout_ms: u64 } -> bool;
    /// An action begins: scrolls an element or the page by screens or to an end.
    "scroll" Scroll<'a> { key: &'a str, direction: Direction, screens: f64, element: Option<u32> } -> ();

    /// A gesture begins at a point of the view: what lies there.
    "describePoint" DescribePoint<'a> { key: &'a str, x: f64, y: f64 } -> PointInfo;
    /// Whether something was scrolled, or the page used the wheel for something else, within this time.
    "wheelHandled" WheelHandled { timeout_ms: u64 } -> bool;
    /// From now on it is noticed whether the page accepts what is dragged over an element.
    "watchDragOver" WatchDragOver { element: u32 } -> ();
    /// Whether it accepted it within this time.
    "acceptsDrop" AcceptsDrop { timeout_ms: u64 } -> bool;
    /// Draws a box around an element that stays; whether the element is there.
    "highlight" Highlight<'a> { element: u32, style: &'a str } -> bool;
    /// Takes the box around an element away, or all boxes; answers how many.
    "unhighlight" Unhighlight { element: Option<u32> } -> usize;
    /// Draws labelled boxes for the moment of a picture; answers how many are in view.
    "drawMarks" DrawMarks<'a> { labels: &'a [(u32, String)] } -> u32;
    /// Takes these boxes away.
    "removeMarks" RemoveMarks {} -> ();

    /// The part of the page that is in view, once something has been drawn.
    "viewRect" ViewRect {} -> Rect;
    /// The whole page, once something has been drawn; each side is at most this long.
    "pageRect" PageRect { limit: u32 } -> Rect;
    /// Where an element is in its view.
    "elementRect" ElementRect { element: u32 } -> Rect;
    /// How far the page is scrolled, to the right and down.
    "scrollPosition" ScrollPosition {} -> (f64, f64);

    /// Resolves when the page is at rest, when a press went elsewhere, or after the limit.
    "settle" Settle<'a> { key: &'a str, limit_ms: u64, element: Option<u32> } -> Settled;
    /// Whether the page changes within this time; answers at its first change.
    "waitForChange" WaitForChange { timeout_ms: u64 } -> bool;
    /// An action begins: whether the page is drawn anew within a moment.
    "redraw" Redraw<'a> { key: &'a str } -> bool;
    /// The addresses of windows that were opened since the action began by code that was put off before it.
    "unrelatedWindows" UnrelatedWindows<'a> { key: &'a str } -> Vec<String>;
    /// Waits for what a close would cut off, within the limit. With `asks_undo`, an offer to undo counts as well.
    "flush" Flush<'a> { key: &'a str, limit_ms: u64, asks_undo: bool } -> FlushState;

    /// The origin of the document.
    "origin" Origin {} -> String;
    /// The storage of the document's origin; empty where it has none.
    "originStorage" ReadOriginStorage {} -> OriginStorage;
    /// The entries of a storage, by name.
    "storageEntries" StorageEntries { area: Area } -> StorageResult<Vec<NameValue>>;
    /// The value of an entry, if there is one.
    "storageEntry" StorageEntry<'a> { area: Area, name: &'a str } -> StorageResult<Option<String>>;
    /// Sets an entry, if the document has this origin still.
    "setStorageEntry" SetStorageEntry<'a> { area: Area, origin: &'a str, name: &'a str, value: &'a str } -> StorageResult<()>;
    /// Removes an entry or all of them; answers how many there were.
    "deleteStorageEntries" DeleteStorageEntries<'a> { area: Area, name: Option<&'a str> } -> StorageResult<usize>;
}

references! {
    /// The element with this number, while it is in its document.
    "element" ElementOf { element: u32 } -> "Element | undefined";
    /// Elements that may have a closed shadow root which markup made, each answered once.
    "takePossibleClosedRoots" TakePossibleClosedRoots {} -> "Element[]";
}
