//! Horn clauses decided from their facts upwards: which boxes of arguments a predicate has.
//!
//! ```text
//!   turn(0, any, any)                                         a fact
//!   turn(p', a, b)  if  turn(p, a, b), p' = 1 - p             turn(1, any, any), and nothing new after that
//!   false           if  turn(p, a, b), p > 1                  no box of turn meets p > 1
//! ```
//! A fact is a box: bounds of each argument. Facts are kept apart as long as an argument has few values; one that has
//! many is made one for all facts that agree on the others, and widened. So flags, program counters and small counters are
//! enumerated, and others are bounded.
//!
//! Source: semi-naive evaluation (Ullman, "Principles of database and knowledge-base systems", 1988, ch. 3), over boxes as
//! in constraint databases (Kanellakis, Kuper, Revesz, "Constraint query languages", 1995).
//!
//! Sound because in the end every rule is applied once more to all facts: what follows lies within facts that are there, so all
//! that can be derived does, by induction on derivations; and no rule without a head applies. How facts were found and
//! merged is not believed.

use super::rules::{Rule, rules, uses};
use base::{Budget, FxHashMap, FxHashSet, IndexVec, Stop};
use logic::{Interval, Pool};
use program::analysis::boxes::{Boxes, Steps};
use program::{FuncId, Program, VarId};
use std::collections::VecDeque;

/// Facts of one predicate.
const FACTS: usize = 20_000;
/// Facts tried in the calls of rules, a tick.
const TRIED_A_TICK: u64 = 2;
/// Values of an argument that are kept apart, and of one that facts are too many for.
const VALUES: usize = 40;
const FEW_VALUES: usize = 3;
/// How often a fact grows before it is widened.
const GROWTH: u8 = 6;
/// Rounds in which the conditions of a rule narrow each other.
const ROUNDS: usize = 4;

/// Why a search ended.
enum End {
    /// No rule gives anything new, nor an error.
    Closed,
    Error,
    /// An argument has too many values.
    Merge(FuncId, usize),
    TooMany,
}

/// The facts of a predicate.
#[derive(Clone, Default)]
struct Relation {
    facts: Vec<Box<[Interval]>>,
    grown: Vec<u8>,
    waiting: Vec<bool>,
    /// Arguments that facts are merged in.
    merged: Vec<bool>,
    /// By the other arguments.
    by_key: FxHashMap<Box<[Interval]>, u32>,
    /// By argument and value, and those that have no single one.
    single: Vec<FxHashMap<i128, Vec<u32>>>,
    open: Vec<Vec<u32>>,
    values: Vec<FxHashSet<Interval>>,
}

impl Relation {
    fn new(merged: &[bool]) -> Self {
        Relation {
            merged: merged.to_vec(),
            single: vec![FxHashMap::default(); merged.len()],
            open: vec![Vec::new(); merged.len()],
            values: vec![FxHashSet::default(); merged.len()],
            ..Relation::default()
        }
    }

    /// The facts whose argument may have this value.
    fn with(&self, argument: usize, value: i128) -> [&[u32]; 2] {
        let single = self.single[argument].get(&value);
        [single.map_or(&[], |s| s.as_slice()), &self.open[argument]]
    }

    /// The facts that may include or meet these values, as few as one argument tells.
    fn near(&self, values: &[Interval]) -> Option<[&[u32]; 2]> {
        let singles = values.iter().enumerate();
        let singles = singles.filter_map(|(n, v)| v.as_single().map(|v| self.with(n, v)));
        singles.min_by_key(|[a, b]| a.len() + b.len())
    }

    fn includes(&self, values: &[Interval]) -> bool {
        let inside = |n: u32| {
            let fact = self.facts[n as usize].iter();
            fact.zip(values).all(|(a, b)| a.includes(b))
        };
        match self.near(values) {
            Some([a, b]) => a.iter().chain(b).any(|&n| inside(n)),
            // One that includes it has no single value either.
            None => match self.open.first() {
                Some(open) => open.iter().any(|&n| inside(n)),
                None => !self.facts.is_empty(),
            },
        }
    }

    fn index(&mut self, number: u32, argument: usize, value: Interval) {
        match value.as_single() {
            Some(v) => self.single[argument].entry(v).or_default().push(number),
            None => self.open[argument].push(number),
        }
    }

