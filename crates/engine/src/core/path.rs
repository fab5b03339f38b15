//! Paths through a block graph as formulas: single static assignment, feasibility, interpolants,
//! and the way back from a model to program steps.
//!
//! Each variable has a version per change: `x@0` before the path, `x@1` after the first block that
//! modifies it. A block's formula speaks of the current versions (its reads) and the next ones (its
//! modified variables); its internal constants get the position on the path.
//!
//! Invariant: a constant of one part that also occurs in a later part is the *current* version at
//! every cut in between, because a block mentions only current and next versions. So an interpolant
//! at a cut maps back to program variables by dropping the version.

use base::FxHashMap;
use logic::{Model, Pool, Substitution, TermId, Value, eval};
use program::{BlockGraph, BlockId, BlockKind, EdgeId, Program, Transition, VarId, primed};
use std::collections::BTreeMap;

/// Makes and remembers versioned constants; shared by all paths of one run, so that equal prefixes
/// are equal terms.
#[derive(Default)]
pub struct Versions {
    constants: FxHashMap<(TermId, u32), TermId>,
    /// The program variable's term behind each versioned constant.
    origin: FxHashMap<TermId, TermId>,
    /// Earlier instances by block, position and versions of what it reads and modifies.
    instances: FxHashMap<(BlockId, u32, Vec<u32>), TermId>,
}

impl Versions {
    /// The constant for version `k` of the variable (or internal constant) `base`.
    pub fn constant(&mut self, pool: &mut Pool, base: TermId, k: u32) -> TermId {
        if let Some(&t) = self.constants.get(&(base, k)) {
            return t;
        }
        let symbol = pool
            .as_constant(base)
            .expect("only constants have versions");
        let name = format!("{}@{k}", pool.symbol_data(symbol).name);
        let sort = pool.sort_of(base);
        let t = pool.constant(&name, sort);
        self.constants.insert((base, k), t);
        self.origin.insert(t, base);
        t
    }

    /// The formula of a block between versions of the variables before and after it; `inside` is that of
    /// its internal constants.
    pub fn block(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        transition: &Transition,
        before: impl Fn(VarId) -> u32,
        after: impl Fn(VarId) -> u32,
        inside: u32,
    ) -> TermId {
        let mut pairs = Vec::new();
        for &v in &transition.reads {
            let base = program.vars[v].term;
            pairs.push((base, self.constant(pool, base, before(v))));
        }
        for &v in &transition.modified {
            let base = program.vars[v].term;
            let post = primed(pool, program, v);
            pairs.push((post, self.constant(pool, base, after(v))));
        }
        for &c in &transition.internals {
            pairs.push((c, self.constant(pool, c, inside)));
        }
        Substitution::new(pairs).apply(pool, transition.formula)
    }

    /// Replaces versioned constants by the variables they are versions of.
    pub fn unversion(&self, pool: &mut Pool, term: TermId) -> TermId {
        let pairs: Vec<(TermId, TermId)> = pool
            .post_order(&[term])
            .into_iter()
            .filter_map(|t| self.origin.get(&t).map(|&o| (t, o)))
            .collect();
        pool.substitute(term, &pairs)
    }
}

/// A path under construction: the current version of every variable that changed.
#[derive(Clone, Default)]
pub struct Ssa {
    current: FxHashMap<VarId, u32>,
    position: u32,
}

impl Ssa {
    pub fn version(&self, var: VarId) -> u32 {
        self.current.get(&var).copied().unwrap_or(0)
    }

    /// A new version of a variable that nothing on the path has given a value yet.
    pub fn renew(&mut self, var: VarId) {
        *self.current.entry(var).or_insert(0) += 1;
    }

    /// The formula of `block` at the end of the path so far, and the path advanced by it.
    pub fn step(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        versions: &mut Versions,
        id: BlockId,
        transition: &Transition,
    ) -> TermId {
        let mut key: Vec<u32> = transition.reads.iter().map(|&v| self.version(v)).collect();
        key.extend(transition.modified.iter().map(|&v| self.version(v)));
        let key = (
            id,
            if transition.internals.is_empty() {
                0
            } else {
                self.position
            },
            key,
        );
        let formula = match versions.instances.get(&key) {
            Some(&t) => t,
            None => {
                let t = versions.block(
                    pool,
                    program,
                    transition,
                    |v| self.version(v),
                    |v| self.version(v) + 1,
                    self.position,
                );
                versions.instances.insert(key, t);
                t
            }
        };
        for &v in &transition.modified {
            *self.current.entry(v).or_insert(0) += 1;
        }
        self.position += 1;
        formula
    }

