//! Programs from clauses, and where the parts of the system went.

use super::clauses::Clause;
use super::prune::{Pruned, prune};
use super::registers::registers;
use super::solve::solve;
use base::{FxHashMap, IndexVec};
use logic::{Pool, SortId, Substitution, SymbolId, TermId};
use program::{
    Edge, EdgeId, ErrorTag, FuncId, Function, InputKind, LocId, Location, Program, Property, Span,
    Stmt, Var, VarId, VarKind,
};
use std::collections::BTreeMap;

/// A Horn system as a program.
pub struct HornProgram {
    pub program: Program,
    pub system: System,
}

/// The system that a program stands for, with the way back to it.
#[derive(Clone, Debug)]
pub struct System {
    pub predicates: Vec<Predicate>,
    pub clauses: Vec<Clause>,
    /// The edge that ends a use of a clause, and which one it is.
    pub conclusions: BTreeMap<EdgeId, usize>,
}

/// How to make a program of a system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One function if the system is linear, else a function per predicate.
    #[default]
    Natural,
    /// A function per predicate.
    Functions,
}

/// Where a predicate of the system went.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub symbol: SymbolId,
    pub args: Vec<VarId>,
    pub home: PredicateHome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredicateHome {
    /// Linear systems: the location's invariant is the predicate.
    Location(LocId),
    /// Non-linear systems: the function's summary is the predicate.
    Function(FuncId),
    /// No clause derives it: `false`.
    Underivable,
    /// Nothing follows from it: `true`.
    Unused,
}

pub fn build(
    pool: &mut Pool,
    predicates: &[SymbolId],
    clauses: Vec<Clause>,
    shape: Shape,
) -> HornProgram {
    let pruned = prune(pool, predicates, &clauses);
    let used = || pruned.clauses.iter().map(|&i| (i, &clauses[i]));
    let linear = shape == Shape::Natural && used().all(|(_, c)| c.body.len() <= 1);
    let mut b = Builder::new(predicates, &pruned);
    if linear {
        b.linear(pool, used())
    } else {
        b.recursive(pool, used())
    }
    let program = b.program;
    program.check_invariants();
    let symbols = b.symbols;
    let predicates = symbols
        .into_iter()
        .zip(b.args)
        .zip(b.homes)
        .map(|((symbol, args), home)| Predicate {
            symbol,
            args,
            home: home.expect("every predicate has got a place"),
        })
        .collect();
    HornProgram {
        program,
        system: System {
            predicates,
            clauses,
            conclusions: b.conclusions,
        },
    }
}

/// Clause variables that an atom's arguments determine, and equations for its other arguments.
#[derive(Default)]
struct Bound {
    known: Vec<(TermId, TermId)>,
    equations: Vec<TermId>,
}

struct Builder {
    program: Program,
    symbols: Vec<SymbolId>,
    index: FxHashMap<SymbolId, usize>,
    args: Vec<Vec<VarId>>,
    /// `None` until the predicate has its place in the program.
    homes: Vec<Option<PredicateHome>>,
    /// Locals for guessed values, by function, sort and number.
    guesses: FxHashMap<(FuncId, SortId, usize), VarId>,
    conclusions: BTreeMap<EdgeId, usize>,
}

impl Builder {
    fn new(predicates: &[SymbolId], pruned: &Pruned) -> Self {
        let mut functions = IndexVec::new();
        let entry = functions.next_id();
        let mut locations = IndexVec::new();
        let place = Location {
            func: entry,
            span: Span::unknown(),
            error: None,
            loop_head: None,
        };
        let (start, exit) = (locations.push(place.clone()), locations.push(place));
        functions.push(Function {
            name: "query".into(),
            params: Vec::new(),
            returns: Vec::new(),
            locals: Vec::new(),
            entry: start,
            exit,
            span: Span::unknown(),
        });
        Builder {
            program: Program {
                functions,
                vars: IndexVec::new(),
                locations,
                edges: IndexVec::new(),
                globals: Vec::new(),
                entry,
                assumptions: Vec::new(),
                notes: Vec::new(),
                outputs: std::collections::BTreeMap::new(),
                type_ranges: Default::default(),
                contracts: Vec::new(),
                texts: Vec::new(),
                memory: Default::default(),
            },
            symbols: predicates.to_vec(),
            index: predicates
                .iter()
                .enumerate()
                .map(|(i, &s)| (s, i))
                .collect(),
            args: Vec::new(),
            homes: predicates
                .iter()
                .map(|p| match pruned.underivable.contains(p) {
                    true => Some(PredicateHome::Underivable),
                    false if pruned.relevant.contains(p) => None,
                    false => Some(PredicateHome::Unused),
                })
                .collect(),
            guesses: FxHashMap::default(),
            conclusions: BTreeMap::new(),
        }
    }

    fn location(&mut self, func: FuncId, span: Span) -> LocId {
        self.program.locations.push(Location {
            func,
            span,
            error: None,
            loop_head: None,
        })
    }

