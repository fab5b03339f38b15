//! Horn systems as programs: linear ones with shared variables, others as functions, and what plays
//! no part left out. Systems that are not Horn are refused with their place.
#![allow(clippy::unwrap_used)]

use frontend::horn::{HornProgram, PredicateHome, Shape, read};
use logic::Pool;
use program::{Diagnostic, SourceMap};

fn try_read(text: &str, shape: Shape) -> (Pool, Result<HornProgram, Vec<Diagnostic>>) {
    let mut pool = Pool::new();
    let result = read(&mut pool, "x.smt2", text, shape, &mut SourceMap::default());
    (pool, result)
}

fn system(name: &str, shape: Shape) -> (Pool, HornProgram) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs/horn/");
    let text = std::fs::read_to_string(format!("{root}{name}")).unwrap();
    let (pool, result) = try_read(&text, shape);
    (pool, result.ok().unwrap())
}

#[test]
fn programs() {
    for name in ["chain_safe.smt2", "forms_safe.smt2", "tree_safe.smt2"] {
        let (pool, horn) = system(name, Shape::Natural);
        let text = program::text::print(&pool, &horn.program);
        insta::assert_snapshot!(format!("horn_{name}"), text);
    }
}

/// A linear system made from a program has that program's variables again.
#[test]
fn arguments_share_variables() {
    let (_, horn) = system("chain_safe.smt2", Shape::Natural);
    let place = |i: usize| horn.system.predicates[i].args.clone();
    // start, up, between and down hold n and x; end holds x.
    assert_eq!(place(0), place(1));
    assert_eq!(place(1), place(2));
    assert_eq!(place(2), place(3));
    assert_eq!(place(4), place(3)[1..]);
}

#[test]
fn a_function_per_predicate_on_demand() {
    let (_, horn) = system("chain_unsafe.smt2", Shape::Functions);
    let homes = horn.system.predicates.iter().map(|p| p.home);
    assert!(
        homes
            .into_iter()
            .all(|h| matches!(h, PredicateHome::Function(_)))
    );
    assert_eq!(horn.program.functions.len(), 4);
}

#[test]
fn predicates_that_play_no_part() {
    let (pool, horn) = system("forms_safe.smt2", Shape::Natural);
    let home = |name: &str| {
        let symbol = pool.symbol_named(name).unwrap();
        let mut all = horn.system.predicates.iter();
        all.find(|p| p.symbol == symbol).unwrap().home
    };
    assert_eq!(home("never"), PredicateHome::Underivable);
    assert_eq!(home("unused"), PredicateHome::Unused);
    assert!(matches!(home("p"), PredicateHome::Location(_)));
}

#[test]
fn what_is_not_horn_is_refused() {
    let head = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(declare-fun q (Int) Bool)\n";
    for (clause, why) in [
        (
            "(assert (forall ((x Int)) (or (p x) (q x))))",
            "more than one head",
        ),
        (
            "(assert (forall ((x Int)) (=> (p x) (exists ((y Int)) (q y)))))",
            "existential",
        ),
        ("(assert (forall ((x Int)) (=> (p y) (q x))))", "y"),
    ] {
        let (_, result) = try_read(&format!("{head}{clause}\n"), Shape::Natural);
        let list = result.err().unwrap();
        assert!(list[0].message.contains(why), "{}", list[0].message);
        assert_eq!(list[0].span.line, 4);
    }
}
