//! Names as the workbench writes them, against the SQLite that reads them.

use crate::support::{copy_of, value};
use casebook::domain::Value;
use casebook::text::sql_words::{KEYWORDS, as_name};

#[test]
fn every_keyword_can_be_a_name_as_it_is_written() {
    let mut engine = copy_of("CREATE TABLE t(x)");
    for keyword in KEYWORDS.iter().copied().chain(["a b", "\"", "1a", "é", "x$"]) {
        let name = as_name(keyword);
        let sql = format!(
            "WITH {name}({name}) AS (SELECT 1) SELECT {name} AS {name} FROM {name} JOIN {name} AS b USING ({name}) \
             WHERE {name} = 1 AND b.{name} IN ({name}) AND NOT {name} IS NULL AND CASE WHEN {name} THEN {name} ELSE {name} END \
             GROUP BY {name} HAVING {name} ORDER BY {name}, {name} DESC"
        );
        assert_eq!(value(&mut engine, &sql), Value::Integer(1), "{sql}");
    }
}