    /// Adds what is new; the number of the fact that has to be looked at, or the argument that has too many values.
    fn add(&mut self, values: &[Interval], ranges: &[Interval]) -> Result<u32, usize> {
        let apart = values.iter().zip(&self.merged).filter(|(_, m)| !**m);
        let key: Box<[Interval]> = apart.map(|(v, _)| *v).collect();
        let known = match self.merged.contains(&true) {
            true => self.by_key.get(&key).copied(),
            false => None,
        };
        if let Some(number) = known {
            self.grow(number, values, ranges);
            return Ok(number);
        }
        for (n, value) in values.iter().enumerate() {
            if !self.merged[n] && self.values[n].insert(*value) && self.values[n].len() > VALUES {
                return Err(n);
            }
        }
        let number = self.facts.len() as u32;
        self.by_key.insert(key, number);
        for (n, value) in values.iter().enumerate() {
            self.index(number, n, *value);
        }
        self.facts.push(values.into());
        self.grown.push(0);
        self.waiting.push(false);
        Ok(number)
    }

    fn grow(&mut self, number: u32, values: &[Interval], ranges: &[Interval]) {
        let at = number as usize;
        self.grown[at] = self.grown[at].saturating_add(1);
        for (n, value) in values.iter().enumerate() {
            let old = self.facts[at][n];
            let mut new = old.hull(value);
            if self.grown[at] > GROWTH {
                if new.low < old.low {
                    new.low = ranges[n].low;
                }
                if new.high > old.high {
                    new.high = ranges[n].high;
                }
            }
            if new != old {
                self.facts[at][n] = new;
                if old.as_single().is_some() {
                    self.index(number, n, new);
                }
            }
        }
    }

    /// The argument to merge facts in when there are too many: the one with most values.
    fn widest(&self) -> Option<usize> {
        let open = (0..self.merged.len()).filter(|n| !self.merged[*n]);
        let many = open.filter(|n| self.values[*n].len() > FEW_VALUES);
        many.max_by_key(|n| self.values[*n].len())
    }
}

struct Search<'a, 'p> {
    program: &'p Program,
    rules: &'a [Rule],
    uses: &'a IndexVec<FuncId, Vec<(usize, usize)>>,
    steps: &'a mut Steps<'p>,
    boxes: Boxes,
    whole: Boxes,
    budget: &'a Budget,
    relations: IndexVec<FuncId, Relation>,
    queue: VecDeque<(FuncId, u32)>,
    /// Nothing may be added any more.
    closed: bool,
    tried: u64,
}

/// The boxes of arguments that each function may return from, one list a function.
pub(super) type Boxed = IndexVec<FuncId, Vec<Box<[Interval]>>>;

/// What can be derived if there is no error, as far as it was found; nothing of programs of another kind.
pub(super) fn derive(
    pool: &Pool,
    program: &Program,
    budget: &Budget,
) -> Option<Result<Option<Boxed>, Stop>> {
    let mut steps = Steps::new(pool, program);
    let rules = rules(pool, program, &steps)?;
    let uses = uses(program, &rules);
    let mut merged: IndexVec<FuncId, Vec<bool>> = IndexVec::new();
    for function in program.functions.iter() {
        let scalar = |v: &VarId| {
            let sort = program.vars[*v].sort;
            sort == pool.int_sort() || sort == pool.bool_sort()
        };
        merged.push(function.params.iter().map(|v| !scalar(v)).collect());
    }
    loop {
        let mut search = Search {
            program,
            rules: &rules,
            uses: &uses,
            steps: &mut steps,
            boxes: Boxes::whole(pool, program),
            whole: Boxes::whole(pool, program),
            budget,
            relations: merged
                .iter()
                .map(|m| Relation::new(m))
                .collect::<Vec<_>>()
                .into(),
            queue: VecDeque::new(),
            closed: false,
            tried: 0,
        };
        let end = match search.run() {
            Ok(end) => end,
            Err(stop) => return Some(Err(stop)),
        };
        match end {
            End::Closed => {
                let sound = search.is_closed();
                let relations = search.relations.iter_mut();
                let facts: Vec<_> = relations.map(|r| std::mem::take(&mut r.facts)).collect();
                return Some(sound.map(|closed| closed.then(|| facts.into())));
            }
            End::Merge(func, argument) => merged[func][argument] = true,
            End::Error | End::TooMany => return Some(Ok(None)),
        }
    }
}

impl Search<'_, '_> {
    /// Applies rules until nothing new follows.
    fn run(&mut self) -> Result<End, Stop> {
        for number in 0..self.rules.len() {
            if self.rules[number].calls.is_empty()
                && let Some(end) = self.apply(number, None)?
            {
                return Ok(end);
            }
        }
        while let Some((func, fact)) = self.queue.pop_front() {
            self.relations[func].waiting[fact as usize] = false;
            for use_ in 0..self.uses[func].len() {
                let (rule, call) = self.uses[func][use_];
                if let Some(end) = self.apply(rule, Some((call, fact)))? {
                    return Ok(end);
                }
            }
        }
        Ok(End::Closed)
    }

