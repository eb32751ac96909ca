//! A result as bytes. A value takes no more of them than it counts in the result's byte budget, names of columns apart.

use super::bytes::{In, Nonsense, Out};
use crate::domain::{Cut, ResultSet, Value};
use crate::query::Limits;

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;
const INVALID_TEXT: u8 = 4;
const BLOB: u8 = 5;

/// Bytes that a result takes, or somewhat more.
pub(super) fn room_for(result: &ResultSet) -> usize {
    let names: usize = result.columns.iter().map(|name| name.len() + 4).sum();
    let values: usize = result.rows.iter().flatten().map(Value::size).sum();
    64 + names + values
}

/// Writes a result.
pub(super) fn write(result: &ResultSet, out: &mut Out) {
    out.count(result.columns.len());
    for name in &result.columns {
        out.text(name);
    }
    out.number(result.changed_rows);
    match result.cut {
        None => out.byte(0),
        Some(Cut::Rows(limit)) => out.byte(1).number(limit),
        Some(Cut::Bytes(limit)) => out.byte(2).number(limit),
    };
    out.count(result.rows.len());
    for value in result.rows.iter().flatten() {
        match value {
            Value::Null => out.byte(NULL),
            Value::Integer(number) => out.byte(INTEGER).number(number.cast_unsigned()),
            Value::Real(number) => out.byte(REAL).number(number.to_bits()),
            Value::Text(text) => out.byte(TEXT).text(text),
            Value::InvalidText(bytes) => out.byte(INVALID_TEXT).bytes(bytes),
            Value::Blob(bytes) => out.byte(BLOB).bytes(bytes),
        };
    }
}

/// Reads a result that keeps to these limits.
pub(super) fn read(body: &mut In<'_>, limits: &Limits) -> Result<ResultSet, Nonsense> {
    let width = body.count(4)?;
    let columns = (0..width).map(|_| body.text().map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
    let changed_rows = body.number()?;
    let cut = match body.byte()? {
        0 => None,
        1 => Some(Cut::Rows(body.number()?)),
        2 => Some(Cut::Bytes(body.number()?)),
        _ => return Err(Nonsense("a result is cut by an unknown limit")),
    };
    let height = body.count(width)?;
    // Rows without columns would cost nothing to claim.
    if height as u64 > limits.rows || (width == 0 && height > 0) {
        return Err(Nonsense("a result has more rows than it may have"));
    }
    let mut room = limits.bytes;
    let mut rows = Vec::with_capacity(height);
    for _ in 0..height {
        let mut values = Vec::with_capacity(width);
        for _ in 0..width {
            let value = value(body)?;
            room = room
                .checked_sub(value.size() as u64)
                .ok_or(Nonsense("a result has more bytes than it may have"))?;
            values.push(value);
        }
        rows.push(values);
    }
    Ok(ResultSet { columns, rows, changed_rows, cut })
}

fn value(body: &mut In<'_>) -> Result<Value, Nonsense> {
    Ok(match body.byte()? {
        NULL => Value::Null,
        INTEGER => Value::Integer(body.number()?.cast_signed()),
        REAL => match f64::from_bits(body.number()?) {
            number if number.is_nan() => return Err(Nonsense("a real is not a number")),
            number => Value::Real(number),
        },
        TEXT => Value::Text(body.text()?.to_owned()),
        INVALID_TEXT => Value::InvalidText(body.bytes()?.to_owned()),
        BLOB => Value::Blob(body.bytes()?.to_owned()),
        _ => return Err(Nonsense("a value is of an unknown type")),
    })
}

#[cfg(test)]
mod tests {
    use super::{read, room_for, write};
    use crate::domain::{Cut, ResultSet, Value};
    use crate::query::Limits;
    use crate::query::isolate::bytes::{HEAD, In, Out};
    use proptest::prelude::*;

    fn a_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::Integer),
            any::<f64>().prop_filter("SQLite has no NaN", |it| !it.is_nan()).prop_map(Value::Real),
            Just(Value::Real(f64::NEG_INFINITY)),
            any::<String>().prop_map(Value::Text),
            any::<Vec<u8>>().prop_map(Value::InvalidText),
            any::<Vec<u8>>().prop_map(Value::Blob),
        ]
    }

    fn a_result() -> impl Strategy<Value = ResultSet> {
        let cut = prop_oneof![
            Just(None),
            any::<u64>().prop_map(|it| Some(Cut::Rows(it))),
            any::<u64>().prop_map(|it| Some(Cut::Bytes(it)))
        ];
        (1_usize..5, any::<u64>(), cut).prop_flat_map(|(width, changed_rows, cut)| {
            let columns = prop::collection::vec(any::<String>(), width);
            let rows = prop::collection::vec(prop::collection::vec(a_value(), width), 0..9);
            (columns, rows).prop_map(move |(columns, rows)| ResultSet { columns, rows, changed_rows, cut })
        })
    }

    fn written(result: &ResultSet) -> Vec<u8> {
        let mut out = Out::with_room(0);
        write(result, &mut out);
        out.done()
    }

    proptest! {
        #[test]
        fn a_result_comes_back_as_it_was(result in a_result()) {
            let bytes = written(&result);
            prop_assert!(bytes.len() <= HEAD + room_for(&result));
            let mut body = In::new(&bytes[HEAD..]);
            prop_assert_eq!(read(&mut body, &Limits::default()).unwrap(), result);
            prop_assert!(body.end().is_ok());
        }

        #[test]
        fn what_was_changed_on_the_way_is_refused_or_another_result(
            result in a_result(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()
        ) {
            let mut bytes = written(&result).split_off(HEAD);
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            let limits = Limits { rows: 20, bytes: 1 << 16, ..Limits::default() };
            if let Ok(read) = read(&mut In::new(&bytes), &limits) {
                prop_assert!(read.rows.len() <= 20 && read.rows.iter().all(|row| row.len() == read.columns.len()));
            }
        }
    }

    #[test]
    fn a_result_beyond_its_limits_is_refused() {
        let result = ResultSet {
            columns: vec!["a".into()],
            rows: vec![vec![Value::Null]; 3],
            changed_rows: 0,
            cut: None,
        };
        let bytes = written(&result);
        let with = |limits: Limits| read(&mut In::new(&bytes[HEAD..]), &limits).is_ok();
        let limits = Limits { rows: 3, bytes: 48, ..Limits::default() };
        assert!(with(limits));
        assert!(!with(Limits { rows: 2, ..limits }));
        assert!(!with(Limits { bytes: 47, ..limits }));
        // Rows without columns, as many as a count can say.
        let none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255];
        assert!(read(&mut In::new(&none), &Limits { rows: u64::MAX, ..Limits::default() }).is_err());
    }
}
