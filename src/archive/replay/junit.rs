//! A replay as `JUnit` XML, which continuous integration shows: a suite a trial, a case a call.

use super::report::{CallReplay, ReplayReport};
use crate::domain::replay::ReplayVerdict;
use crate::text::visible::visible;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// The report as XML.
///
/// # Errors
/// None that a report could cause: what the writer says.
pub fn junit(report: &ReplayReport) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let calls = || report.trials.iter().flat_map(|trial| &trial.calls);
    let all = calls().count().to_string();
    let differing = calls().filter(|call| call.differs()).count().to_string();
    writer
        .create_element("testsuites")
        .with_attributes([("name", visible(&report.run).as_ref()), ("tests", &all), ("failures", &differing)])
        .write_inner_content(|writer| {
            for trial in &report.trials {
                suite(writer, &visible(&trial.trial.to_string()), &trial.calls)?;
            }
            Ok(())
        })?;
    let mut text = writer.into_inner();
    text.push(b'\n');
    Ok(text)
}

fn suite(writer: &mut Writer<Vec<u8>>, name: &str, calls: &[CallReplay]) -> io::Result<()> {
    let count = |test: fn(&CallReplay) -> bool| calls.iter().filter(|call| test(call)).count().to_string();
    let failures = count(CallReplay::differs);
    let skipped = count(|call| matches!(call.verdict, ReplayVerdict::NotReplayable(_)));
    let tests = calls.len().to_string();
    let attributes = [("name", name), ("tests", &tests), ("failures", &failures), ("skipped", &skipped)];
    writer
        .create_element("testsuite")
        .with_attributes(attributes)
        .write_inner_content(|writer| calls.iter().try_for_each(|call| case(writer, name, call)))?;
    Ok(())
}

fn case(writer: &mut Writer<Vec<u8>>, trial: &str, call: &CallReplay) -> io::Result<()> {
    let name = format!("event {} {}", call.event, call.tool);
    #[allow(clippy::cast_precision_loss)] // microseconds of one statement
    let time = format!("{:.6}", call.elapsed_us as f64 / 1e6);
    let name = visible(&name);
    let element = writer.create_element("testcase").with_attributes([
        ("classname", trial),
        ("name", &name),
        ("time", &time),
    ]);
    // What XML can't hold is what a terminal can't either.
    let words = |text: &str| visible(text).into_owned();
    match &call.verdict {
        ReplayVerdict::Differs(difference) => {
            let message = words(&difference.to_string());
            let sql = words(call.sql.as_deref().unwrap_or_default());
            element.write_inner_content(|writer| {
                writer
                    .create_element("failure")
                    .with_attributes([("type", "differs"), ("message", &message)])
                    .write_text_content(BytesText::new(&sql))?;
                Ok(())
            })?;
        }
        ReplayVerdict::NotReplayable(not) => {
            let message = words(&not.reason);
            element.write_inner_content(|writer| {
                writer
                    .create_element("skipped")
                    .with_attribute(("message", message.as_str()))
                    .write_empty()?;
                Ok(())
            })?;
        }
        _ => {
            element.write_empty()?;
        }
    }
    Ok(())
}
