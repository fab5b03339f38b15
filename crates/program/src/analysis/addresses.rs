//! Which arrays of a program with blocks may hold addresses.
//!
//! Idea, on a list of lines: `node.next` and `node.text` are told apart from the bytes of the lines, for an address begins as a
//! number of at least one block (`alloc.top`, a declared object) and is copied, moved and stored, and no such number ever flows
//! into the array of the bytes.
//!
//! A guess: numbers that are that large count as addresses, whatever they are, and an address that was read from a file does
//! not. So callers must be sound whatever it says (`passes::cone`).

use crate::{Program, Stmt, VarId};
use base::{FxHashMap, FxHashSet, IndexVec};
use logic::{Op, Pool, Rational, Sort, TermId};

/// The variables, arrays among them, that something that may be an address flows into.
pub fn holders_of_addresses(pool: &Pool, program: &Program) -> IndexVec<VarId, bool> {
    let flows = Flows {
        pool,
        var_of: program
            .vars
            .iter_enumerated()
            .map(|(id, v)| (v.term, id))
            .collect(),
        block: Rational::from(program.memory.block),
    };
    let mut pairs: Vec<(VarId, TermId)> = Vec::new();
    for edge in program.edges.iter() {
        match &edge.stmt {
            Stmt::Assign(assigned) => pairs.extend(assigned),
            Stmt::Call {
                callee,
                args,
                results,
            } => {
                let callee = &program.functions[*callee];
                pairs.extend(callee.params.iter().copied().zip(args.iter().copied()));
                let returned = callee.returns.iter().map(|r| program.vars[*r].term);
                pairs.extend(results.iter().copied().zip(returned));
            }
            Stmt::Skip | Stmt::Assume(_) | Stmt::Havoc(..) => {}
        }
    }
    let mut out = IndexVec::filled(false, program.vars.len());
    loop {
        let mut changed = false;
        for &(var, term) in &pairs {
            if !out[var] && flows.may_be_address(term, &out) {
                out[var] = true;
                changed = true;
            }
        }
        if !changed {
            return out;
        }
    }
}

struct Flows<'a> {
    pool: &'a Pool,
    var_of: FxHashMap<TermId, VarId>,
    block: Rational,
}

impl Flows<'_> {
    /// Is the value made of an address, or an array that holds one? Indices and conditions do not count.
    fn may_be_address(&self, term: TermId, holders: &IndexVec<VarId, bool>) -> bool {
        let pool = self.pool;
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut work = vec![term];
        while let Some(t) = work.pop() {
            if !seen.insert(t) || pool.sort_of(t) == pool.bool_sort() {
                continue;
            }
            match (pool.op(t), pool.args(t)) {
                (Op::Num(n), _) => {
                    if pool.number(n) >= &self.block {
                        return true;
                    }
                }
                (Op::Select, &[array, _]) => work.push(array),
                (Op::Store, &[array, _, value]) => work.extend([array, value]),
                // Which block an address is in is no address.
                (Op::IntDiv | Op::Mod, &[_, by])
                    if pool.as_number(by).is_some_and(|by| by >= &self.block) => {}
                (_, args) => match self.var_of.get(&t) {
                    Some(&v) if holders[v] => return true,
                    Some(_) => {}
                    None => work.extend(args),
                },
            }
        }
        false
    }
}

/// Is it an array?
pub(crate) fn is_array(pool: &Pool, program: &Program, var: VarId) -> bool {
    matches!(pool.sort_kind(program.vars[var].sort), Sort::Array(..))
}
