//! Formats of `printf` and `scanf` known at compile time: the call becomes a block of calls of
//! parts of the models, one for each conversion.
//!
//! ```text
//! sprintf(d, "%d-%s", x, s)   =>   ({ t0 = d; t1 = x; t2 = s; craig_begin(t0, -1);
//!                                     craig_put_signed(t1, …); craig_put_literal("-", 1);
//!                                     craig_put_text(t2, …); craig_end(-1); })
//! ```

use super::super::hir::{
    BinaryOp, Block, Callee, Expr, ExprKind, FuncId, Local, LocalId, LocalKind, Place, PlaceKind,
    Stmt, StmtKind, StringId,
};
use super::super::library::format::{Conversion, Family, Form, Piece, family, pieces};
use super::super::types::IntKind;
use super::Sema;
use program::Span;

/// The statements made so far, in the function that calls.
struct Work {
    caller: FuncId,
    stmts: Vec<Stmt>,
    span: Span,
}

impl Work {
    fn push(&mut self, kind: StmtKind) {
        let span = self.span;
        self.stmts.push(Stmt { kind, span });
    }
}

impl Sema<'_, '_> {
    /// Rewrites a call of the families if its format is a literal.
    pub(super) fn link_format(&mut self, caller: FuncId, e: &mut Expr, unused: bool) -> bool {
        let name = match &e.kind {
            ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } if self.unit.functions[*f].body.is_none() => {
                self.unit.functions[*f].source_name.clone()
            }
            ExprKind::Intrinsic { name, .. } => name.clone(),
            _ => return false,
        };
        let Some(family) = family(&name) else {
            return false;
        };
        let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &e.kind else {
            return false;
        };
        let Some(text) = args.get(family.format).and_then(|a| self.literal_text(a)) else {
            return false;
        };
        let Some(list) = pieces(&text, family.scans) else {
            return false;
        };
        let wanted: usize = list.iter().map(Piece::arguments).sum();
        if args.len() < family.format + 1 + wanted {
            self.warn(e.span, format!("`{name}`: arguments are missing"));
            return false;
        }
        let mut work = Work {
            caller,
            stmts: Vec::new(),
            span: e.span,
        };
        let result = if family.scans {
            self.scan(&mut work, family, &list, e)
        } else {
            self.print(&mut work, family, &list, e, unused)
        };
        let block = Block {
            stmts: work.stmts,
            span: e.span,
        };
        let ty = e.ty;
        let value = result.map(|r| Box::new(self.cast(r, ty, e.span)));
        e.kind = ExprKind::StmtExpr { block, value };
        true
    }

    /// The characters of a string literal, without the zero.
    fn literal_text(&self, e: &Expr) -> Option<Vec<u32>> {
        let mut e = e;
        while let ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::AddressOf(p) = &e.kind else {
            return None;
        };
        let mut p = &**p;
        while let PlaceKind::Index { base, index } = &p.kind {
            if index.as_int() != Some(0) {
                return None;
            }
            p = base;
        }
        let PlaceKind::String(s) = p.kind else {
            return None;
        };
        let units = &self.unit.strings[s].units;
        Some(units.iter().copied().take_while(|&u| u != 0).collect())
    }

    /// Evaluates a value into a local of its own.
    fn keep(&mut self, work: &mut Work, value: Expr) -> Expr {
        let (ty, span) = (value.ty, work.span);
        let local = self.unit.locals.push(Local {
            name: String::new(),
            ty,
            span,
            kind: LocalKind::Auto,
            function: work.caller,
            is_const: false,
            is_volatile: false,
            address_taken: false,
        });
        let init = Some(self.scalar_init(value));
        work.push(StmtKind::Decl { local, init });
        self.local_value(local, work.span)
    }

    fn local_place(&self, local: LocalId, span: Span) -> Place {
        Place {
            kind: PlaceKind::Local(local),
            ty: self.unit.locals[local].ty,
            span,
        }
    }

    fn local_value(&self, local: LocalId, span: Span) -> Expr {
        let place = self.local_place(local, span);
        let ty = place.ty;
        Expr::new(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// A call of a part of the models.
    fn part_call(&mut self, work: &Work, name: &str, args: Vec<Expr>) -> Option<Expr> {
        let symbol = self.names.get(name)?;
        let copy = self.copy_for(work.caller, symbol, work.span)?;
        let signature = self
            .types()
            .function(self.unit.functions[copy].ty)
            .cloned()?;
        let mut given = Vec::with_capacity(args.len());
        for (a, &ty) in args.into_iter().zip(&signature.params) {
            given.push(self.cast(a, ty, work.span));
        }
        let callee = Callee::Direct(copy);
        let kind = ExprKind::Call {
            callee,
            args: given,
        };
        Some(Expr::new(kind, signature.ret, work.span))
    }

    fn run_part(&mut self, work: &mut Work, name: &str, args: Vec<Expr>) {
        if let Some(call) = self.part_call(work, name, args) {
            work.push(StmtKind::Expr(call));
        }
    }

    fn number_expr(&mut self, n: i64, span: Span) -> Expr {
        self.int_expr(i128::from(n), IntKind::Long, span)
    }

    fn text_expr(&mut self, text: &[u32], span: Span) -> Expr {
        let mut units: Vec<u32> = text.to_vec();
        units.push(0);
        let id: StringId = self.new_string(units, IntKind::Char, span);
        let place = Place {
            kind: PlaceKind::String(id),
            ty: self.unit.strings[id].ty,
            span,
        };
        let char = self.unit.types.int(IntKind::Char);
        self.address_as(place, char)
    }

    // ------------------------------------------------------------ printing

    fn print(
        &mut self,
        work: &mut Work,
        family: Family,
        list: &[Piece],
        e: &mut Expr,
        unused: bool,
    ) -> Option<Expr> {
        let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &mut e.kind else {
            return None;
        };
        let mut given: Vec<Expr> = std::mem::take(args);
        for a in &mut given {
            if self.literal_text(a).is_none() && a.as_int().is_none() {
                let value = std::mem::replace(a, Expr::new(ExprKind::Int(0), e.ty, e.span));
                *a = self.keep(work, value);
            }
        }
        let mut values = given.split_off((family.format + 1).min(given.len()));
        let span = work.span;
        let size_max = self.int_expr(-1, IntKind::Long, span);
        let limit = match family.form {
            Form::Print => self.number_expr(0, span),
            Form::Write { limit: Some(i), .. } => given[i].clone(),
            Form::Write { limit: None, .. } => size_max,
            Form::Scan | Form::ScanText => return None,
        };
        let counts = !matches!(family.form, Form::Print)
            || !unused && !list.iter().all(|p| matches!(p, Piece::Text(_)))
            || list.iter().any(|p| p.letter() == b'n');
        if let Form::Write { to, .. } = family.form
            && only_text(list, family.wide)
        {
            let name = if family.wide {
                "craig_wcs_format"
            } else {
                "craig_str_format"
            };
            let args = vec![given[to].clone(), limit, values.remove(0)];
            return self.part_call(work, name, args);
        }
        if counts {
            let (begin, to) = match family.form {
                Form::Write { to, .. } if family.wide => ("craig_begin_wide", given[to].clone()),
                Form::Write { to, .. } => ("craig_begin", given[to].clone()),
                _ => ("craig_begin", self.number_expr(0, span)),
            };
            self.run_part(work, begin, vec![to, limit.clone()]);
        }
        let mut next = values.iter().cloned();
        for piece in list {
            match piece {
                Piece::Text(text) if counts => {
                    let n = self.number_expr(text.len() as i64, span);
                    let text = self.text_expr(text, span);
                    self.run_part(work, "craig_put_literal", vec![text, n]);
                }
                Piece::Text(_) | Piece::Space => {}
                Piece::Conversion(c) => {
                    let width = self.measure(c.width, &mut next, span);
                    let precision = self.measure(c.precision, &mut next, span);
                    let value = next.next()?;
                    self.put(work, c, value, width, precision, counts);
                }
            }
        }
        if let Form::Print = family.form {
            // For running: the output itself.
            let length: usize = list.iter().map(Piece::length).sum();
            given.extend(values);
            let mut call = e.clone();
            if let ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. } = &mut call.kind {
                *args = given;
            }
            work.push(StmtKind::Expr(call));
            if unused {
                return None;
            }
            if !counts {
                return Some(self.int_expr(length as i128, IntKind::Int, span));
            }
        }
        let end = if family.wide && !matches!(family.form, Form::Print) {
            "craig_end_wide"
        } else {
            "craig_end"
        };
        self.part_call(work, end, vec![limit])
    }

    /// A width or precision: absent (-1), a number, or an argument.
    fn measure(
        &mut self,
        given: Option<Option<i64>>,
        next: &mut impl Iterator<Item = Expr>,
        span: Span,
    ) -> Expr {
        match given {
            None => self.number_expr(-1, span),
            Some(Some(n)) => self.number_expr(n, span),
            Some(None) => next.next().unwrap_or_else(|| self.error_expr(span)),
        }
    }

    fn put(
        &mut self,
        work: &mut Work,
        c: &Conversion,
        value: Expr,
        width: Expr,
        precision: Expr,
        counts: bool,
    ) {
        let span = work.span;
        let flags = self.number_expr(i64::from(c.flags), span);
        let number = |base: i64, upper: bool| (base, upper);
        match c.letter {
            b's' | b'S' => {
                let wide = c.letter == b'S' || c.is_long();
                if counts {
                    let name = if wide {
                        "craig_put_wide"
                    } else {
                        "craig_put_text"
                    };
                    self.run_part(work, name, vec![value, flags, width, precision]);
                } else if precision.as_int() == Some(-1) {
                    let name = if wide {
                        "craig_wide_text"
                    } else {
                        "craig_text"
                    };
                    self.run_part(work, name, vec![value]);
                } else {
                    let name = if wide {
                        "craig_wide_part"
                    } else {
                        "craig_text_part"
                    };
                    self.run_part(work, name, vec![value, precision]);
                }
            }
            b'n' => {
                let name = if c.is_long() {
                    "craig_put_count_long"
                } else {
                    "craig_put_count"
                };
                self.run_part(work, name, vec![value]);
            }
            _ if !counts => {}
            b'd' | b'i' => {
                let value = self.shortened(value, c, true, span);
                self.run_part(
                    work,
                    "craig_put_signed",
                    vec![value, flags, width, precision],
                );
            }
            b'u' | b'x' | b'X' | b'o' => {
                let (base, upper) = match c.letter {
                    b'u' => number(10, false),
                    b'o' => number(8, false),
                    letter => number(16, letter == b'X'),
                };
                let value = self.shortened(value, c, false, span);
                let mut args = vec![value];
                for n in [0, base, i64::from(upper)] {
                    args.push(self.number_expr(n, span));
                }
                // Signs are for signed numbers.
                args.push(self.number_expr(i64::from(c.flags & !12), span));
                args.extend([width, precision]);
                self.run_part(work, "craig_put_number", args);
            }
            b'c' | b'C' => self.run_part(work, "craig_put_char", vec![value, flags, width]),
            b'p' => self.run_part(work, "craig_put_pointer", vec![value, flags, width]),
            _ => self.run_part(
                work,
                "craig_put_float",
                vec![value, flags, width, precision],
            ),
        }
    }

    /// `%hhd` and its like cut the argument to their own type.
    fn shortened(&mut self, value: Expr, c: &Conversion, signed: bool, span: Span) -> Expr {
        use IntKind::{Int, Long, LongLong, SChar, Short, UChar, UInt, ULong, ULongLong, UShort};
        let kind = match (c.length.as_slice(), signed) {
            (b"hh", true) => SChar,
            (b"hh", false) => UChar,
            (b"h", true) => Short,
            (b"h", false) => UShort,
            (b"l" | b"z" | b"t", true) => Long,
            (b"l" | b"z" | b"t", false) => ULong,
            (b"ll" | b"j" | b"q" | b"L", true) => LongLong,
            (b"ll" | b"j" | b"q" | b"L", false) => ULongLong,
            (_, true) => Int,
            (_, false) => UInt,
        };
        let ty = self.unit.types.int(kind);
        self.cast(value, ty, span)
    }

    // ------------------------------------------------------------ scanning

    fn scan(
        &mut self,
        work: &mut Work,
        family: Family,
        list: &[Piece],
        e: &mut Expr,
    ) -> Option<Expr> {
        let (ExprKind::Call { args, .. } | ExprKind::Intrinsic { args, .. }) = &mut e.kind else {
            return None;
        };
        let mut given: Vec<Expr> = std::mem::take(args);
        let span = work.span;
        for a in &mut given {
            if self.literal_text(a).is_none() && a.as_int().is_none() {
                let value = std::mem::replace(a, Expr::new(ExprKind::Int(0), e.ty, e.span));
                *a = self.keep(work, value);
            }
        }
        let values = given.split_off((family.format + 1).min(given.len()));
        let text = matches!(family.form, Form::ScanText);
        if text {
            self.run_part(work, "craig_source", vec![given[0].clone()]);
        } else if family.format == 1 {
            self.run_part(work, "craig_file", vec![given[0].clone()]);
        }
        let zero = self.int_expr(0, IntKind::Int, span);
        let count = self.keep(work, zero.clone());
        let state = self.int_expr(1, IntKind::Int, span);
        let state = self.keep(work, state);
        let mut stmts = Vec::new();
        let mut next = values.into_iter();
        // Innermost last: each item is tried if those before it were there.
        for piece in list {
            let item = self.scan_item(work, piece, text, &mut next, &count, &state);
            stmts.push(item);
        }
        let mut inner: Vec<Stmt> = Vec::new();
        for (mut head, tail) in stmts.into_iter().rev() {
            let goes_on = self.state_is(&state, 1, span);
            let mut then = tail;
            then.append(&mut inner);
            let block = Block { stmts: then, span };
            let then = Box::new(Stmt {
                kind: StmtKind::Block(block),
                span,
            });
            let kind = StmtKind::If {
                cond: goes_on,
                then,
                els: None,
            };
            head.push(Stmt { kind, span });
            inner = head;
        }
        work.stmts.append(&mut inner);
        // The end of input before the first item is EOF.
        let ended = self.state_is(&state, -1, span);
        let none = self.equals(&count, 0, span);
        let int = self.int_type();
        let cond = Expr::new(
            ExprKind::LogicalAnd(Box::new(ended), Box::new(none)),
            int,
            span,
        );
        let eof = self.int_expr(-1, IntKind::Int, span);
        let kind = ExprKind::Conditional {
            cond: Box::new(cond),
            then: Box::new(eof),
            els: Box::new(count),
        };
        Some(Expr::new(kind, int, span))
    }

    fn equals(&mut self, value: &Expr, n: i64, span: Span) -> Expr {
        let int = self.int_type();
        let n = self.int_expr(i128::from(n), IntKind::Int, span);
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(value.clone()), Box::new(n));
        Expr::new(kind, int, span)
    }

    fn state_is(&mut self, state: &Expr, n: i64, span: Span) -> Expr {
        self.equals(state, n, span)
    }

    fn set(&mut self, target: &Expr, value: Expr, span: Span) -> Stmt {
        let place = match &target.kind {
            ExprKind::Load(p) => p.clone(),
            _ => unreachable!("kept values are loads of locals"),
        };
        let ty = target.ty;
        let value = Box::new(self.cast(value, ty, span));
        let kind = ExprKind::Assign { place, value };
        Stmt {
            kind: StmtKind::Expr(Expr::new(kind, ty, span)),
            span,
        }
    }

    /// What sets the state to whether the item is there, and what happens if it is.
    fn scan_item(
        &mut self,
        work: &Work,
        piece: &Piece,
        text: bool,
        next: &mut impl Iterator<Item = Expr>,
        count: &Expr,
        state: &Expr,
    ) -> (Vec<Stmt>, Vec<Stmt>) {
        let span = work.span;
        let statement = |e: Expr| Stmt {
            kind: StmtKind::Expr(e),
            span,
        };
        let c = match piece {
            Piece::Space => {
                let skip = text
                    .then(|| self.part_call(work, "craig_skip_space", vec![]))
                    .flatten();
                return (skip.into_iter().map(statement).collect(), Vec::new());
            }
            Piece::Text(units) if text => {
                let mut head = Vec::new();
                for (i, &u) in units.iter().enumerate() {
                    let u = self.number_expr(i64::from(u), span);
                    let Some(call) = self.part_call(work, "craig_source_literal", vec![u]) else {
                        continue;
                    };
                    let set = self.set(state, call, span);
                    if i == 0 {
                        head.push(set);
                    } else {
                        let cond = self.state_is(state, 1, span);
                        let kind = StmtKind::If {
                            cond,
                            then: Box::new(set),
                            els: None,
                        };
                        head.push(Stmt { kind, span });
                    }
                }
                return (head, Vec::new());
            }
            // The stream has the text or not: as for an item.
            Piece::Text(_) => {
                let next = self.part_call(work, "craig_scan_next", vec![]);
                let set = next.map(|n| self.set(state, n, span));
                return (set.into_iter().collect(), Vec::new());
            }
            Piece::Conversion(c) => c,
        };
        let target = if c.suppressed { None } else { next.next() };
        let more = self.incremented(count, span);
        let mut then = Vec::new();
        let mut head = Vec::new();
        let width = self.number_expr(c.scan_width(), span);
        if text {
            let (name, args) = self.source_part(c, target.clone(), width, span);
            if let Some(call) = self.part_call(work, name, args) {
                head.push(self.set(state, call, span));
            }
        } else {
            if c.letter != b'n'
                && let Some(call) = self.part_call(work, "craig_scan_next", vec![])
            {
                head.push(self.set(state, call, span));
            }
            if let Some(target) = target {
                let (name, wide) = c.stream_part();
                let mut args = vec![target];
                if wide {
                    args.push(width);
                }
                if let Some(call) = self.part_call(work, name, args) {
                    then.push(statement(call));
                }
            }
        }
        if !c.suppressed && c.letter != b'n' {
            then.push(self.set(count, more, span));
        }
        (head, then)
    }

    fn incremented(&mut self, count: &Expr, span: Span) -> Expr {
        let int = self.int_type();
        let one = self.int_expr(1, IntKind::Int, span);
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(count.clone()), Box::new(one));
        Expr::new(kind, int, span)
    }

    /// The part of the models that reads a conversion from a text.
    fn source_part(
        &mut self,
        c: &Conversion,
        target: Option<Expr>,
        width: Expr,
        span: Span,
    ) -> (&'static str, Vec<Expr>) {
        let Some(target) = target else {
            return ("craig_source_skip", vec![width]);
        };
        match c.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let base = match c.letter {
                    b'i' => 0,
                    b'o' => 8,
                    b'x' | b'X' => 16,
                    _ => 10,
                };
                let base = self.number_expr(base, span);
                let name = match c.length.as_slice() {
                    b"hh" => "craig_source_char",
                    b"h" => "craig_source_short",
                    b"l" | b"z" | b"t" => "craig_source_long",
                    b"ll" | b"j" | b"q" | b"L" => "craig_source_llong",
                    _ => "craig_source_int",
                };
                (name, vec![target, width, base])
            }
            b's' => ("craig_source_text", vec![target, width]),
            b'c' => ("craig_source_chars", vec![target, width]),
            b'n' => ("craig_source_count", vec![target]),
            b'f' | b'e' | b'g' | b'a' | b'E' | b'G' if c.is_long() => {
                ("craig_source_double", vec![target])
            }
            b'f' | b'e' | b'g' | b'a' | b'E' | b'G' => ("craig_source_float", vec![target]),
            _ => ("craig_source_any", vec![target, width]),
        }
    }
}

/// A format that is one string and nothing else, of the kind that the function writes.
fn only_text(list: &[Piece], wide: bool) -> bool {
    match list {
        [Piece::Conversion(c)] => {
            let plain = c.width.is_none() && c.precision.is_none() && c.flags == 0;
            plain && c.letter == b's' && c.is_long() == wide
        }
        _ => false,
    }
}
