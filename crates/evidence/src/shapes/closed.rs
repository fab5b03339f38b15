//! The last word on a set of abstract states: whatever a step makes of one is a case of one, and none is an error.
//!
//! This looks at the states alone. How they were found is not believed: where a state has to be folded before it is
//! seen to be a case of another, each single step of folding is checked to be a generalisation. So a slip in what
//! folds, widens or chooses cannot become a proof.

use super::entail::{covers, covers_merged};
use super::fold::{Folding, fold_once};
use super::state::State;
use super::tree::Branching;
use super::{Context, Found, Search};
use crate::Reason;
use base::Budget;
use program::{EdgeId, FuncId, LocId, Stmt};

impl Search<'_, '_> {
    /// Is every execution, and every step from the states, within the states? What is not, if not.
    ///
    /// Sound for calls by induction on their depth: what a function is entered with is a case of a state that its own states
    /// begin with, and each end of it is one of those that the call goes on with.
    pub(super) fn is_closed(
        &self,
        found: &Found,
        how: Folding,
        budget: &Budget,
    ) -> Result<Option<String>, Reason> {
        let program = self.terms.program;
        let entry = program.functions[program.entry].entry;
        let mut open: Vec<(Context, LocId, State)> = vec![(0, entry, self.start(how))];
        for (n, (callee, state)) in found.entered.iter().enumerate() {
            open.push((n + 1, program.functions[*callee].entry, state.clone()));
        }
        for (&(context, loc), states) in &found.reached {
            open.extend(states.iter().map(|s| (context, loc, s.clone())));
        }
        let trees = self.trees.borrow();
        while let Some((context, loc, state)) = open.pop() {
            for &edge in &self.successors[loc] {
                let to = program.edges[edge].to;
                let line = program.edges[edge].span.line;
                let open_at = || Ok(Some(format!("the states found are not all (line {line})")));
                let Some(after) = self.all_after(&state, edge, found, how) else {
                    return open_at();
                };
                for mut next in after {
                    let cost = 1 + next.size() / 8 + next.facts.cost();
                    budget.spend(cost).map_err(Reason::OutOfBudget)?;
                    if program.locations[to].error.is_some() {
                        return open_at();
                    }
                    if !self.joins.contains(&to) {
                        open.push((context, to, next));
                        continue;
                    }
                    self.tidy(to, &mut next);
                    let states = found.states(context, to);
                    let cost = states.len() as u64 * (4 + next.size());
                    budget.spend(cost / 16).map_err(Reason::OutOfBudget)?;
                    if !is_case(next, states, how, &trees) {
                        return open_at();
                    }
                }
            }
        }
        Ok(None)
    }

    /// The states after an edge; `None` if a function is entered with a state that is no case of those it is known for.
    fn all_after(
        &self,
        state: &State,
        edge: EdgeId,
        found: &Found,
        how: Folding,
    ) -> Option<Vec<State>> {
        let program = self.terms.program;
        let Stmt::Call {
            callee,
            args,
            results,
        } = &program.edges[edge].stmt
        else {
            return self.terms.after(state.clone(), &program.edges[edge].stmt);
        };
        // What a callee makes of tables is not modelled.
        state.tables.is_empty().then_some(())?;
        let function = &program.functions[*callee];
        let mut out = Vec::new();
        let mut work = vec![state.clone()];
        while let Some(state) = work.pop() {
            let call = match self.terms.call(&state, *callee, args) {
                Ok(Some(call)) => call,
                Ok(None) => continue,
                Err(need) => {
                    work.extend(state.unfolded(&need));
                    continue;
                }
            };
            let mut entry = call.entry.clone();
            self.tidy(function.entry, &mut entry);
            let fits = |(f, known): &(FuncId, State)| {
                let known = std::slice::from_ref(known);
                f == callee && is_case(entry.clone(), known, how, &self.trees.borrow())
            };
            let context = 1 + found.entered.iter().position(fits)?;
            for end in found.states(context, function.exit) {
                out.extend(self.terms.joined(&call, end, results));
            }
        }
        Some(out)
    }
}

/// Is a state a case of one of the others, at once or after it was folded? What is not folded for what is known of its
/// numbers may be a case of what less is known of.
fn is_case(state: State, states: &[State], how: Folding, trees: &[Branching]) -> bool {
    let freely = Folding {
        facts: false,
        ..how
    };
    let again = how.facts.then(|| state.clone());
    is_case_folded(state, states, how, trees)
        || again.is_some_and(|state| is_case_folded(state, states, freely, trees))
}