    /// A state formula over program variables, at the current versions.
    pub fn instantiate(
        &self,
        pool: &mut Pool,
        versions: &mut Versions,
        var_of: &FxHashMap<TermId, VarId>,
        term: TermId,
    ) -> TermId {
        let pairs: Vec<(TermId, TermId)> = pool
            .post_order(&[term])
            .into_iter()
            .filter_map(|t| var_of.get(&t).map(|&v| (t, self.version(v))))
            .map(|(t, k)| (t, versions.constant(pool, t, k)))
            .collect();
        pool.substitute(term, &pairs)
    }
}

/// The formulas of the blocks of a path, each with what is `assumed` before it (nothing beyond the list's
/// end), and the versions at the end of the path.
pub fn path_formulas(
    pool: &mut Pool,
    program: &Program,
    graph: &BlockGraph,
    versions: &mut Versions,
    var_of: &FxHashMap<TermId, VarId>,
    blocks: &[BlockId],
    assumed: &[Vec<TermId>],
) -> (Vec<TermId>, Ssa) {
    let mut ssa = Ssa::default();
    let mut parts = Vec::with_capacity(blocks.len());
    for (i, &block) in blocks.iter().enumerate() {
        let mut conjuncts = Vec::new();
        for &fact in assumed.get(i).into_iter().flatten() {
            conjuncts.push(ssa.instantiate(pool, versions, var_of, fact));
        }
        let t = transition(graph, block);
        conjuncts.push(ssa.step(pool, program, versions, block, t));
        parts.push(pool.and(&conjuncts));
    }
    (parts, ssa)
}

/// The transition of a block that is no call.
pub fn transition(graph: &BlockGraph, id: BlockId) -> &Transition {
    match &graph.blocks[id].kind {
        BlockKind::Transition(t) => t,
        BlockKind::Call(_) => panic!("calls were inlined"),
    }
}

/// The block of each edge, in a graph of single statements.
pub fn blocks_by_edge(graph: &BlockGraph) -> FxHashMap<EdgeId, BlockId> {
    let mut out = FxHashMap::default();
    for (id, block) in graph.blocks.iter_enumerated() {
        if let BlockKind::Transition(t) = &block.kind {
            out.extend(t.edges.iter().map(|&edge| (edge, id)));
        }
    }
    out
}

/// The term of each variable, to find variables in formulas.
pub fn vars_by_term(program: &Program) -> FxHashMap<TermId, VarId> {
    program
        .vars
        .iter_enumerated()
        .map(|(id, v)| (v.term, id))
        .collect()
}

/// What a model says of a path through a program.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The values before the path of the variables that it reads before it changes them.
    pub initial: BTreeMap<VarId, Value>,
    /// The edges taken, with havoc values.
    pub steps: Vec<evidence::Step>,
}

/// The execution that a model of a path's formulas is; `None` if it does not determine one
/// (operators the solver left uninterpreted).
pub fn concrete_steps(
    pool: &mut Pool,
    program: &Program,
    graph: &BlockGraph,
    versions: &mut Versions,
    blocks: &[BlockId],
    model: &Model,
) -> Option<Execution> {
    let mut ssa = Ssa::default();
    let mut out = Execution::default();
    for &id in blocks {
        let t = transition(graph, id);
        // Values of the constants in the block's own naming.
        let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
        let position = ssa.position;
        for (var_id, var) in program.vars.iter_enumerated() {
            let c = versions.constant(pool, var.term, ssa.version(var_id));
            values.insert(var.term, eval(pool, model, c));
        }
        for &v in t.reads.iter().filter(|v| ssa.version(**v) == 0) {
            let value = values[&program.vars[v].term].clone();
            out.initial.entry(v).or_insert(value);
        }
        for &c in &t.internals {
            let v = versions.constant(pool, c, position);
            values.insert(c, eval(pool, model, v));
        }
        ssa.step(pool, program, versions, id, t);
        for &v in &t.modified {
            let base = program.vars[v].term;
            let post = primed(pool, program, v);
            let c = versions.constant(pool, base, ssa.version(v));
            values.insert(post, eval(pool, model, c));
        }
        // The formula has no other constants, so the default is never asked for.
        let lookup = |c: TermId| values.get(&c).cloned().unwrap_or(Value::Bool(false));
        let path = graph.blocks[id].concrete_path(pool, program, t, &lookup)?;
        out.steps.extend(
            path.into_iter()
                .map(|(edge, havocs)| evidence::Step { edge, havocs }),
        );
    }
    Some(out)
}