    fn error_location(&mut self, func: FuncId, span: Span) -> LocId {
        let loc = self.location(func, span);
        self.program.locations[loc].error = Some(ErrorTag {
            property: Property::Unreach,
            span,
            message: "the query can be derived".into(),
        });
        loc
    }

    fn edge(&mut self, from: LocId, to: LocId, stmt: Stmt, span: Span) -> EdgeId {
        self.program.edges.push(Edge {
            from,
            to,
            stmt,
            span,
        })
    }

    fn var(&mut self, pool: &mut Pool, name: &str, sort: SortId, kind: VarKind) -> VarId {
        let mut unique = name.to_string();
        while pool.symbol_named(&unique).is_some() {
            unique.push('_');
        }
        let term = pool.constant(&unique, sort);
        self.program.vars.push(Var {
            name: unique,
            term,
            sort,
            range: None,
            kind,
            source_name: Some(name.to_string()),
            source_type: None,
            span: Span::unknown(),
        })
    }

    fn declare_args(&mut self, pool: &mut Pool, symbol: SymbolId, kind: VarKind) -> Vec<VarId> {
        let data = pool.symbol_data(symbol).clone();
        let sorts = data.args.iter().enumerate();
        sorts
            .map(|(i, &s)| self.var(pool, &format!("{}.{i}", data.name), s, kind))
            .collect()
    }

    fn guess(&mut self, pool: &mut Pool, func: FuncId, sort: SortId, number: usize) -> VarId {
        if let Some(&v) = self.guesses.get(&(func, sort, number)) {
            return v;
        }
        let name = format!("{}.any{}.{number}", self.program.functions[func].name, {
            use base::Id;
            sort.index()
        });
        let v = self.var(pool, &name, sort, VarKind::Local);
        self.program.functions[func].locals.push(v);
        self.guesses.insert((func, sort, number), v);
        v
    }

    fn predicate(&self, pool: &Pool, atom: TermId) -> usize {
        match pool.op(atom) {
            logic::Op::App(s) => self.index[&s],
            _ => unreachable!("clauses hold applications of predicates"),
        }
    }

    /// Guesses the free variables, then assumes the constraint; returns the map of all variables
    /// and the location reached.
    fn enter_clause(
        &mut self,
        pool: &mut Pool,
        func: FuncId,
        from: LocId,
        clause: &Clause,
        bound: Bound,
        used: &[TermId],
    ) -> (Substitution, LocId) {
        let mut constraint = clause.constraint.clone();
        constraint.extend(bound.equations);
        let solved = solve(pool, &clause.vars, bound.known, constraint, used);
        let mut numbers: FxHashMap<SortId, usize> = FxHashMap::default();
        let mut guesses = Vec::new();
        let mut rename = Vec::new();
        for &v in &solved.free {
            let sort = pool.sort_of(v);
            let n = numbers.entry(sort).or_insert(0);
            let g = self.guess(pool, func, sort, *n);
            *n += 1;
            rename.push((v, self.program.vars[g].term));
            guesses.push(g);
        }
        let mut at = from;
        if !guesses.is_empty() {
            let next = self.location(func, clause.span);
            self.edge(
                at,
                next,
                Stmt::Havoc(guesses, InputKind::Unknown),
                clause.span,
            );
            at = next;
        }
        let mut renaming = Substitution::new(rename.iter().copied());
        let mut pairs: Vec<(TermId, TermId)> = solved
            .map
            .iter()
            .map(|&(v, t)| (v, renaming.apply(pool, t)))
            .collect();
        pairs.extend(rename);
        let condition: Vec<TermId> = solved
            .constraint
            .iter()
            .map(|&c| renaming.apply(pool, c))
            .collect();
        let condition = pool.and(&condition);
        let next = self.location(func, clause.span);
        self.edge(at, next, Stmt::Assume(condition), clause.span);
        (Substitution::new(pairs), next)
    }

    /// Variables of an atom's arguments as known values, and equations for the other arguments.
    fn bind(&self, pool: &mut Pool, clause: &Clause, atom: TermId, values: &[VarId]) -> Bound {
        let mut known: Vec<(TermId, TermId)> = Vec::new();
        let mut equations = Vec::new();
        for (&arg, &v) in pool.args(atom).to_vec().iter().zip(values) {
            let term = self.program.vars[v].term;
            let is_var = clause.vars.contains(&arg) && !known.iter().any(|(k, _)| *k == arg);
            if is_var {
                known.push((arg, term));
            } else {
                equations.push(pool.eq(arg, term));
            }
        }
        Bound { known, equations }
    }

    // ---- linear systems ----

