//! The search for all abstract states: from the entry of the program on, until nothing new appears.

use super::calls::Call;
use super::entail::covers;
use super::fold::fold;
use super::state::State;
use super::tree::Branching;
use super::{
    Context, Found, LARGE_STATE, Level, MOST_ENTERED, MOST_LOST, MOST_OBJECTS, MOST_STATES,
    Outcome, Search,
};
use crate::Reason;
use base::Budget;
use program::{EdgeId, FuncId, LocId, Stmt};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What ends a search: its outcome, or the budget.
enum End {
    Outcome(Outcome),
    Reason(Reason),
}

pub(super) struct Run<'r, 't, 'a> {
    search: &'r Search<'t, 'a>,
    level: &'r Level,
    budget: &'r Budget,
    found: Found,
    /// Callees first; then by place in the order of the program, so that what leads to a location is done before it.
    open: BTreeMap<(Reverse<Context>, u32), Vec<State>>,
    /// By context: the calls that wait for its ends.
    waiting: BTreeMap<Context, Vec<(Context, EdgeId, State)>>,
    steps: usize,
    exact: bool,
}

impl<'r, 't, 'a> Run<'r, 't, 'a> {
    pub fn new(search: &'r Search<'t, 'a>, level: &'r Level, budget: &'r Budget) -> Self {
        Run {
            search,
            level,
            budget,
            found: Found::default(),
            open: BTreeMap::new(),
            waiting: BTreeMap::new(),
            steps: 0,
            exact: true,
        }
    }

    /// The states that executions lead to, or why they say nothing.
    pub fn reach(mut self) -> Result<Result<Found, Outcome>, Reason> {
        let program = self.search.terms.program;
        let entry = program.functions[program.entry].entry;
        self.follow(0, entry, self.search.start(self.level.folding));
        while let Some(mut first) = self.open.first_entry() {
            let (Reverse(context), place) = *first.key();
            let Some(state) = first.get_mut().pop() else {
                first.remove();
                continue;
            };
            let loc = self.search.order[place as usize];
            match self.step(context, loc, &state) {
                Ok(()) => {}
                Err(End::Outcome(outcome)) => {
                    self.look_for_trees();
                    return Ok(Err(outcome));
                }
                Err(End::Reason(reason)) => return Err(reason),
            }
        }
        Ok(Ok(self.found))
    }

    /// Where no loop came round with an object that has two children: such objects at other places.
    fn look_for_trees(&self) {
        let mut seen = self.search.seen.borrow_mut();
        if !seen.is_empty() || self.level.folding.least > 2 {
            return;
        }
        for state in self.found.reached.values().flatten().take(MOST_STATES) {
            if let Some(kind) = Branching::of(state, &seen) {
                kind.add(&mut seen);
            }
        }
    }

    fn follow(&mut self, context: Context, loc: LocId, state: State) {
        if let Some(&place) = self.search.position.get(&loc) {
            let open = self.open.entry((Reverse(context), place)).or_default();
            open.push(state);
        }
    }

    fn step(&mut self, context: Context, loc: LocId, state: &State) -> Result<(), End> {
        let program = self.search.terms.program;
        for &edge in &self.search.successors[loc] {
            if let Stmt::Call { callee, args, .. } = &program.edges[edge].stmt {
                self.call(context, edge, state, *callee, args)?;
                continue;
            }
            let stmt = &program.edges[edge].stmt;
            let Some(after) = self.search.terms.after(state.clone(), stmt) else {
                return Err(End::Outcome(Outcome::Unusual));
            };
            for next in after {
                self.arrive(context, edge, next)?;
            }
        }
        Ok(())
    }

    /// A call goes on with each end of the callee that is known, and waits for others.
    fn call(
        &mut self,
        context: Context,
        edge: EdgeId,
        state: &State,
        callee: FuncId,
        args: &[logic::TermId],
    ) -> Result<(), End> {
        if !state.tables.is_empty() {
            return Err(End::Outcome(Outcome::Unusual));
        }
        let mut work = vec![state.clone()];
        while let Some(state) = work.pop() {
            let call = match self.search.terms.call(&state, callee, args) {
                Ok(Some(call)) => call,
                Ok(None) => continue,
                Err(need) => {
                    work.extend(state.unfolded(&need));
                    continue;
                }
            };
            self.spend(&state)?;
            let entered = self.enter(callee, call.entry.clone())?;
            let waits = (context, edge, state);
            let waiting = self.waiting.entry(entered).or_default();
            if !waiting.contains(&waits) {
                waiting.push(waits);
            }
            let exit = self.search.terms.program.functions[callee].exit;
            let exits = self.found.states(entered, exit).to_vec();
            for end in exits {
                self.come_back(context, edge, &call, &end)?;
            }
        }
        Ok(())
    }

