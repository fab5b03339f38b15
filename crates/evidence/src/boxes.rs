//! Assertions that are many boxes, checked box by box.
//!
//! An assertion like `(mode = 2 && 141 <= a && a <= 245) || (mode = 3 && a <= 140) || ...` with thousands of cases
//! is hard for a solver and easy by execution: from each case, all loop-free paths are walked with the bounds of
//! the variables, and the box at each end must lie within one case of the assertion there.
//!
//! Sound because a walk on boxes has all executions from the case (`program::analysis::boxes`), every state of the
//! assertion is in some case, and a box within a case satisfies the assertion. What this does not show is
//! left to the solver: the answer is "shown" or nothing.

use crate::context::Context;
use base::{Budget, FxHashMap, FxHashSet, Stop};
use logic::{Compiled, Interval, Op, Pool, TermId};
use program::analysis::boxes::{Boxes, Steps, Taken};
use program::{LocId, VarId};

/// Assertions with fewer cases are the solver's.
const CASES: usize = 8;
/// Steps from one case, a part of the program's edges, before the solver is asked instead.
const ROUNDS: usize = 50;
const LEAST: usize = 100_000;

/// Checks regions of one program by walks on boxes.
pub(crate) struct BoxChecker<'a> {
    steps: Steps<'a>,
    whole: Boxes,
    /// Assertions seen, by term.
    cases: FxHashMap<TermId, Cases>,
}

/// An assertion as a conjunction: one disjunction of boxes, and the rest.
struct Cases {
    rest: Vec<Compiled>,
    boxes: Vec<Compiled>,
    index: Index,
}

/// Does the assertion have so many cases that boxes are worth a try?
pub(crate) fn many(pool: &Pool, assertion: TermId) -> bool {
    let parts = pool.conjuncts(assertion);
    parts
        .iter()
        .any(|&p| pool.op(p) == Op::Or && pool.args(p).len() >= CASES)
}

impl<'a> BoxChecker<'a> {
    pub fn new(pool: &Pool, cx: &Context<'a>) -> Self {
        BoxChecker {
            steps: Steps::new(pool, cx.program),
            whole: Boxes::whole(pool, cx.program),
            cases: FxHashMap::default(),
        }
    }

