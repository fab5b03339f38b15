//! Memory reads as variables: an over-approximation without arrays.
//!
//! Idea, on `irp->status = 0; f(q); if (irp->status) error;`: the program reads `select(m, irp + 8)`.
//! Let a variable stand for the value of that term. A statement that writes a variable of the term
//! gives it a new value: the term with the assignments put in, where a read over a write becomes a
//! choice (`q + 8 = irp + 8 ? new : old`), as long as what is left are terms that have variables
//! themselves; if not, it may be anything. No query speaks of arrays any more, which is what large
//! programs need that keep much in memory and little that matters (drivers).
//! Source: the lvalue maps of BLAST, with case splits on pointer equality.
//!
//! Sound because each variable holds the value of its term, or any: the new program has at least
//! the executions of the original. So a proof carries over, with the terms put back
//! ([`Transformed::definitions`]); an error path is replayed.

use super::Transformed;
use crate::reads::VarsOf;
use crate::{Edge, EdgeId, InputKind, Location, Program, Stmt, Var, VarId};
use logic::{FxHashMap, FxHashSet, Op, Pool, Sort, Substitution, TermId};
use std::collections::BTreeMap;

/// Most terms that get a variable.
const MOST_TERMS: usize = 3_000;
/// Reads times writes of one array beyond which a write makes the reads unknown.
const MOST_CASES: usize = 2_000;

/// The program without arrays; `None` if it has none, or calls, or too many reads.
pub fn lvalues(pool: &mut Pool, program: &Program) -> Option<Transformed> {
    let mut reads = Reads::of(pool, program)?;
    let mut out = Transformed::identity(program.clone());
    let mut vars_of = VarsOf::new(program);
    // Which terms a variable occurs in.
    let mut users: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
    for at in 0..reads.terms.len() {
        let read = reads.terms[at];
        for &v in vars_of.of(pool, read.term).iter() {
            users.entry(v).or_default().push(at);
        }
        let array = &program.vars[read.array];
        let sort = pool.sort_of(read.term);
        let name = format!("{}[#{at}]", array.name);
        let term = pool.constant(&name, sort);
        let var = out.program.vars.push(Var {
            name,
            term,
            sort,
            range: None,
            source_name: None,
            source_type: None,
            ..array.clone()
        });
        out.var_origin.push(read.array);
        out.definitions.push((term, read.term));
        if program.globals.contains(&read.array) {
            out.program.globals.push(var);
        } else {
            out.program.functions[program.entry].locals.push(var);
        }
        reads.value.insert(read.term, term);
        reads.variables.push(var);
    }
    let lossy = lossy(pool, program, &reads);
    for (id, edge) in program.edges.iter_enumerated() {
        let (stmt, lost) = match &edge.stmt {
            Stmt::Assume(c) => (Stmt::Assume(reads.rewrite(pool, *c)?), Vec::new()),
            Stmt::Assign(pairs) => {
                let mut list = Vec::new();
                for &(v, e) in pairs {
                    if is_array(pool, e) {
                        // Its parts are asked for below.
                        reads.rewrite(pool, e);
                    } else {
                        list.push((v, reads.rewrite(pool, e)?));
                    }
                }
                let written: Vec<VarId> = pairs.iter().map(|(v, _)| *v).collect();
                let assigned = pairs.iter().map(|&(v, e)| (program.vars[v].term, e));
                let mut map = Substitution::new(assigned);
                let mut lost = Vec::new();
                for at in affected(&users, &written) {
                    let read = reads.terms[at];
                    let value = match written.contains(&read.array) && lossy.contains(&read.array) {
                        true => None,
                        false => {
                            let after = map.apply(pool, read.term);
                            reads.rewrite(pool, after)
                        }
                    };
                    let var = reads.variables[at];
                    match value {
                        Some(value) if value == reads.value[&read.term] => {}
                        Some(value) => list.push((var, value)),
                        None => lost.push(var),
                    }
                }
                match list.is_empty() {
                    true => (Stmt::Skip, lost),
                    false => (Stmt::Assign(list), lost),
                }
            }
            Stmt::Havoc(vars, _) => {
                let lost = affected(&users, vars);
                let lost = lost.into_iter().map(|at| reads.variables[at]).collect();
                (edge.stmt.clone(), lost)
            }
            Stmt::Skip | Stmt::Call { .. } => (edge.stmt.clone(), Vec::new()),
        };
        out.program.edges[id].stmt = stmt;
        if !lost.is_empty() {
            lose(&mut out, program, id, lost);
        }
    }
    Some(out)
}