    fn linear<'c>(
        &mut self,
        pool: &mut Pool,
        clauses: impl Iterator<Item = (usize, &'c Clause)> + Clone,
    ) {
        let main = self.program.entry;
        let numbers = registers(pool, &self.symbols, clauses.clone().map(|(_, c)| c));
        let mut made: BTreeMap<usize, VarId> = BTreeMap::new();
        for (i, s) in self.symbols.clone().into_iter().enumerate() {
            if self.homes[i].is_some() {
                self.args.push(Vec::new());
                continue;
            }
            let data = pool.symbol_data(s).clone();
            let mut args = Vec::new();
            for (k, (&sort, number)) in data.args.iter().zip(&numbers[i]).enumerate() {
                let name = format!("{}.{k}", data.name);
                let var = match made.get(number) {
                    Some(&var) => var,
                    None => self.var(pool, &name, sort, VarKind::Local),
                };
                if made.insert(*number, var).is_none() {
                    self.program.functions[main].locals.push(var);
                }
                args.push(var);
            }
            self.args.push(args);
            let loc = self.location(main, Span::unknown());
            self.homes[i] = Some(PredicateHome::Location(loc));
        }
        let start = self.program.functions[main].entry;
        for (number, clause) in clauses {
            let (from, bound) = match clause.body.first() {
                None => (start, Bound::default()),
                Some(&atom) => {
                    let p = self.predicate(pool, atom);
                    let Some(PredicateHome::Location(loc)) = self.homes[p] else {
                        unreachable!()
                    };
                    let bound = self.bind(pool, clause, atom, &self.args[p].clone());
                    (loc, bound)
                }
            };
            let used = clause.head.map_or(Vec::new(), |h| pool.args(h).to_vec());
            let (mut map, at) = self.enter_clause(pool, main, from, clause, bound, &used);
            let last = match clause.head {
                None => {
                    let error = self.error_location(main, clause.span);
                    self.edge(at, error, Stmt::Skip, clause.span)
                }
                Some(head) => {
                    let p = self.predicate(pool, head);
                    let Some(PredicateHome::Location(to)) = self.homes[p] else {
                        unreachable!()
                    };
                    let values: Vec<TermId> = used.iter().map(|&t| map.apply(pool, t)).collect();
                    let pairs = self.args[p].iter().copied().zip(values);
                    let changes = |&(v, t): &(VarId, TermId)| self.program.vars[v].term != t;
                    let assign: Vec<_> = pairs.filter(changes).collect();
                    let stmt = match assign.is_empty() {
                        true => Stmt::Skip,
                        false => Stmt::Assign(assign),
                    };
                    self.edge(at, to, stmt, clause.span)
                }
            };
            self.conclusions.insert(last, number);
        }
    }

    // ---- non-linear systems ----

    fn recursive<'c>(
        &mut self,
        pool: &mut Pool,
        clauses: impl Iterator<Item = (usize, &'c Clause)>,
    ) {
        for (i, s) in self.symbols.clone().into_iter().enumerate() {
            if self.homes[i].is_some() {
                self.args.push(Vec::new());
                continue;
            }
            let params = self.declare_args(pool, s, VarKind::Param);
            let func = self.program.functions.next_id();
            let (entry, exit) = (
                self.location(func, Span::unknown()),
                self.location(func, Span::unknown()),
            );
            self.program.functions.push(Function {
                name: pool.symbol_data(s).name.to_string(),
                params: params.clone(),
                returns: Vec::new(),
                locals: Vec::new(),
                entry,
                exit,
                span: Span::unknown(),
            });
            self.args.push(params);
            self.homes[i] = Some(PredicateHome::Function(func));
        }
        for (number, clause) in clauses {
            let (func, bound) = match clause.head {
                None => (self.program.entry, Bound::default()),
                Some(head) => {
                    let p = self.predicate(pool, head);
                    let Some(PredicateHome::Function(f)) = self.homes[p] else {
                        unreachable!()
                    };
                    let bound = self.bind(pool, clause, head, &self.args[p].clone());
                    (f, bound)
                }
            };
            let used: Vec<TermId> = clause
                .body
                .iter()
                .flat_map(|&a| pool.args(a).to_vec())
                .collect();
            let from = self.program.functions[func].entry;
            let (mut map, mut at) = self.enter_clause(pool, func, from, clause, bound, &used);
            for &atom in &clause.body {
                let p = self.predicate(pool, atom);
                let Some(PredicateHome::Function(callee)) = self.homes[p] else {
                    unreachable!()
                };
                let args: Vec<TermId> = pool.args(atom).to_vec();
                let args = args.into_iter().map(|t| map.apply(pool, t)).collect();
                let next = self.location(func, clause.span);
                let call = Stmt::Call {
                    callee,
                    args,
                    results: Vec::new(),
                };
                self.edge(at, next, call, clause.span);
                at = next;
            }
            let end = match clause.head {
                None => self.error_location(func, clause.span),
                Some(_) => self.program.functions[func].exit,
            };
            let last = self.edge(at, end, Stmt::Skip, clause.span);
            self.conclusions.insert(last, number);
        }
    }
}