    /// Do all paths from `start`, where `hypothesis` holds, to the cut points establish what is asserted there?
    /// `false`: it is not known.
    pub fn shown(
        &mut self,
        pool: &mut Pool,
        cx: &Context<'a>,
        start: LocId,
        hypothesis: TermId,
        assertions: &FxHashMap<LocId, TermId>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        for &assertion in assertions.values().chain([&hypothesis]) {
            if !self.cases.contains_key(&assertion) {
                let read = self.read(pool, assertion);
                self.cases.insert(assertion, read);
            }
        }
        let count = self.cases[&hypothesis].boxes.len();
        for number in 0..count.max(1) {
            let mut boxes = self.whole.clone();
            let Cases {
                rest, boxes: all, ..
            } = &self.cases[&hypothesis];
            let given = rest.iter().chain(all.get(number));
            if !given.into_iter().all(|c| self.steps.assume(&mut boxes, c)) {
                continue;
            }
            if !self.walk(pool, cx, start, boxes, assertions, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn walk(
        &mut self,
        pool: &Pool,
        cx: &Context<'a>,
        start: LocId,
        mut boxes: Boxes,
        assertions: &FxHashMap<LocId, TermId>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut left = (ROUNDS * cx.program.edges.len()).max(LEAST);
        let mut stack = vec![(start, 0usize, boxes.mark())];
        while let Some((loc, next, mark)) = stack.last_mut() {
            boxes.back_to(*mark);
            let Some(&edge) = cx.successors[*loc].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            left -= 1;
            if left == 0 {
                return Ok(false);
            }
            if left.is_multiple_of(256) {
                budget.spend(64)?;
            }
            match self.steps.step(pool, edge, &mut boxes) {
                Taken::No => continue,
                Taken::Unknown => return Ok(false),
                Taken::Yes => {}
            }
            let to = cx.program.edges[edge].to;
            match assertions.get(&to) {
                None => stack.push((to, 0, boxes.mark())),
                Some(goal) if self.holds(&boxes, *goal) => {}
                Some(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Does the assertion hold in all states of the box?
    fn holds(&mut self, boxes: &Boxes, goal: TermId) -> bool {
        let cases = &self.cases[&goal];
        let mut is_true = |c: &Compiled| self.steps.value(boxes, c) == Interval::TRUE;
        if !cases.rest.iter().all(&mut is_true) {
            return false;
        }
        let mut near = cases.index.near(boxes);
        cases.boxes.is_empty() || near.any(|n| is_true(&cases.boxes[n as usize]))
    }

    fn read(&self, pool: &mut Pool, assertion: TermId) -> Cases {
        let parts = pool.conjuncts(assertion);
        let size = |p: &TermId| match pool.op(*p) {
            Op::Or => pool.args(*p).len(),
            _ => 0,
        };
        let largest = parts
            .iter()
            .copied()
            .max_by_key(size)
            .filter(|p| size(p) > 0);
        let rest: Vec<TermId> = parts.into_iter().filter(|p| Some(*p) != largest).collect();
        let boxes = largest.map_or(Vec::new(), |p| pool.disjuncts(p));
        let boxes: Vec<Compiled> = boxes.iter().map(|&b| self.steps.compile(pool, b)).collect();
        Cases {
            rest: rest.iter().map(|&t| self.steps.compile(pool, t)).collect(),
            index: Index::of(&boxes, &self.whole),
            boxes,
        }
    }
}

/// Finds the cases that a box may lie in: cases are told apart by the bounds of one variable after the other.
struct Index {
    root: Branch,
}

enum Branch {
    Leaf(Vec<u32>),
    /// Cases that have values up to the limit, and cases that have larger ones.
    Fork {
        var: VarId,
        limit: i128,
        low: Box<Branch>,
        high: Box<Branch>,
    },
}

/// Leaves with so few cases are not divided.
const FEW: usize = 2;

impl Index {
    fn of(cases: &[Compiled], whole: &Boxes) -> Index {
        let mut scratch = Vec::new();
        let bounds: Vec<FxHashMap<VarId, Interval>> = cases
            .iter()
            .map(|case| {
                let mut out: FxHashMap<VarId, Interval> = FxHashMap::default();
                let id = |v: u32| base::Id::from_index(v as usize);
                case.assume(
                    |v| whole.get(id(v)),
                    &mut scratch,
                    |v, by| {
                        let old = out.entry(id(v)).or_insert_with(|| whole.get(id(v)));
                        *old = old.meet(&by);
                    },
                );
                out
            })
            .collect();
        let vars: FxHashSet<VarId> = bounds.iter().flat_map(|b| b.keys().copied()).collect();
        let mut vars: Vec<VarId> = vars.into_iter().collect();
        vars.sort_unstable();
        let all = (0..cases.len() as u32).collect();
        Index {
            root: divide(&bounds, &vars, whole, all),
        }
    }

    /// The cases that may include the box.
    fn near<'s>(&'s self, boxes: &Boxes) -> impl Iterator<Item = u32> + 's {
        let mut branch = &self.root;
        loop {
            match branch {
                Branch::Leaf(cases) => return cases.iter().copied(),
                // A case that includes the box has its lowest value.
                Branch::Fork {
                    var,
                    limit,
                    low,
                    high,
                } => {
                    branch = match boxes.get(*var).low <= *limit {
                        true => low,
                        false => high,
                    };
                }
            }
        }
    }
}

/// By the variable and limit that leave the fewest cases on the larger side.
fn divide(
    bounds: &[FxHashMap<VarId, Interval>],
    vars: &[VarId],
    whole: &Boxes,
    cases: Vec<u32>,
) -> Branch {
    // Work on an explicit stack would only blur this: the depth is at most the number of halvings.
    if cases.len() <= FEW {
        return Branch::Leaf(cases);
    }
    let of = |case: u32, var: VarId| {
        let known = bounds[case as usize].get(&var).copied();
        known.unwrap_or_else(|| whole.get(var))
    };
    let mut best: Option<(usize, VarId, i128)> = None;
    for &var in vars {
        let mut highs: Vec<i128> = cases.iter().map(|&c| of(c, var).high).collect();
        highs.sort_unstable();
        let limit = highs[(highs.len() - 1) / 2];
        let low = cases.iter().filter(|&&c| of(c, var).low <= limit).count();
        let high = cases.iter().filter(|&&c| of(c, var).high > limit).count();
        let larger = low.max(high);
        if best.is_none_or(|(size, ..)| larger < size) {
            best = Some((larger, var, limit));
        }
    }
    match best {
        Some((larger, var, limit)) if larger * 8 <= cases.len() * 7 => {
            let low = cases.iter().copied().filter(|&c| of(c, var).low <= limit);
            let high = cases.iter().copied().filter(|&c| of(c, var).high > limit);
            Branch::Fork {
                var,
                limit,
                low: Box::new(divide(bounds, vars, whole, low.collect())),
                high: Box::new(divide(bounds, vars, whole, high.collect())),
            }
        }
        _ => Branch::Leaf(cases),
    }
}
