//! Pictures with their styles: the default themes, and none. A picture as text alone misses what colours get wrong.

use crate::desk::{Desk, VALUES};

#[test]
fn a_result_in_the_default_themes_and_without_colours() {
    let mut desk = Desk::open();
    desk.run(VALUES);
    desk.keys("g r b z m");
    desk.styled("values_default_dark", Some("default-dark"), 80, 24);
    desk.styled("values_default_light", Some("default-light"), 80, 24);
    desk.styled("values_without_colours", None, 80, 24);
}

#[test]
fn statements_and_dialogs_in_the_default_themes_and_without_colours() {
    let mut desk = Desk::open();
    desk.write("SELECT 'a', 1.5, \"mail\" -- why\nFROM account WHERE lower(sta");
    desk.styled("writing_slate", Some("slate"), 80, 24);
    desk.styled("writing_without_colours", None, 80, 24);
    desk.keys("esc esc :");
    desk.write("them");
    desk.styled("palette_default_light", Some("default-light"), 80, 24);
}
