//! `scanf` with a format known at compile time: each item is tried if those before it were there.
//!
//! ```text
//! scanf("%d %s", &n, s)   =>   ({ count = 0; state = 1; state = craig_scan_next();
//!                                 if (state == 1) { craig_scan_int(t1); count++; … }
//!                                 state == -1 && count == 0 ? -1 : count; })
//! ```

use super::super::hir::{BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind};
use super::super::library::format::{Conversion, Family, Form, Piece};
use super::super::types::IntKind;
use super::Sema;
use super::steps::Work;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn scan(
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
        for a in given.iter_mut().rev() {
            if self.literal_text(a).is_none() && a.as_int().is_none() {
                let value = std::mem::replace(a, Expr::new(ExprKind::Int(0), e.ty, e.span));
                *a = self.keep(work, value);
            }
        }
        let values = given.split_off((family.format + 1).min(given.len()));
        // When the program runs, a stream is a text that is read byte by byte.
        let text = self.running || matches!(family.form, Form::ScanText);
        let source = match (family.form, self.running, family.format) {
            (Form::ScanText, ..) => "craig_source",
            (_, true, 1) => "craig_source_stream",
            (_, true, _) => "craig_source_stdin",
            (_, false, 1) => "craig_scan_begin",
            (_, false, _) => "craig_scan_stdin",
        };
        let from = given.first().filter(|_| family.format == 1).cloned();
        self.run_part(work, source, from.into_iter().collect());
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

    fn state_is(&mut self, state: &Expr, n: i64, span: Span) -> Expr {
        self.equals(state, n, span)
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
                let kind = self.number_expr(1, span);
                let next = self.part_call(work, "craig_scan_next", vec![kind]);
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
            let kind = match c.letter {
                b's' | b'c' => 0,
                b'[' => 2,
                _ => 1,
            };
            let kind = self.number_expr(kind, span);
            if c.letter != b'n'
                && let Some(call) = self.part_call(work, "craig_scan_next", vec![kind])
            {
                head.push(self.set(state, call, span));
            }
            if let Some(target) = target {
                let (name, wide) = c.stream_part();
                let mut args = vec![target];
                if wide {
                    args.push(width);
                }
                if name.starts_with("craig_within_") {
                    args.push(self.number_expr(c.scan_base(), span));
                }
                if name == "craig_scan_set" {
                    args.push(self.text_expr(&c.set, span));
                    args.push(self.number_expr(i64::from(c.inverted), span));
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
        // What is not stored is read all the same; null would be the program's own.
        let target = target.unwrap_or_else(|| self.int_expr(1, IntKind::Long, span));
        match c.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let base = match c.letter {
                    b'i' => 0,
                    b'o' => -8,
                    b'x' | b'X' => -16,
                    b'u' => -10,
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
            b's' | b'c' | b'[' if c.is_long() => {
                let kind = self.number_expr(i64::from(c.letter), span);
                let set = self.text_expr(&c.set, span);
                let inverted = self.number_expr(i64::from(c.inverted), span);
                let args = vec![target, width, kind, set, inverted];
                ("craig_source_wide", args)
            }
            b's' => ("craig_source_text", vec![target, width]),
            b'c' => ("craig_source_chars", vec![target, width]),
            b'n' => {
                let name = match c.length.as_slice() {
                    b"hh" => "craig_source_count_char",
                    b"h" => "craig_source_count_short",
                    b"l" | b"z" | b"t" => "craig_source_count_long",
                    b"ll" | b"j" | b"q" | b"L" => "craig_source_count_llong",
                    _ => "craig_source_count",
                };
                (name, vec![target])
            }
            b'f' | b'e' | b'g' | b'a' | b'E' | b'G' | b'F' | b'A' => {
                let name = match c.length.as_slice() {
                    b"l" => "craig_source_double",
                    b"L" => "craig_source_ldouble",
                    _ => "craig_source_float",
                };
                (name, vec![target, width])
            }
            b'p' => ("craig_source_pointer", vec![target, width]),
            _ => {
                let set = self.text_expr(&c.set, span);
                let inverted = self.number_expr(i64::from(c.inverted), span);
                ("craig_source_set", vec![target, width, set, inverted])
            }
        }
    }
}
