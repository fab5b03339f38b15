//! What is known of the command line, said where the program looks at it.
//!
//! The model of the outside (`library/models/environment.c`) makes `argv` and its strings in a loop. That the i-th
//! pointer points to the i-th string, and that each string ends in its last byte, are facts about all cells of
//! arrays, which a proof would have to find and carry through every loop of the program. But they are theorems of the
//! model: blocks of addresses are given out one after the other, so with `B` bytes a block
//!
//! ```text
//! argv[i]                       is argv + B * (i + 1)        for 0 <= i < argc, and null for i = argc
//! the size of block argv/B + i  is 1 … 131072                for 0 < i <= argc, and that of argv itself is known
//! the last byte of such a block is zero
//! ```
//! So each place that reads a cell of these arrays assumes the instance for that cell. The first and the last hold
//! until the program writes there; a flag for each kind of cell says whether it did, if anything else writes that
//! array at all.
//!
//! // Sound because every assumption holds in every execution that gets there: it blocks none. The flags are set by
//! // every assignment to the arrays that could change such a cell. A test lowers programs with the facts as checks
//! // and runs them.

use super::Lower;
use super::safety::Safety;
use base::{FxHashMap, FxHashSet, Id, IndexVec};
use logic::{Op, Rational, TermId};
use program::{EdgeId, FuncId, LocId, Span, Stmt, VarId};

/// Longest argument with its terminator, as the model has it.
const LONGEST: u64 = 131_072;

/// How many edges back a read is looked for that has said the same.
const WAY_BACK: usize = 8;

/// What the model of the command line left behind.
struct CommandLine {
    safety: Safety,
    /// The edge that calls the model.
    made: EdgeId,
    argc: TermId,
    argv: TermId,
    pointers: Option<Cells>,
    bytes: Option<Cells>,
}

/// An array that holds cells of the command line.
struct Cells {
    var: VarId,
    array: TermId,
    /// Says that the program may have written one, if it writes the array at all.
    changed: Option<VarId>,
}

