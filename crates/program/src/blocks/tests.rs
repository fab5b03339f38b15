//! Blocks against the original graph, by enumeration on small domains.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::Stmt;
use crate::analysis::liveness::{Liveness, liveness};
use crate::analysis::modref::modref;
use crate::analysis::reads::VarsOf;
use crate::analysis::shape::{reachable_functions, shape};
use crate::text::{parse, print_expr};
use logic::{Evaluator, Rational, Value};
use std::collections::{BTreeMap, BTreeSet};
use testkit::programs as random;

type State = BTreeMap<VarId, Value>;

fn domain(pool: &Pool, sort: logic::SortId) -> Vec<Value> {
    if sort == pool.bool_sort() {
        vec![Value::Bool(false), Value::Bool(true)]
    } else {
        (0..4).map(|n| Value::Num(Rational::from(n))).collect()
    }
}

fn term(pool: &mut Pool, value: &Value) -> TermId {
    match value {
        Value::Bool(b) => pool.bool_const(*b),
        Value::Num(n) => pool.int(n.clone()),
        _ => unreachable!(),
    }
}

fn all_states(pool: &Pool, program: &Program) -> Vec<State> {
    let mut out = vec![State::new()];
    for (v, var) in program.vars.iter_enumerated() {
        let values = domain(pool, var.sort);
        out = out
            .iter()
            .flat_map(|s| {
                values.iter().map(move |x| {
                    let mut s = s.clone();
                    s.insert(v, x.clone());
                    s
                })
            })
            .collect();
    }
    out
}

fn eval(pool: &Pool, program: &Program, state: &State, t: TermId) -> Value {
    Evaluator::new(pool, |s| {
        let (v, _) = program
            .vars
            .iter_enumerated()
            .find(|(_, v)| pool.as_constant(v.term) == Some(s))?;
        state.get(&v).cloned()
    })
    .eval(t)
}

fn step(pool: &Pool, program: &Program, state: &State, stmt: &Stmt) -> Vec<State> {
    match stmt {
        Stmt::Skip => vec![state.clone()],
        Stmt::Assume(c) if eval(pool, program, state, *c) == Value::Bool(true) => {
            vec![state.clone()]
        }
        Stmt::Assume(_) => Vec::new(),
        Stmt::Assign(pairs) => {
            let mut next = state.clone();
            for (v, e) in pairs {
                let value = eval(pool, program, state, *e);
                if !program.in_range(*v, &value) {
                    return Vec::new();
                }
                next.insert(*v, value);
            }
            vec![next]
        }
        Stmt::Havoc(vars, _) => {
            let mut out = vec![state.clone()];
            for v in vars {
                let values = domain(pool, program.vars[*v].sort);
                out = out
                    .iter()
                    .flat_map(|s| {
                        values.iter().map(|x| {
                            let mut s = s.clone();
                            s.insert(*v, x.clone());
                            s
                        })
                    })
                    .collect();
            }
            out
        }
        Stmt::Call { .. } => unreachable!("no calls here"),
    }
}

/// Live part of the states at cut points that `state` at `from` leads to.
fn reference(
    pool: &Pool,
    program: &Program,
    nodes: &BTreeSet<LocId>,
    live: &Liveness,
    from: LocId,
    state: &State,
) -> BTreeSet<(LocId, State)> {
    let successors = program.successors();
    let mut seen = BTreeSet::new();
    let mut out = BTreeSet::new();
    let mut work = vec![(from, state.clone(), true)];
    while let Some((loc, state, start)) = work.pop() {
        if nodes.contains(&loc) && !start {
            let mut state = state;
            state.retain(|v, _| live.is_live(loc, *v));
            out.insert((loc, state));
            continue;
        }
        for &e in &successors[loc] {
            for next in step(pool, program, &state, &program.edges[e].stmt) {
                let to = program.edges[e].to;
                if seen.insert((to, next.clone())) {
                    work.push((to, next, false));
                }
            }
        }
    }
    out
}

/// Extends `fixed` to a model of `formula` over `free`, if there is one.
fn solve(
    pool: &mut Pool,
    formula: TermId,
    free: &[TermId],
    fixed: &mut BTreeMap<TermId, Value>,
) -> bool {
    if formula == pool.ff() {
        return false;
    }
    let Some((&first, rest)) = free.split_first() else {
        assert_eq!(formula, pool.tt(), "{}", print_expr(pool, formula));
        return true;
    };
    let sort = pool.sort_of(first);
    for value in domain(pool, sort) {
        let t = term(pool, &value);
        let smaller = pool.substitute(formula, &[(first, t)]);
        fixed.insert(first, value);
        if solve(pool, smaller, rest, fixed) {
            return true;
        }
    }
    fixed.remove(&first);
    false
}