/// Lets the variables have any value after the edge.
fn lose(out: &mut Transformed, program: &Program, id: EdgeId, lost: Vec<VarId>) {
    let edge = &program.edges[id];
    let middle = out.program.locations.push(Location {
        error: None,
        loop_head: None,
        ..program.locations[edge.from].clone()
    });
    out.loc_origin.push(edge.to);
    out.invented.insert(middle);
    out.program.edges[id].to = middle;
    out.program.edges.push(Edge {
        from: middle,
        to: edge.to,
        stmt: Stmt::Havoc(lost, InputKind::Unknown),
        span: edge.span,
    });
    out.edge_origin.push(None);
}

fn affected(users: &BTreeMap<VarId, Vec<usize>>, written: &[VarId]) -> Vec<usize> {
    let mut out: Vec<usize> = written
        .iter()
        .filter_map(|v| users.get(v))
        .flatten()
        .copied()
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn is_array(pool: &Pool, t: TermId) -> bool {
    matches!(pool.sort_kind(pool.sort_of(t)), Sort::Array(..))
}

/// Arrays with so many reads and writes that writes make what was read unknown.
fn lossy(pool: &Pool, program: &Program, reads: &Reads) -> FxHashSet<VarId> {
    let mut count: BTreeMap<VarId, (usize, usize)> = BTreeMap::new();
    for read in &reads.terms {
        count.entry(read.array).or_default().0 += 1;
    }
    for edge in program.edges.iter() {
        if let Stmt::Assign(pairs) = &edge.stmt {
            for (v, e) in pairs.iter().filter(|(_, e)| is_array(pool, *e)) {
                let order = pool.post_order(&[*e]);
                let stores = order.iter().filter(|&&t| pool.op(t) == Op::Store).count();
                count.entry(*v).or_default().1 += stores.max(1);
            }
        }
    }
    let many = count.into_iter().filter(|(_, (r, w))| r * w > MOST_CASES);
    many.map(|(v, _)| v).collect()
}

/// A read of an array variable.
#[derive(Clone, Copy)]
struct Read {
    term: TermId,
    array: VarId,
}

struct Reads {
    terms: Vec<Read>,
    /// The new variable of each term, in the same order.
    variables: Vec<VarId>,
    /// The constant that stands for each term.
    value: FxHashMap<TermId, TermId>,
    /// Terms without arrays; `None` if a read in them has no variable.
    rewritten: FxHashMap<TermId, Option<TermId>>,
    cells: FxHashMap<(TermId, TermId), Option<TermId>>,
}

impl Reads {
    /// All reads of the program, those inside addresses first.
    fn of(pool: &mut Pool, program: &Program) -> Option<Reads> {
        let var_of: FxHashMap<TermId, VarId> = program
            .vars
            .iter_enumerated()
            .filter(|(_, v)| is_array(pool, v.term))
            .map(|(id, v)| (v.term, id))
            .collect();
        let mut roots: Vec<TermId> = Vec::new();
        for edge in program.edges.iter() {
            match &edge.stmt {
                Stmt::Call { .. } => return None,
                Stmt::Assume(c) => roots.push(*c),
                Stmt::Assign(pairs) => roots.extend(pairs.iter().map(|(_, e)| *e)),
                Stmt::Skip | Stmt::Havoc(..) => {}
            }
        }
        let mut terms: Vec<Read> = Vec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        for t in pool.post_order(&roots) {
            let args = pool.args(t).to_vec();
            let known = match pool.op(t) {
                Op::Select => !is_array(pool, t),
                Op::Store | Op::ConstArray | Op::Ite => true,
                Op::App(_) => !is_array(pool, t) || var_of.contains_key(&t),
                _ => args.iter().all(|a| !is_array(pool, *a)),
            };
            if !known {
                return None;
            }
            if pool.op(t) != Op::Select {
                continue;
            }
            let mut bases = vec![args[0]];
            while let Some(base) = bases.pop() {
                match pool.op(base) {
                    Op::Store => bases.push(pool.args(base)[0]),
                    Op::Ite => bases.extend(&pool.args(base)[1..]),
                    Op::ConstArray => {}
                    _ => {
                        let term = pool.select(base, args[1]);
                        if seen.insert(term) {
                            let array = *var_of.get(&base)?;
                            terms.push(Read { term, array });
                        }
                    }
                }
            }
            if terms.len() > MOST_TERMS {
                return None;
            }
        }
        let arrays = roots.iter().any(|&r| is_array(pool, r));
        (arrays || !terms.is_empty()).then(|| Reads {
            terms,
            variables: Vec::new(),
            value: FxHashMap::default(),
            rewritten: FxHashMap::default(),
            cells: FxHashMap::default(),
        })
    }

    /// The scalar term with the variables of reads for the reads.
    fn rewrite(&mut self, pool: &mut Pool, term: TermId) -> Option<TermId> {
        for t in pool.post_order(&[term]) {
            if self.rewritten.contains_key(&t) {
                continue;
            }
            let args: Vec<TermId> = pool.args(t).to_vec();
            let result = match pool.op(t) {
                Op::Select => self.cell(pool, args[0], args[1]),
                // Arrays themselves are never asked for; their parts are rewritten by now.
                _ if is_array(pool, t) => None,
                _ => {
                    let new: Option<Vec<TermId>> = args.iter().map(|a| self.rewritten[a]).collect();
                    new.map(|new| match new == args {
                        true => t,
                        false => pool.rebuild(t, &new),
                    })
                }
            };
            self.rewritten.insert(t, result);
        }
        self.rewritten[&term]
    }

    /// What the array term, whose parts are rewritten already, holds at the address.
    fn cell(&mut self, pool: &mut Pool, array: TermId, address: TermId) -> Option<TermId> {
        let mut stack = vec![array];
        while let Some(&t) = stack.last() {
            if self.cells.contains_key(&(t, address)) {
                stack.pop();
                continue;
            }
            let args: Vec<TermId> = pool.args(t).to_vec();
            let below: &[TermId] = match pool.op(t) {
                Op::Store => &args[..1],
                Op::Ite => &args[1..],
                _ => &[],
            };
            let missing: Vec<TermId> = below
                .iter()
                .copied()
                .filter(|b| !self.cells.contains_key(&(*b, address)))
                .collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let value = match pool.op(t) {
                Op::Store => self.over_store(pool, &args, address),
                Op::ConstArray => self.rewritten[&args[0]],
                Op::Ite => {
                    let condition = self.rewritten[&args[0]];
                    let (a, b) = (
                        self.cells[&(args[1], address)],
                        self.cells[&(args[2], address)],
                    );
                    match (condition, a, b) {
                        (Some(c), Some(a), Some(b)) => Some(pool.ite(c, a, b)),
                        _ => None,
                    }
                }
                _ => {
                    let read = pool.select(t, address);
                    self.value.get(&read).copied()
                }
            };
            self.cells.insert((t, address), value);
            stack.pop();
        }
        self.cells[&(array, address)]
    }

    fn over_store(&mut self, pool: &mut Pool, args: &[TermId], address: TermId) -> Option<TermId> {
        let index = self.rewritten[&args[1]]?;
        let address_value = self.rewritten[&address]?;
        let same = pool.eq(index, address_value);
        if same == pool.ff() {
            return self.cells[&(args[0], address)];
        }
        let stored = self.rewritten[&args[2]]?;
        if same == pool.tt() {
            return Some(stored);
        }
        let other = self.cells[&(args[0], address)]?;
        Some(pool.ite(same, stored, other))
    }
}
