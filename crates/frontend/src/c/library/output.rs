//! Output of the program: kept for running, ignored in proofs.

use crate::c::hir::Expr;
use crate::c::lower::Lower;
use crate::c::lower::call::{Arg, Want};
use crate::c::lower::expr::Val;
use crate::c::lower::scalar::{Scalar, scalar_of};
use crate::c::memory::regions::Address;
use logic::TermId;
use program::{InputKind, OutputCall, Stmt};

impl Lower<'_> {
    /// A call that prints.
    pub(super) fn print(&mut self, name: &str, args: &[Expr], e: &Expr, want: &Want) -> Val {
        // The number of the stream comes first, if there is one.
        let at = usize::from(name == "dprintf");
        let format = args.get(at).and_then(|a| self.literal_bytes(a));
        let values = self.arguments(args, &[]);
        self.extern_accesses(&args[(at + 1).min(args.len())..], e.span);
        if format.is_none() && name.ends_with("printf") {
            self.unchecked(name, e.span);
        }
        let mut terms = Vec::new();
        let mut memory = Vec::new();
        for (i, (a, v)) in args.iter().zip(&values).enumerate() {
            if i == at && format.is_some() {
                continue;
            }
            if let [t] = *v.terms.as_slice() {
                terms.push(t);
                memory.push(self.text_memory(a));
            }
        }
        let result = match scalar_of(&self.unit.types, e.ty) {
            Some(s) if !matches!(want, Want::Nothing) && name != "putchar" => {
                Some(self.result_var(s, want, e.span))
            }
            _ => None,
        };
        let edge = match result {
            Some(v) => {
                let stmt = Stmt::Havoc(vec![v], InputKind::Approximation);
                self.b.emit(stmt, e.span)
            }
            None => self.b.emit(Stmt::Skip, e.span),
        };
        self.b.outputs.insert(
            edge,
            OutputCall {
                function: name.into(),
                format,
                args: terms,
                memory,
            },
        );
        match result {
            _ if name == "putchar" && !matches!(want, Want::Nothing) => self.put_result(&values, e),
            Some(v) => Val::int(self.var_term(v)),
            None => self.unused_value(),
        }
    }

    /// The character that was put, or -1.
    fn put_result(&mut self, values: &[Arg], e: &Expr) -> Val {
        let what = "write.fails".into();
        let fails = self.any(Scalar::FLAG, InputKind::Environment { what }, e.span);
        let (one, none, bytes) = (self.pool.int(1), self.pool.int(-1), self.pool.int(256));
        let c = values.first().and_then(|v| v.terms.first()).copied();
        let c = c.unwrap_or(none);
        let byte = self.pool.modulo(c, bytes);
        let fails = self.pool.eq(fails, one);
        Val::int(self.pool.ite(fails, none, byte))
    }

    /// The characters a printed pointer points to: memory, or text that no statement reads.
    pub(super) fn text_memory(&mut self, a: &Expr) -> Option<TermId> {
        if !self.unit.types.is_pointer(a.ty) {
            return None;
        }
        let cell = self.memory.points.target_of(a)?;
        match self.memory.region(cell).map(|r| self.region_vars(r)) {
            Some(crate::c::lower::RegionVars::Array(v)) => Some(self.var_term(v)),
            Some(crate::c::lower::RegionVars::Cells(cells)) => {
                let int = self.pool.int_sort();
                let (sort, zero) = (self.pool.array_sort(int, int), self.pool.int(0));
                let mut text = self.pool.const_array(sort, zero);
                for &(address, var) in cells.iter() {
                    let (index, value) = (self.pool.int(address), self.var_term(var));
                    text = self.pool.store(text, index, value);
                }
                Some(text)
            }
            None => self.literal_memory(),
        }
    }

    /// All string literals at their addresses, as one constant array.
    fn literal_memory(&mut self) -> Option<TermId> {
        /// Beyond this the text is not kept.
        const MOST: usize = 1 << 14;
        if let Some(known) = self.literals {
            return known;
        }
        let strings = self.reach.strings.clone();
        let total: usize = strings
            .iter()
            .map(|s| self.unit.strings[*s].units.len())
            .sum();
        let mut array = None;
        if total <= MOST {
            let int = self.pool.int_sort();
            let (sort, zero) = (self.pool.array_sort(int, int), self.pool.int(0));
            let mut text = self.pool.const_array(sort, zero);
            for s in strings {
                let key = crate::c::lower::reach::ObjectKey::String(s);
                if let Some(&Address::Fixed(at)) = self.memory.addresses.get(&key) {
                    for (i, &unit) in self.unit.strings[s].units.iter().enumerate() {
                        let (index, unit) = (self.pool.int(at + i as u64), self.pool.int(unit));
                        text = self.pool.store(text, index, unit);
                    }
                }
            }
            array = Some(text);
        }
        self.literals = Some(array);
        array
    }
}