    fn come_back(
        &mut self,
        context: Context,
        edge: EdgeId,
        call: &Call,
        end: &State,
    ) -> Result<(), End> {
        let program = self.search.terms.program;
        let Stmt::Call { results, .. } = &program.edges[edge].stmt else {
            return Ok(());
        };
        match self.search.terms.joined(call, end, results) {
            Some(next) => self.arrive(context, edge, next),
            None => Ok(()),
        }
    }

    /// The context in which a function is executed that is entered with a state.
    fn enter(&mut self, callee: FuncId, state: State) -> Result<Context, End> {
        let search = self.search;
        let loc = search.terms.program.functions[callee].entry;
        let mut folded = state.clone();
        search.tidy(loc, &mut folded);
        fold(&mut folded, self.level.folding, &search.trees.borrow());
        folded.renumber();
        let is_case = |known: &State| {
            folded == *known || covers(&folded, known).is_some_and(|l| l.is_empty())
        };
        let mut entered = self.found.entered.iter();
        if let Some(n) = entered.position(|(f, known)| *f == callee && is_case(known)) {
            return Ok(n + 1);
        }
        let own = self.found.entered.iter().filter(|(f, _)| *f == callee);
        let mut states: Vec<State> = own.map(|(_, s)| s.clone()).collect();
        let level = self.level;
        let new = search.join(
            loc,
            state,
            &mut states,
            level,
            &mut self.exact,
            &mut Vec::new(),
        );
        let new = new.unwrap_or(folded);
        self.found.entered.push((callee, new.clone()));
        let context = self.found.entered.len();
        if context > MOST_ENTERED {
            return Err(too_many());
        }
        self.follow(context, loc, new);
        Ok(context)
    }

    fn spend(&self, state: &State) -> Result<(), End> {
        let cost = 1 + state.size() / 8 + state.facts.cost();
        let spent = self.budget.spend(cost);
        spent.map_err(|stop| End::Reason(Reason::OutOfBudget(stop)))
    }

    /// A step ends in a state.
    fn arrive(&mut self, context: Context, edge: EdgeId, next: State) -> Result<(), End> {
        let (search, program) = (self.search, self.search.terms.program);
        let to = program.edges[edge].to;
        self.steps += 1;
        self.spend(&next)?;
        let (objects, size) = (next.objects.len(), next.size());
        if program.locations[to].error.is_some() {
            let line = program.edges[edge].span.line;
            let why = format!("an error may be reached (line {line})");
            return Err(End::Outcome(match self.exact {
                true => Outcome::Exact(why),
                false => Outcome::Given(why),
            }));
        }
        if objects > MOST_OBJECTS || self.steps > self.level.steps {
            return Err(too_many());
        }
        if !search.position.contains_key(&to) {
            return Ok(());
        }
        if !search.joins.contains(&to) {
            self.follow(context, to, next);
            return Ok(());
        }
        if self.level.folding.least > 2 && !next.tables.is_empty() {
            return Err(End::Outcome(Outcome::Given("there are tables".into())));
        }
        let head = search.heads.contains(&to);
        if head && !search.wholes.is_empty() && !next.framed && next.lost() > MOST_LOST {
            return Err(End::Outcome(Outcome::Given("objects are lost".into())));
        }
        let states = self.found.reached.entry((context, to)).or_default();
        // Large states do not fit into what is near the processor.
        let large = 8 * size.saturating_sub(LARGE_STATE);
        let seen = states.len() as u64 * (4 + size + large);
        let spent = self.budget.spend(seen / 16);
        spent.map_err(|stop| End::Reason(Reason::OutOfBudget(stop)))?;
        let mut gone = Vec::new();
        let new = search.join(to, next, states, self.level, &mut self.exact, &mut gone);
        if states.len() > MOST_STATES {
            return Err(too_many());
        }
        let Some(new) = new else {
            return Ok(());
        };
        let place = search.position[&to];
        if let Some(open) = self.open.get_mut(&(Reverse(context), place)) {
            open.retain(|s| !gone.contains(s));
        }
        let func = program.locations[to].func;
        if context > 0 && program.functions[func].exit == to {
            return self.end(context, &new);
        }
        self.follow(context, to, new);
        Ok(())
    }

    /// A callee has a new end.
    fn end(&mut self, context: Context, end: &State) -> Result<(), End> {
        let program = self.search.terms.program;
        let waiting = self.waiting.get(&context).cloned().unwrap_or_default();
        for (caller, edge, state) in waiting {
            let Stmt::Call { callee, args, .. } = &program.edges[edge].stmt else {
                continue;
            };
            if let Ok(Some(call)) = self.search.terms.call(&state, *callee, args) {
                self.come_back(caller, edge, &call, end)?;
            }
        }
        Ok(())
    }
}

fn too_many() -> End {
    End::Outcome(Outcome::Given("there are too many states".into()))
}