    /// Does all that follows lie within facts that are there?
    fn is_closed(&mut self) -> Result<bool, Stop> {
        self.closed = true;
        self.tried = 0;
        for number in 0..self.rules.len() {
            if self.apply(number, None)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All that follows by a rule, or that follows if one of its calls is this fact. Says why nothing more is to be done, if so.
    fn apply(&mut self, number: usize, first: Option<(usize, u32)>) -> Result<Option<End>, Stop> {
        self.boxes.back_to(0);
        let rules = self.rules;
        let rule = &rules[number];
        if !self.narrow(rule) {
            return Ok(None);
        }
        let mut open: Vec<usize> = (0..rule.calls.len()).collect();
        if let Some((call, fact)) = first {
            open.retain(|n| *n != call);
            if !self.meets(rule, call, fact) {
                return Ok(None);
            }
        }
        self.join(rule, &open)
    }

    /// Narrows the box by the conditions of a rule; `false`: they cannot hold.
    fn narrow(&mut self, rule: &Rule) -> bool {
        for _ in 0..ROUNDS {
            let before = self.boxes.mark();
            for condition in &rule.conditions {
                if !self.steps.assume(&mut self.boxes, condition) {
                    return false;
                }
            }
            if self.boxes.mark() == before {
                break;
            }
        }
        true
    }

    /// Narrows the box by a call being this fact; `false`: it cannot be.
    fn meets(&mut self, rule: &Rule, call: usize, fact: u32) -> bool {
        self.tried += 1;
        let call = &rule.calls[call];
        let before = self.boxes.mark();
        let fact = &self.relations[call.callee].facts[fact as usize];
        for (arg, bounds) in call.args.iter().zip(fact) {
            if !self.steps.assume_within(&mut self.boxes, arg, *bounds) {
                return false;
            }
        }
        self.boxes.mark() == before || self.narrow(rule)
    }

    /// Bounds of the arguments of a call.
    fn arguments(&mut self, rule: &Rule, call: usize) -> Vec<Interval> {
        let args = rule.calls[call].args.iter();
        args.map(|arg| self.steps.value(&self.boxes, arg)).collect()
    }

    /// Goes through the facts of the calls that are left, those first of which the fewest fit.
    fn join(&mut self, rule: &Rule, open: &[usize]) -> Result<Option<End>, Stop> {
        if self.tried >= 256 {
            self.budget.spend(self.tried / TRIED_A_TICK)?;
            self.tried = 0;
        }
        let mut best: Option<(usize, Vec<u32>)> = None;
        for &call in open {
            let args = self.arguments(rule, call);
            let relation = &self.relations[rule.calls[call].callee];
            let near = relation.near(&args);
            let count = near.map_or(relation.facts.len(), |[a, b]| a.len() + b.len());
            if best.as_ref().is_some_and(|(_, facts)| facts.len() <= count) {
                continue;
            }
            let facts = match near {
                Some([a, b]) => a.iter().chain(b).copied().collect(),
                None => (0..relation.facts.len() as u32).collect(),
            };
            best = Some((call, facts));
        }
        let Some((call, facts)) = best else {
            return Ok(self.conclude(rule));
        };
        let left: Vec<usize> = open.iter().copied().filter(|n| *n != call).collect();
        let mark = self.boxes.mark();
        for fact in facts {
            self.boxes.back_to(mark);
            if self.meets(rule, call, fact)
                && let Some(end) = self.join(rule, &left)?
            {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Keeps what the head of a rule says, if it is new.
    fn conclude(&mut self, rule: &Rule) -> Option<End> {
        let Some(func) = rule.head else {
            return Some(End::Error);
        };
        let params = &self.program.functions[func].params;
        let values: Vec<Interval> = params.iter().map(|v| self.boxes.get(*v)).collect();
        let relation = &mut self.relations[func];
        if relation.includes(&values) {
            return None;
        }
        if self.closed {
            return Some(End::TooMany);
        }
        let ranges: Vec<Interval> = params.iter().map(|v| self.whole.get(*v)).collect();
        match relation.add(&values, &ranges) {
            Err(argument) => Some(End::Merge(func, argument)),
            Ok(_) if relation.facts.len() > FACTS => Some(match relation.widest() {
                Some(argument) => End::Merge(func, argument),
                None => End::TooMany,
            }),
            Ok(fact) => {
                if !std::mem::replace(&mut relation.waiting[fact as usize], true) {
                    self.queue.push_back((func, fact));
                }
                None
            }
        }
    }
}
