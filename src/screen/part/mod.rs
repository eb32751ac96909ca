//! Parts of a picture that pages are put together from.

pub(super) mod answer_form;
pub(super) mod canvas;
pub(super) mod chip;
pub(super) mod completion_popup;
pub(super) mod figures;
pub(super) mod hints;
pub(super) mod input;
pub(super) mod key_hint;
pub(super) mod key_names;
pub(super) mod matched;
pub(super) mod overlay;
pub(super) mod pane;
pub(super) mod pieces;
pub(super) mod question;
pub(super) mod result_grid;
pub(super) mod schema_tree;
pub(super) mod scrollbar;
pub(super) mod sql_editor;
pub(super) mod status_line;
pub(super) mod title_line;
pub(super) mod too_small;
pub(super) mod which_key;
