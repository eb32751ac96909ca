//! Two workbenches over the same folders.

use super::desk::{Desk, press, quit, run, wait_for_case, wide, write};

#[test]
fn the_second_is_told_and_can_work_on_something_else() {
    let desk = Desk::new();
    let first = desk.practice(&wide());
    write(&first, "SELECT 'of the first'");
    first.wait_for("SELECT 'of the first'");
    let second = desk.start(&wide());
    write(&second, "/P-02");
    wait_for_case(&second, "P-02");
    press(&second, "enter enter");
    second.wait_for("another casebook");
    // Another case works.
    press(&second, "/ ctrl-u");
    write(&second, "P-01");
    wait_for_case(&second, "P-01");
    press(&second, "enter enter");
    second.wait_for("P-01 began");
    run(&second, "SELECT 6 * 7 AS product");
    second.wait_for("◆product");
    // A case that can't be opened leaves nothing half open: the one before is gone on with.
    press(&second, "esc 1 / ctrl-u");
    write(&second, "P-02");
    wait_for_case(&second, "P-02");
    press(&second, "enter enter");
    second.wait_for("another casebook");
    press(&second, "/ ctrl-u");
    write(&second, "P-01");
    wait_for_case(&second, "P-01");
    press(&second, "enter enter");
    second.wait_for("going on with P-01");
    run(&second, "SELECT 7 * 7 AS other");
    second.wait_for("◆other");
    quit(second);
    run(&first, "SELECT 1 AS still");
    first.wait_for("◆still");
    quit(first);
    // When the first is gone, its case can be opened.
    let third = desk.practice(&wide());
    third.wait_for("going on with P-02");
    quit(third);
}
