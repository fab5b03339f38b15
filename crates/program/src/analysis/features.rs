//! What a program is like, in a few numbers: by them the portfolio chooses who works on it.

use crate::analysis::shape::{Shape, reachable_functions};
use crate::passes::inline::{self, Refusal};
use crate::{EdgeId, LocId, Program, Stmt};
use base::{FxHashSet, IndexVec};
use logic::{Op, Pool, TermId};

/// Counts of what execution from the entry may pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    counts: [u64; FEATURES.len()],
}

/// The names of the counts, in the order in which they are told.
pub const FEATURES: [&str; 14] = [
    "recursive",
    "large",
    "functions",
    "callsites",
    "edges",
    "branches",
    "loops",
    "nested",
    "inputs",
    "arrays",
    "blocks",
    "bits",
    "floats",
    "products",
];

impl Features {
    /// The count of this name.
    pub fn get(&self, name: &str) -> Option<u64> {
        let number = FEATURES.iter().position(|n| *n == name)?;
        self.counts.get(number).copied()
    }

    /// All counts with their names.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
        FEATURES.into_iter().zip(self.counts)
    }

    fn add(&mut self, name: &str, count: u64) {
        if let Some(number) = FEATURES.iter().position(|n| *n == name) {
            self.counts[number] += count;
        }
    }
}

/// Counts what the program has.
pub fn features(pool: &Pool, program: &Program) -> Features {
    let mut out = Features::default();
    match inline::size(program) {
        Ok(_) => {}
        Err(Refusal::Recursion(_)) => out.add("recursive", 1),
        Err(Refusal::TooLarge { .. }) => out.add("large", 1),
    }
    let successors = program.successors();
    let functions = reachable_functions(program, &successors);
    out.add("functions", functions.len() as u64);
    out.add("blocks", u64::from(program.memory.block != 0));
    let arrays = program.vars.iter().filter(|v| {
        let sort = pool.sort_of(v.term);
        !pool.is_arith(sort) && sort != pool.bool_sort()
    });
    out.add("arrays", arrays.count() as u64);
    let mut seen = FxHashSet::default();
    for (_, shape) in &functions {
        out.add("loops", shape.loop_heads.len() as u64);
        out.add("nested", nested(program, &successors, shape));
        for &loc in &shape.order {
            out.add("branches", u64::from(successors[loc].len() > 1));
            for &edge in &successors[loc] {
                out.add("edges", 1);
                count_statement(pool, &program.edges[edge].stmt, &mut seen, &mut out);
            }
        }
    }
    out
}

fn count_statement(pool: &Pool, stmt: &Stmt, seen: &mut FxHashSet<TermId>, out: &mut Features) {
    let mut terms = match stmt {
        Stmt::Skip => Vec::new(),
        Stmt::Havoc(..) => {
            out.add("inputs", 1);
            Vec::new()
        }
        Stmt::Assume(condition) => vec![*condition],
        Stmt::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
        Stmt::Call { args, .. } => {
            out.add("callsites", 1);
            args.clone()
        }
    };
    while let Some(t) = terms.pop() {
        if !seen.insert(t) {
            continue;
        }
        terms.extend(pool.args(t));
        let open = |t: &&TermId| pool.as_number(**t).is_none();
        let open = pool.args(t).iter().filter(open).count();
        match pool.op(t) {
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr => out.add("bits", 1),
            Op::App(symbol) if pool.float_op(symbol).is_some() => out.add("floats", 1),
            Op::Mul if open > 1 => out.add("products", 1),
            Op::IntDiv | Op::Mod | Op::CDiv | Op::CRem if open > 1 => out.add("products", 1),
            _ => {}
        }
    }
}

/// How many loop heads of the function lie inside another loop: between another head before them and an edge back to it
/// from behind them.
fn nested(program: &Program, successors: &IndexVec<LocId, Vec<EdgeId>>, shape: &Shape) -> u64 {
    let place = |loc: &LocId| shape.position.get(loc).copied().unwrap_or(0);
    let mut ends = vec![0; shape.order.len()];
    for loc in &shape.order {
        for &edge in &successors[*loc] {
            let to = place(&program.edges[edge].to) as usize;
            if to as u32 <= place(loc) {
                ends[to] = place(loc).max(ends[to]);
            }
        }
    }
    let inside = |head: &LocId| {
        let at = place(head);
        let around = |outer: &LocId| place(outer) < at && at <= ends[place(outer) as usize];
        shape.loop_heads.iter().any(around)
    };
    shape.loop_heads.iter().filter(|head| inside(head)).count() as u64
}
