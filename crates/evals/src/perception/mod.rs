//! Looks for elements of pages that a person can operate and an observation does not offer.
//!
//! Each page shows widgets of a published package. A script that runs before those of the page notes which elements
//! listen for presses, finds what each point of a grid would operate, and compares that with the elements for which the
//! observation has a ref. So the judge does not depend on what Legwork takes for operable.

pub(crate) mod packages;
pub mod plan;
mod report;
pub(crate) mod server;
mod survey;

pub use report::{PageResult, PerceptionReport};
pub use survey::survey;

/// The pages by name, in the order of the report.
pub(crate) const PAGES: &[(&str, &str)] = &[
    ("ace", include_str!("pages/ace.html")),
    ("ag-grid", include_str!("pages/ag-grid.html")),
    ("antd", include_str!("pages/antd.html")),
    ("blockly", include_str!("pages/blockly.html")),
    ("bootstrap", include_str!("pages/bootstrap.html")),
    ("bpmn", include_str!("pages/bpmn.html")),
    ("choices-of-lists", include_str!("pages/choices-of-lists.html")),
    ("cytoscape", include_str!("pages/cytoscape.html")),
    ("datatables", include_str!("pages/datatables.html")),
    ("date-pickers", include_str!("pages/date-pickers.html")),
    ("easymde", include_str!("pages/easymde.html")),
    ("element-plus", include_str!("pages/element-plus.html")),
    ("fancytree", include_str!("pages/fancytree.html")),
    ("filepond", include_str!("pages/filepond.html")),
    ("fullcalendar", include_str!("pages/fullcalendar.html")),
    ("gantt", include_str!("pages/gantt.html")),
    ("grapesjs", include_str!("pages/grapesjs.html")),
    ("gridstack", include_str!("pages/gridstack.html")),
    ("handsontable", include_str!("pages/handsontable.html")),
    ("jquery-ui", include_str!("pages/jquery-ui.html")),
    ("jsoneditor", include_str!("pages/jsoneditor.html")),
    ("jspreadsheet", include_str!("pages/jspreadsheet.html")),
    ("jstree", include_str!("pages/jstree.html")),
    ("leaflet", include_str!("pages/leaflet.html")),
    ("mui", include_str!("pages/mui.html")),
    ("quill", include_str!("pages/quill.html")),
    ("shoelace", include_str!("pages/shoelace.html")),
    ("sortable", include_str!("pages/sortable.html")),
    ("suneditor", include_str!("pages/suneditor.html")),
    ("swagger-ui", include_str!("pages/swagger-ui.html")),
    ("swiper", include_str!("pages/swiper.html")),
    ("tabulator", include_str!("pages/tabulator.html")),
    ("tinymce", include_str!("pages/tinymce.html")),
    ("trix", include_str!("pages/trix.html")),
    ("video", include_str!("pages/video.html")),
    ("x-spreadsheet", include_str!("pages/x-spreadsheet.html")),
];
