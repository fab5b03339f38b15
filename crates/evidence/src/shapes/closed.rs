//! The last word on a set of abstract states: whatever a step makes of one is a case of one, and none is an error.
//!
//! This looks at the states alone. How they were found is not believed: where a state has to be folded before it is
//! seen to be a case of another, each single step of folding is checked to be a generalisation. So a slip in what
//! folds, widens or chooses cannot become a proof.

use super::entail::{covers, covers_merged};
use super::fold::{Folding, fold_once};
use super::state::State;
use super::{Reached, Search};
use crate::Reason;
use base::Budget;
use program::LocId;

impl Search<'_, '_> {
    /// Is every execution, and every step from the states, within the states? What is not, if not.
    pub(super) fn is_closed(
        &self,
        reached: &Reached,
        how: Folding,
        budget: &Budget,
    ) -> Result<Option<String>, Reason> {
        let program = self.terms.program;
        let entry = program.functions[program.entry].entry;
        let mut open: Vec<(LocId, State)> = vec![(entry, self.start(how))];
        for (&loc, states) in reached {
            open.extend(states.iter().map(|s| (loc, s.clone())));
        }
        while let Some((loc, state)) = open.pop() {
            for &edge in &self.successors[loc] {
                let to = program.edges[edge].to;
                let line = program.edges[edge].span.line;
                let open_at = || Ok(Some(format!("the states found are not all (line {line})")));
                let Some(after) = self.terms.after(state.clone(), &program.edges[edge].stmt) else {
                    return open_at();
                };
                for mut next in after {
                    let cost = 1 + next.size() / 8 + next.facts.cost();
                    budget.spend(cost).map_err(Reason::OutOfBudget)?;
                    if program.locations[to].error.is_some() {
                        return open_at();
                    }
                    if !self.joins.contains(&to) {
                        open.push((to, next));
                        continue;
                    }
                    self.tidy(to, &mut next);
                    let states = reached.get(&to).map_or(&[][..], Vec::as_slice);
                    let cost = states.len() as u64 * (4 + next.size());
                    budget.spend(cost / 16).map_err(Reason::OutOfBudget)?;
                    if !is_case(next, states, how) {
                        return open_at();
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Is a state a case of one of the others, at once or after it was folded?
fn is_case(mut state: State, states: &[State], how: Folding) -> bool {
    let exactly =
        |special: &State, general: &State| covers(special, general).is_some_and(|l| l.is_empty());
    loop {
        if states.iter().any(|known| exactly(&state, known)) {
            return true;
        }
        let mut more = state.clone();
        let Some(pair) = fold_once(&mut more, how) else {
            return false;
        };
        let merged = covers_merged(&state, &more, pair).is_some_and(|l| l.is_empty());
        if !merged && !exactly(&state, &more) {
            return false;
        }
        state = more;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::terms::Terms;
    use super::super::{LEVELS, Outcome, Search};
    use super::*;
    use logic::Pool;
    use program::text::parse;

    /// A list that is built at its end, then freed from its start.
    const APPEND: &str = "global size: (Array Int Int)
global next: (Array Int Int)
global top: Int [0, 1000000]
fn main() {
  locals head: Int [0, 1000000], tail: Int [0, 1000000], n: Int [0, 1000000], more: Int [0, 3]
  entry l0
  error e: valid-deref \"freed twice\"
  l0 -> l2: top := 4096, size := (const-array (Array Int Int) 0), head := 0, tail := 0
  l2 -> l3: havoc more nondet \"f\"
  l3 -> l4: assume (!= more 0)
  l4 -> l5: n := top, top := (+ top 1024), size := (store size (div top 1024) 16)
  l5 -> l6: next := (store next (+ n 8) 0)
  l6 -> l7: assume (= tail 0)
  l6 -> l8: assume (!= tail 0)
  l7 -> l9: head := n
  l8 -> l9: next := (store next (+ tail 8) n)
  l9 -> l2: tail := n
  l3 -> l10: assume (= more 0)
  l10 -> l11: assume (!= head 0)
  l11 -> e: assume (!= (select size (div head 1024)) 16)
  l11 -> l12: assume (= (select size (div head 1024)) 16)
  l12 -> l13: n := (select next (+ head 8)), size := (store size (div head 1024) 0)
  l13 -> l10: head := n
  l10 -> exit: assume (= head 0)
}
";

    /// A list whose nodes have an object of their own, or none.
    const OPTIONAL: &str = "global size: (Array Int Int)
global next: (Array Int Int)
global item: (Array Int Int)
global top: Int [0, 1000000]
fn main() {
  locals head: Int [0, 1000000], n: Int [0, 1000000], m: Int [0, 1000000], more: Int [0, 3]
  entry l0
  error e: valid-deref \"freed twice\"
  l0 -> l2: top := 4096, size := (const-array (Array Int Int) 0), head := 0
  l2 -> l3: havoc more nondet \"f\"
  l3 -> l4: assume (!= more 0)
  l4 -> l5: n := top, top := (+ top 1024), size := (store size (div top 1024) 16)
  l5 -> l6: next := (store next (+ n 8) head)
  l6 -> l7: item := (store item n 0)
  l7 -> l8: havoc more nondet \"g\"
  l8 -> l11: assume (= more 0)
  l8 -> l9: assume (!= more 0)
  l9 -> l10: m := top, top := (+ top 1024), size := (store size (div top 1024) 16)
  l10 -> l11: item := (store item n m)
  l11 -> l2: head := n
  l3 -> l20: assume (= more 0)
  l20 -> l21: assume (!= head 0)
  l21 -> e: assume (!= (select size (div head 1024)) 16)
  l21 -> l22: assume (= (select size (div head 1024)) 16)
  l22 -> l23: m := (select item head)
  l23 -> l26: assume (= m 0)
  l23 -> l24: assume (!= m 0)
  l24 -> e: assume (!= (select size (div m 1024)) 16)
  l24 -> l25: assume (= (select size (div m 1024)) 16)
  l25 -> l26: size := (store size (div m 1024) 0)
  l26 -> l27: n := (select next (+ head 8)), size := (store size (div head 1024) 0)
  l27 -> l20: head := n
  l20 -> exit: assume (= head 0)
}
";

    /// Without one of its states a closed set is not closed, unless the others say the same.
    #[test]
    fn no_state_can_be_left_out() {
        assert_eq!(left_out(APPEND, 1), 0);
    }

    /// What only some objects of a chain have is not what all have.
    #[test]
    fn what_is_optional_has_to_be() {
        assert!(left_out(OPTIONAL, 2) > 0);
    }

    /// Says how many objects were optional.
    fn left_out(text: &str, level: usize) -> usize {
        let mut pool = Pool::new();
        let program = parse(&mut pool, text).unwrap_or_else(|e| panic!("{e:?}"));
        let terms = Terms::new(&pool, &program).unwrap();
        let search = Search::new(&terms);
        let budget = Budget::unlimited();
        let how = LEVELS[level].folding;
        let reached = search.reach(&LEVELS[level], &budget);
        let reached = reached.unwrap().unwrap_or_else(|o| match o {
            Outcome::Given(why) | Outcome::Exact(why) => panic!("{why}"),
            _ => panic!("unusual"),
        });
        let closed = |states: &Reached| search.is_closed(states, how, &budget).unwrap().is_none();
        assert!(closed(&reached));
        let (mut removed, mut single, mut optional) = (0, 0, 0);
        for (&loc, states) in &reached {
            for at in 0..states.len() {
                let mut less = reached.clone();
                let state = less.get_mut(&loc).unwrap().remove(at);
                if !is_case(state.clone(), &less[&loc], how) {
                    assert!(!closed(&less), "state {at} of {loc:?} is missing");
                    removed += 1;
                }
                // A chain that is one object only.
                let mut short = state.clone();
                let chain = short.objects.values_mut().find(|o| o.links.is_some());
                if let Some(object) = chain {
                    std::rc::Rc::make_mut(object).links = None;
                    less.get_mut(&loc).unwrap().push(short);
                    assert!(!closed(&less), "state {at} of {loc:?} is too special");
                    less.get_mut(&loc).unwrap().pop();
                    single += 1;
                }
                // One that is always there.
                let mut full = state.clone();
                let object = full.objects.values_mut().find(|o| o.optional);
                if let Some(object) = object {
                    std::rc::Rc::make_mut(object).optional = false;
                    less.get_mut(&loc).unwrap().push(full);
                    assert!(!closed(&less), "state {at} of {loc:?} has too much");
                    optional += 1;
                }
            }
        }
        assert!(removed > 4 && single > 1, "{removed} {single}");
        optional
    }
}
