//! What is said comes back as it was, and nothing that can be said is believed unread.

use super::bytes::HEAD;
use super::message::{Answered, Opening, Question, Reply, Request, opened_to_bytes, read_opened};
use crate::domain::Rule;
use crate::query::{Checked, Environment, LimitHit, Limits, QueryError};
use crate::sql::Catalogue;
use proptest::prelude::*;
use std::time::Duration;

fn errors() -> Vec<QueryError> {
    let elapsed = Duration::from_micros(1234);
    let limit = |limit| QueryError::Limit { limit, rows: 7, elapsed };
    let mut all: Vec<QueryError> = Rule::ALL
        .into_iter()
        .map(|rule| QueryError::Refused { rule, detail: format!("it is {rule}") })
        .collect();
    all.extend([
        QueryError::Sql { message: "no such table: ü".into(), offset: Some(14) },
        QueryError::Sql { message: String::new(), offset: None },
        limit(LimitHit::Time(Duration::from_millis(300))),
        limit(LimitHit::Memory(256 << 20)),
        limit(LimitHit::Space(64 << 20)),
        limit(LimitHit::ValueLength(1 << 20)),
        QueryError::Interrupted { rows: 3, elapsed },
        QueryError::Engine { reason: "lost".into() },
    ]);
    all
}

#[test]
fn questions_come_back_as_they_were() {
    let limits =
        Limits { deadline: Duration::from_nanos(1_500_000_001), rows: 2, bytes: 3, memory: u64::MAX };
    for question in [
        Question::Run { call: 9, sql: "SELECT 'ß'", limits },
        Question::Check { sql: "" },
        Question::Catalogue,
    ] {
        let request = Request { number: 42, question };
        assert_eq!(Request::read(&request.to_bytes()[HEAD..]).unwrap(), request);
    }
    let environment = Environment { today: jiff::civil::date(2026, 6, 30), seed: u64::MAX };
    let opening = Opening { environment, room: 1 << 30 };
    assert_eq!(Opening::read(&opening.to_bytes()[HEAD..]).unwrap(), opening);
    for opened in [Ok(vec![]), Ok(vec!["no filter".to_owned()]), Err("no memory".to_owned())] {
        assert_eq!(read_opened(&opened_to_bytes(&opened)[HEAD..]).unwrap(), opened);
    }
}

#[test]
fn errors_come_back_word_for_word() {
    for error in errors() {
        let said = format!("{error:?}");
        let reply = Reply { wrote: true, same_catalogue: false, answered: Answered::Ran(Err(error)) };
        let read = Reply::read(&reply.to_bytes()[HEAD..], &Limits::default()).unwrap();
        let Answered::Ran(Err(error)) = read.answered else { panic!("{:?}", read.answered) };
        assert_eq!(format!("{error:?}"), said);
        assert!(read.wrote && !read.same_catalogue);
    }
}

#[test]
fn what_is_checked_and_the_catalogue_come_back_as_they_were() {
    let checked = Checked { read_only: true, tables_seen: ["a", "b c"].map(str::to_owned).into() };
    let answered = Answered::Checked(Ok(checked.clone()));
    let reply = Reply { wrote: false, same_catalogue: true, answered };
    let read = Reply::read(&reply.to_bytes()[HEAD..], &Limits::default()).unwrap();
    assert!(matches!(read.answered, Answered::Checked(Ok(it)) if it == checked));

    let mut catalogue = Catalogue::new();
    catalogue.add_table("T", ["id", "Name"]);
    catalogue.add_view("v", ["id"], "CREATE VIEW v AS SELECT id FROM t");
    catalogue.add_table("v", []);
    let said = |catalogue: &Catalogue| -> Vec<_> {
        let relations = catalogue.relations().iter();
        relations
            .map(|it| (it.name().to_owned(), it.columns().to_vec(), it.view().map(str::to_owned)))
            .collect()
    };
    let before = said(&catalogue);
    let reply = Reply { wrote: false, same_catalogue: true, answered: Answered::Catalogue(Ok(catalogue)) };
    let read = Reply::read(&reply.to_bytes()[HEAD..], &Limits::default()).unwrap();
    let Answered::Catalogue(Ok(catalogue)) = read.answered else { panic!("{:?}", read.answered) };
    assert_eq!(said(&catalogue), before);
}

proptest! {
    /// Any bytes at all: an answer or a refusal, never a panic, never much memory.
    #[test]
    fn bytes_of_any_kind_are_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Reply::read(&body, &Limits::default());
        let _ = Request::read(&body);
        let _ = Opening::read(&body);
        let _ = read_opened(&body);
    }
}