impl Lower<'_> {
    /// Adds the facts to a lowered program.
    pub(super) fn say_arguments(&mut self) {
        let Some(line) = self.command_line() else {
            return;
        };
        let builders = self.builders();
        self.keep_flags(&line, &builders);
        self.say_at_reads(&line, &builders);
        self.say_when_made(&line);
    }

    /// Functions of the model that make the command line.
    fn builders(&self) -> FxHashSet<FuncId> {
        let functions = self.b.functions.iter_enumerated();
        let base = |name: &str| name.split('.').next().map(str::to_string);
        let made = functions.filter(|(_, f)| {
            let name = base(&f.name);
            matches!(name.as_deref(), Some("craig_argument" | "craig_arguments"))
        });
        made.map(|(id, _)| id).collect()
    }

    fn command_line(&mut self) -> Option<CommandLine> {
        let safety = self.safety?;
        let calls = self
            .b
            .edges
            .iter_enumerated()
            .filter_map(|(id, e)| match &e.stmt {
                Stmt::Call { callee, .. } => Some((id, *callee)),
                _ => None,
            });
        let makes = |&(_, callee): &(EdgeId, FuncId)| {
            self.b.functions[callee]
                .name
                .starts_with("craig_arguments.")
        };
        let calls: Vec<(EdgeId, FuncId)> = calls.filter(makes).collect();
        let &[(made, callee)] = calls.as_slice() else {
            return None;
        };
        let (argc, argv) = (self.static_of("craig_argc")?, self.static_of("craig_argv")?);
        let strings = self.builders().into_iter().filter(|&f| f != callee).min();
        let pointers = self.only_store(callee, safety);
        let bytes = strings.and_then(|f| self.only_store(f, safety));
        let pointers = pointers.map(|v| self.cells(v, "argv.changed"));
        let bytes = bytes.map(|v| self.cells(v, "arguments.changed"));
        Some(CommandLine {
            safety,
            made,
            argc: self.var_term(argc),
            argv: self.var_term(argv),
            pointers,
            bytes,
        })
    }

    /// A variable of the model.
    pub(in crate::c) fn static_of(&self, name: &str) -> Option<VarId> {
        let found = |v: &&VarId| self.b.vars[**v].source_name.as_deref() == Some(name);
        self.b.globals.iter().find(found).copied()
    }

    fn cells(&mut self, var: VarId, flag: &str) -> Cells {
        let int = self.pool.int_sort();
        let written = self.written_elsewhere(var);
        Cells {
            var,
            array: self.var_term(var),
            changed: written.then(|| self.ghost(flag, int)),
        }
    }

    /// The array that a function of the model writes, one cell at a time.
    fn only_store(&self, f: FuncId, s: Safety) -> Option<VarId> {
        let mut found = None;
        for e in self.b.edges.iter() {
            let Stmt::Assign(pairs) = &e.stmt else {
                continue;
            };
            for &(v, t) in pairs {
                let own = v == s.size || v == s.heap || Some(v) == s.end;
                if own || self.b.locations[e.from].func != f || self.pool.op(t) != Op::Store {
                    continue;
                }
                let whole = self.pool.args(t)[0] == self.b.vars[v].term;
                if !whole || found.is_some_and(|w| w != v) {
                    return None;
                }
                found = Some(v);
            }
        }
        found
    }

    fn written_elsewhere(&self, var: VarId) -> bool {
        let builders = self.builders();
        self.b.edges.iter().any(|e| {
            let here = !builders.contains(&self.b.locations[e.from].func);
            here && assigns(&e.stmt, var)
        })
    }

    /// The flags follow every assignment to their arrays.
    fn keep_flags(&mut self, line: &CommandLine, builders: &FxHashSet<FuncId>) {
        for i in 0..self.b.edges.len() {
            let id = EdgeId::from_index(i);
            if builders.contains(&self.b.locations[self.b.edges[id].from].func) {
                continue;
            }
            for (cells, strings) in [(&line.pointers, false), (&line.bytes, true)] {
                let Some(cells) = cells else { continue };
                let Some(changed) = cells.changed else {
                    continue;
                };
                if !assigns(&self.b.edges[id].stmt, cells.var) {
                    continue;
                }
                let hit = self.may_hit(line, cells, strings, id);
                let (one, old) = (self.pool.int(1), self.var_term(changed));
                let new = self.pool.ite(hit, one, old);
                self.assign_too(id, changed, new);
            }
        }
    }

    /// May the assignment change a cell of the command line?
    fn may_hit(&mut self, line: &CommandLine, cells: &Cells, strings: bool, id: EdgeId) -> TermId {
        let stmt = self.b.edges[id].stmt.clone();
        let Stmt::Assign(pairs) = stmt else {
            return self.pool.tt();
        };
        let mut hits = Vec::new();
        for (_, mut t) in pairs.into_iter().filter(|&(v, _)| v == cells.var) {
            while self.pool.op(t) == Op::Store {
                let args = self.pool.args(t);
                let (array, index) = (args[0], args[1]);
                hits.push(match strings {
                    true => self.in_strings(line, index),
                    false => self.in_argv(line, index, true),
                });
                t = array;
            }
            if t != cells.array {
                return self.pool.tt();
            }
        }
        self.pool.or(&hits)
    }

    /// The edge also assigns this.
    fn assign_too(&mut self, id: EdgeId, v: VarId, t: TermId) {
        if let Stmt::Assign(pairs) = &mut self.b.edges[id].stmt {
            pairs.push((v, t));
            return;
        }
        let edge = self.b.edges[id].clone();
        let between = self.location_like(edge.to);
        self.b.edges[id].to = between;
        self.b
            .edge(between, edge.to, Stmt::Assign(vec![(v, t)]), edge.span);
    }

    fn location_like(&mut self, l: LocId) -> LocId {
        let mut location = self.b.locations[l].clone();
        location.error = None;
        location.loop_head = None;
        self.b.locations.push(location)
    }

    /// The address is one of `argv[0]` to `argv[argc - 1]`; `null_too`: or the null behind them.
    fn in_argv(&mut self, line: &CommandLine, address: TermId, null_too: bool) -> TermId {
        let width = self.unit.types.pointer_size();
        let cells = self.pool.mul_const(&Rational::from(width), line.argc);
        let end = self.pool.add2(line.argv, cells);
        let last = self.pool.int(if null_too { 0 } else { 1 });
        let after = self.pool.add2(address, last);
        let parts = [self.pool.le(line.argv, address), self.pool.le(after, end)];
        self.pool.and(&parts)
    }

    /// The address lies in the block of a string.
    fn in_strings(&mut self, line: &CommandLine, address: TermId) -> TermId {
        let block = Rational::from(line.safety.block);
        let first = self.pool.int(line.safety.block);
        let first = self.pool.add2(line.argv, first);
        let all = self.pool.mul_const(&block, line.argc);
        let end = self.pool.add2(first, all);
        let one = self.pool.int(1);
        let after = self.pool.add2(address, one);
        let parts = [self.pool.le(first, address), self.pool.le(after, end)];
        self.pool.and(&parts)
    }

    fn unchanged(&mut self, cells: &Cells) -> TermId {
        match cells.changed {
            None => self.pool.tt(),
            Some(v) => {
                let (flag, zero) = (self.var_term(v), self.pool.int(0));
                self.pool.eq(flag, zero)
            }
        }
    }

    /// Each location from which cells are read begins with what is known of them.
    fn say_at_reads(&mut self, line: &CommandLine, builders: &FxHashSet<FuncId>) {
        let mut reads: FxHashMap<LocId, Vec<TermId>> = FxHashMap::default();
        let mut leaving: IndexVec<LocId, Vec<EdgeId>> =
            IndexVec::filled(Vec::new(), self.b.locations.len());
        for (id, e) in self.b.edges.iter_enumerated() {
            leaving[e.from].push(id);
            if builders.contains(&self.b.locations[e.from].func) {
                continue;
            }
            let read = self.cells_read(line, &e.stmt);
            if !read.is_empty() {
                reads.entry(e.from).or_default().extend(read);
            }
        }
        let mut at: Vec<LocId> = reads.keys().copied().collect();
        at.sort_unstable();
        let entering = self.only_entries();
        for l in at {
            let mut cells = reads[&l].clone();
            cells.sort_unstable();
            cells.dedup();
            let said = |cell: &TermId| said_before(&reads, &entering, l, *cell);
            cells.retain(|cell| !said(cell));
            let mut facts = Vec::new();
            for cell in cells {
                self.facts_of(line, cell, &mut facts);
            }
            let fact = self.pool.and(&facts);
            if fact == self.pool.tt() {
                continue;
            }
            let span = self.b.edges[leaving[l][0]].span;
            let after = self.location_like(l);
            for &e in &leaving[l] {
                self.b.edges[e].from = after;
            }
            self.assume_fact(l, after, fact, span);
        }
    }

    /// For each location the only edge into it, if that changes nothing: where it comes from.
    fn only_entries(&self) -> IndexVec<LocId, Option<LocId>> {
        let mut count = IndexVec::filled(0u32, self.b.locations.len());
        let mut from = IndexVec::filled(None, self.b.locations.len());
        for e in self.b.edges.iter() {
            count[e.to] += 1;
            let quiet = matches!(e.stmt, Stmt::Skip | Stmt::Assume(_));
            from[e.to] = (quiet && count[e.to] == 1).then_some(e.from);
        }
        for f in self.b.functions.iter() {
            from[f.entry] = None;
        }
        from
    }

    fn assume_fact(&mut self, from: LocId, to: LocId, fact: TermId, span: Span) {
        let edge = self.b.edge(from, to, Stmt::Assume(fact), span);
        self.b.holds_always(edge);
    }

    /// Reads of the arrays as they are, without what was just written.
    fn cells_read(&self, line: &CommandLine, stmt: &Stmt) -> Vec<TermId> {
        let mut open: Vec<TermId> = match stmt {
            Stmt::Skip | Stmt::Havoc(..) => Vec::new(),
            Stmt::Assign(pairs) => pairs.iter().map(|p| p.1).collect(),
            Stmt::Assume(t) => vec![*t],
            Stmt::Call { args, .. } => args.clone(),
        };
        let arrays = [&line.pointers, &line.bytes];
        let mut known: Vec<TermId> = arrays
            .iter()
            .filter_map(|c| c.as_ref().map(|c| c.array))
            .collect();
        known.push(self.b.vars[line.safety.size].term);
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(t) = open.pop() {
            if !seen.insert(t) {
                continue;
            }
            let args = self.pool.args(t);
            if self.pool.op(t) == Op::Select
                && known.contains(&args[0])
                && self.pool.as_number(args[1]).is_none()
            {
                found.push(t);
            }
            open.extend(args);
        }
        found
    }

    fn facts_of(&mut self, line: &CommandLine, cell: TermId, facts: &mut Vec<TermId>) {
        let args = self.pool.args(cell);
        let (array, index) = (args[0], args[1]);
        if array == self.var_term(line.safety.size) {
            self.size_facts(line, cell, index, facts);
        }
        if let Some(cells) = line.pointers.as_ref().filter(|c| c.array == array) {
            self.pointer_facts(line, cells, cell, index, facts);
        }
        if let Some(cells) = line.bytes.as_ref().filter(|c| c.array == array) {
            self.byte_facts(line, cells, cell, index, facts);
        }
    }

    /// Sizes of the blocks of `argv` and of the strings.
    fn size_facts(
        &mut self,
        line: &CommandLine,
        size: TermId,
        number: TermId,
        facts: &mut Vec<TermId>,
    ) {
        let block = Rational::from(line.safety.block);
        let start = self.pool.mul_const(&block, number);
        let string = self.in_strings(line, start);
        let (one, most) = (self.pool.int(1), self.pool.int(LONGEST));
        let fits = [self.pool.le(one, size), self.pool.le(size, most)];
        let fits = self.pool.and(&fits);
        facts.push(self.pool.implies(string, fits));
        let width = self.unit.types.pointer_size();
        let array = self.pool.eq(start, line.argv);
        let none = self.pool.int(0);
        let made = self.pool.lt(none, line.argv);
        let array = self.pool.and2(array, made);
        let cells = self.pool.add2(line.argc, one);
        let cells = self.pool.mul_const(&Rational::from(width), cells);
        let whole = self.pool.eq(size, cells);
        facts.push(self.pool.implies(array, whole));
    }

    /// The i-th pointer points to the i-th block behind `argv`.
    fn pointer_facts(
        &mut self,
        line: &CommandLine,
        cells: &Cells,
        cell: TermId,
        address: TermId,
        facts: &mut Vec<TermId>,
    ) {
        let width = self.unit.types.pointer_size();
        let same = self.unchanged(cells);
        let here = self.in_argv(line, address, false);
        let offset = self.pool.sub(address, line.argv);
        let (by, zero) = (self.pool.int(width), self.pool.int(0));
        let rest = self.pool.modulo(offset, by);
        let aligned = self.pool.eq(rest, zero);
        let known = self.pool.and(&[same, here, aligned]);
        let block = self.pool.int(line.safety.block);
        let first = self.pool.add2(line.argv, block);
        let step = Rational::from(line.safety.block / width);
        let behind = self.pool.mul_const(&step, offset);
        let string = self.pool.add2(first, behind);
        let points = self.pool.eq(cell, string);
        facts.push(self.pool.implies(known, points));
        // Whoever reads the pointer will look at the string.
        let (number, _) = self.block_of(line.safety, cell);
        let sizes = self.var_term(line.safety.size);
        let size = self.pool.select(sizes, number);
        self.size_facts(line, size, number, facts);
        let all = self.pool.mul_const(&Rational::from(width), line.argc);
        let end = self.pool.eq(offset, all);
        let none = self.pool.lt(zero, line.argv);
        let known = self.pool.and(&[same, end, none]);
        let null = self.pool.eq(cell, zero);
        facts.push(self.pool.implies(known, null));
    }

    /// The last byte of a string is zero.
    fn byte_facts(
        &mut self,
        line: &CommandLine,
        cells: &Cells,
        cell: TermId,
        address: TermId,
        facts: &mut Vec<TermId>,
    ) {
        let same = self.unchanged(cells);
        let here = self.in_strings(line, address);
        let (number, offset) = self.block_of(line.safety, address);
        let sizes = self.var_term(line.safety.size);
        let size = self.pool.select(sizes, number);
        let (one, zero) = (self.pool.int(1), self.pool.int(0));
        let after = self.pool.add2(offset, one);
        let last = self.pool.eq(after, size);
        let known = self.pool.and(&[same, here, last]);
        let ends = self.pool.eq(cell, zero);
        facts.push(self.pool.implies(known, ends));
        self.size_facts(line, size, number, facts);
    }

    /// When everything is made, nothing was changed, and what comes next lies behind it.
    fn say_when_made(&mut self, line: &CommandLine) {
        let edge = self.b.edges[line.made].clone();
        let Stmt::Call { results, .. } = &edge.stmt else {
            return;
        };
        let zero = self.pool.int(0);
        let mut flags = Vec::new();
        for cells in [&line.pointers, &line.bytes].into_iter().flatten() {
            flags.extend(cells.changed.map(|v| (v, zero)));
        }
        let block = Rational::from(line.safety.block);
        let one = self.pool.int(1);
        let blocks = self.pool.add2(line.argc, one);
        let taken = self.pool.mul_const(&block, blocks);
        let end = self.pool.add2(line.argv, taken);
        let top = self.alloc_top();
        let top = self.var_term(top);
        let mut facts = vec![self.pool.eq(top, end), self.pool.lt(zero, line.argc)];
        let by = self.pool.int(line.safety.block);
        let rest = self.pool.modulo(line.argv, by);
        facts.push(self.pool.eq(rest, zero));
        facts.extend(results.first().map(|&v| {
            let result = self.var_term(v);
            self.pool.eq(result, line.argv)
        }));
        let fact = self.pool.and(&facts);
        let first = self.location_like(edge.to);
        let second = self.location_like(edge.to);
        self.b.edges[line.made].to = first;
        self.assume_fact(first, second, fact, edge.span);
        self.b.edge(second, edge.to, Stmt::Assign(flags), edge.span);
    }
}

/// Was the cell read, and so spoken of, on the way to the location since anything changed?
fn said_before(
    reads: &FxHashMap<LocId, Vec<TermId>>,
    entering: &IndexVec<LocId, Option<LocId>>,
    mut l: LocId,
    cell: TermId,
) -> bool {
    for _ in 0..WAY_BACK {
        match entering[l] {
            Some(before) => l = before,
            None => return false,
        }
        if reads.get(&l).is_some_and(|cells| cells.contains(&cell)) {
            return true;
        }
    }
    false
}

fn assigns(stmt: &Stmt, var: VarId) -> bool {
    match stmt {
        Stmt::Assign(pairs) => pairs.iter().any(|p| p.0 == var),
        Stmt::Havoc(vars, _) => vars.contains(&var),
        Stmt::Call { results, .. } => results.contains(&var),
        Stmt::Skip | Stmt::Assume(_) => false,
    }
}