fn is_case_folded(mut state: State, states: &[State], how: Folding, trees: &[Branching]) -> bool {
    let exactly =
        |special: &State, general: &State| covers(special, general).is_some_and(|l| l.is_empty());
    loop {
        if states.iter().any(|known| exactly(&state, known)) {
            return true;
        }
        let mut more = state.clone();
        let Some((made, parts)) = fold_once(&mut more, how, trees) else {
            return false;
        };
        let merged = covers_merged(&state, &more, (made, &parts)).is_some_and(|l| l.is_empty());
        if !merged && !exactly(&state, &more) {
            return false;
        }
        state = more;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::run::Run;
    use super::super::state::Kind;
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

    /// What an optional object leads to is there with it only: it is not what each object of the chain has.
    #[test]
    fn what_belongs_to_an_optional_object_goes_with_it() {
        let text = OPTIONAL
            .replace("m: Int", "t: Int [0, 1000000], m: Int")
            .replace(
                "  l10 -> l11: item := (store item n m)",
                "  l10 -> l30: item := (store item n m)
  l30 -> l31: t := top, top := (+ top 1024), size := (store size (div top 1024) 16)
  l31 -> l11: item := (store item (+ m 4) t)",
            )
            .replace(
                "  l24 -> l25: assume (= (select size (div m 1024)) 16)",
                "  l24 -> l32: assume (= (select size (div m 1024)) 16)
  l32 -> l33: t := (select item (+ m 4))
  l33 -> e: assume (!= (select size (div t 1024)) 16)
  l33 -> l34: assume (= (select size (div t 1024)) 16)
  l34 -> l25: size := (store size (div t 1024) 0)",
            );
        let mut pool = Pool::new();
        let program = parse(&mut pool, &text).unwrap_or_else(|e| panic!("{e:?}"));
        let terms = Terms::new(&pool, &program).unwrap();
        let search = Search::new(&terms);
        let budget = Budget::unlimited();
        let how = LEVELS[2].folding;
        let reached = Run::new(&search, &LEVELS[2], &budget).reach();
        let found = reached.unwrap().unwrap_or_else(|o| match o {
            Outcome::Given(why) | Outcome::Exact(why) => panic!("{why}"),
            _ => panic!("unusual"),
        });
        assert!(search.is_closed(&found, how, &budget).unwrap().is_none());
        let mut tried = 0;
        for state in found.reached.values().flatten() {
            let single = |id: &u32| state.objects.get(id).is_some_and(|o| o.is_single());
            let belongs = |(id, o): (&u32, &std::rc::Rc<super::super::state::Object>)| {
                let owner = o.owner.filter(single)?;
                let its = state.objects[&owner].owner?;
                state.objects[&owner].optional.then_some((*id, its))
            };
            let Some((id, its)) = state.objects.iter().find_map(belongs) else {
                continue;
            };
            assert!(covers(state, state).is_some_and(|l| l.is_empty()));
            let mut always = state.clone();
            if let Some(object) = always.objects.get_mut(&id) {
                std::rc::Rc::make_mut(object).owner = Some(its);
            }
            assert!(
                covers(&always, state).is_none(),
                "it is there without the other"
            );
            tried += 1;
        }
        assert!(tried > 0);
    }

    /// Says how many objects were optional.
    fn left_out(text: &str, level: usize) -> usize {
        let mut pool = Pool::new();
        let program = parse(&mut pool, text).unwrap_or_else(|e| panic!("{e:?}"));
        let terms = Terms::new(&pool, &program).unwrap();
        let search = Search::new(&terms);
        let budget = Budget::unlimited();
        let how = LEVELS[level].folding;
        let reached = Run::new(&search, &LEVELS[level], &budget).reach();
        let found = reached.unwrap().unwrap_or_else(|o| match o {
            Outcome::Given(why) | Outcome::Exact(why) => panic!("{why}"),
            _ => panic!("unusual"),
        });
        let closed = |found: &Found| search.is_closed(found, how, &budget).unwrap().is_none();
        assert!(closed(&found));
        let (mut removed, mut single, mut optional) = (0, 0, 0);
        for (&loc, states) in &found.reached {
            for at in 0..states.len() {
                let mut less = found.clone();
                let state = less.reached.get_mut(&loc).unwrap().remove(at);
                if !is_case(
                    state.clone(),
                    &less.reached[&loc],
                    how,
                    &search.trees.borrow(),
                ) {
                    assert!(!closed(&less), "state {at} of {loc:?} is missing");
                    removed += 1;
                }
                // A chain that is one object only.
                let mut short = state.clone();
                let chain = short.objects.values_mut().find(|o| !o.is_single());
                if let Some(object) = chain {
                    std::rc::Rc::make_mut(object).kind = Kind::Single;
                    less.reached.get_mut(&loc).unwrap().push(short);
                    assert!(!closed(&less), "state {at} of {loc:?} is too special");
                    less.reached.get_mut(&loc).unwrap().pop();
                    single += 1;
                }
                // One that is always there.
                let mut full = state.clone();
                let object = full.objects.values_mut().find(|o| o.optional);
                if let Some(object) = object {
                    std::rc::Rc::make_mut(object).optional = false;
                    less.reached.get_mut(&loc).unwrap().push(full);
                    assert!(!closed(&less), "state {at} of {loc:?} has too much");
                    optional += 1;
                }
            }
        }
        assert!(removed > 4 && single > 1, "{removed} {single}");
        optional
    }
}