fn check_program(text: &str, size: BlockSize) {
    let mut pool = Pool::new();
    let program = parse(&mut pool, text).unwrap();
    let graph = encode(&mut pool, &program, size);
    let nodes: BTreeSet<LocId> = graph.nodes.iter().copied().collect();
    let successors = program.successors();
    let live = liveness(
        &pool,
        &program,
        program.entry,
        &shape(
            &program,
            &successors,
            program.functions[program.entry].entry,
        ),
        &successors,
        &mut VarsOf::new(&program),
        &modref(&pool, &program),
    );
    for state in all_states(&pool, &program) {
        for &from in &nodes {
            let expected = reference(&pool, &program, &nodes, &live, from, &state);
            let mut found = BTreeSet::new();
            for &id in &graph.out[from] {
                let block = graph.blocks[id].clone();
                let BlockKind::Transition(t) = &block.kind else {
                    unreachable!()
                };
                let pairs: Vec<(TermId, TermId)> = state
                    .iter()
                    .map(|(v, x)| (program.vars[*v].term, term(&mut pool, x)))
                    .collect();
                let formula = pool.substitute(t.formula, &pairs);
                // All combinations of post values.
                let mut posts = vec![Vec::new()];
                for &v in &t.modified {
                    let values = domain(&pool, program.vars[v].sort);
                    posts = posts
                        .iter()
                        .flat_map(|p: &Vec<Value>| {
                            values.iter().map(move |x| {
                                let mut p = p.clone();
                                p.push(x.clone());
                                p
                            })
                        })
                        .collect();
                }
                for post in posts {
                    let pairs: Vec<(TermId, TermId)> = t
                        .posts
                        .iter()
                        .zip(&post)
                        .map(|(p, x)| (*p, term(&mut pool, x)))
                        .collect();
                    let f = pool.substitute(formula, &pairs);
                    let mut model = BTreeMap::new();
                    if !solve(&mut pool, f, &t.internals, &mut model) {
                        continue;
                    }
                    let mut after = state.clone();
                    after.extend(t.modified.iter().copied().zip(post.iter().cloned()));
                    for (v, x) in &state {
                        model.insert(program.vars[*v].term, x.clone());
                    }
                    model.extend(t.posts.iter().copied().zip(post.iter().cloned()));
                    let path = block
                        .concrete_path(&pool, &program, t, &|c| model[&c].clone())
                        .unwrap_or_else(|| panic!("no path for {id} of\n{text}"));
                    follow(&pool, &program, &block, &path, &state, &after, t);
                    after.retain(|v, _| live.is_live(block.to, *v));
                    found.insert((block.to, after));
                }
            }
            assert_eq!(found, expected, "from {from} in {state:?} of\n{text}");
        }
    }
}

/// The path executes and ends in `after`.
fn follow(
    pool: &Pool,
    program: &Program,
    block: &Block,
    path: &[(EdgeId, Vec<Value>)],
    state: &State,
    after: &State,
    t: &Transition,
) {
    let (mut loc, mut state) = (block.from, state.clone());
    for (edge, values) in path {
        let e = &program.edges[*edge];
        assert_eq!(e.from, loc);
        loc = e.to;
        state = match &e.stmt {
            Stmt::Havoc(vars, _) => {
                state.extend(vars.iter().copied().zip(values.iter().cloned()));
                state
            }
            stmt => step(pool, program, &state, stmt).remove(0),
        };
    }
    assert_eq!(loc, block.to);
    for (v, x) in &state {
        assert!(x == &after[v] || t.dead.contains(v), "{v} after {path:?}");
    }
}

#[test]
fn large_blocks_are_the_original_relation() {
    for seed in 0..60 {
        check_program(&random::single(seed), BlockSize::Large);
    }
}

#[test]
fn single_blocks_are_the_original_relation() {
    for seed in 1000..1008 {
        check_program(&random::single(seed), BlockSize::Single);
    }
}

#[test]
fn every_cycle_is_cut() {
    for seed in 0..300 {
        let mut pool = Pool::new();
        let program = parse(&mut pool, &random::single(seed)).unwrap();
        let successors = program.successors();
        for (_, shape) in reachable_functions(&program, &successors) {
            for &loc in &shape.order {
                for &e in &successors[loc] {
                    let to = program.edges[e].to;
                    assert!(
                        shape.position[&loc] < shape.position[&to]
                            || shape.loop_heads.binary_search(&to).is_ok()
                    );
                }
            }
        }
    }
}

#[test]
fn diamonds_make_linear_formulas() {
    let size = |n: u32| {
        let mut text = String::from("global x: Int [0, 999]\nfn main() {\n entry a0\n");
        for i in 0..n {
            let j = i + 1;
            text += &format!(" a{i} -> b{i}: assume (< x {i})\n b{i} -> a{j}: x := (+ x 1)\n");
            text += &format!(" a{i} -> a{j}: assume (>= x {i})\n");
        }
        text += &format!(" a{n} -> exit: skip\n}}\n");
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap();
        let graph = encode(&mut pool, &program, BlockSize::Large);
        assert_eq!(graph.blocks.len(), 1);
        let BlockKind::Transition(t) = &graph.blocks.iter().next().unwrap().kind else {
            unreachable!()
        };
        pool.dag_size(t.formula)
    };
    let (small, large) = (size(100), size(1000));
    assert!(large < 11 * small, "{small} {large}");
}
