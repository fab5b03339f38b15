//! Formats of `printf` and `scanf` known at compile time: the call becomes a block of calls of
//! parts of the models, one for each conversion.
//!
//! ```text
//! sprintf(d, "%d-%s", x, s)   =>   ({ t0 = d; t1 = x; t2 = s; craig_begin(t0, -1);
//!                                     craig_put_signed(t1, …); craig_put_literal("-", 1);
//!                                     craig_put_text(t2, …); craig_end(-1); })
//! ```

use super::super::hir::{Callee, Expr, ExprKind, FuncId, StmtKind};
use super::super::library::format::{Conversion, Family, Form, Piece, Target, family, pieces};
use super::super::types::IntKind;
use super::Sema;
use super::steps::Work;
use program::Span;

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
        let mut work = Work::new(caller, e.span);
        let result = if family.scans {
            self.scan(&mut work, family, &list, e)
        } else {
            self.print(&mut work, family, &list, e, unused)
        };
        let ty = e.ty;
        let value = result.map(|r| self.cast(r, ty, e.span));
        *e = work.finish(value, ty);
        true
    }

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
        for a in given.iter_mut().rev() {
            if self.literal_text(a).is_none() && a.as_int().is_none() {
                let value = std::mem::replace(a, Expr::new(ExprKind::Int(0), e.ty, e.span));
                *a = self.keep(work, value);
            }
        }
        let mut values = given.split_off((family.format + 1).min(given.len()));
        let span = work.span;
        let size_max = self.int_expr(-1, IntKind::Long, span);
        let limit = match family.form {
            Form::Print(_) => self.number_expr(0, span),
            Form::Allocate => self.number_expr(0, span),
            Form::Write { limit: Some(i), .. } => given[i].clone(),
            Form::Write { limit: None, .. } => size_max,
            Form::Scan | Form::ScanText => return None,
        };
        let counts = !matches!(family.form, Form::Print(_))
            || !unused && !list.iter().all(|p| matches!(p, Piece::Text(_)))
            || list.iter().any(|p| p.letter() == b'n');
        let wide_argument = values.first().is_some_and(|v| self.is_wide_text(v, family));
        if let Form::Write { to, .. } = family.form
            && only_text(list, family.wide, wide_argument)
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
        self.put_pieces(work, family, list, &values, counts)?;
        if let Form::Allocate = family.form {
            // Now the length is known: once more, to memory that has it.
            self.run_part(work, "craig_begin_new", vec![]);
            self.put_pieces(work, family, list, &values, counts)?;
            return self.part_call(work, "craig_end_new", vec![given[0].clone()]);
        }
        if let Form::Print(target) = family.form {
            // For running: the output itself.
            let length: usize = list.iter().map(Piece::length).sum();
            let call = self.output_call(work, target, family.format, given, values);
            work.push(StmtKind::Expr(call));
            if unused {
                return None;
            }
            self.run_part(work, "craig_printed", vec![]);
            if !counts {
                return Some(self.int_expr(length as i128, IntKind::Int, span));
            }
        }
        let end = if family.wide && !matches!(family.form, Form::Print(_)) {
            "craig_end_wide"
        } else {
            "craig_end"
        };
        self.part_call(work, end, vec![limit])
    }

    /// The parts of the format in turn; `None` if arguments are missing.
    fn put_pieces(
        &mut self,
        work: &mut Work,
        family: Family,
        list: &[Piece],
        values: &[Expr],
        counts: bool,
    ) -> Option<()> {
        let span = work.span;
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
                    let width = self.measure(c.width, 0, &mut next, span);
                    let precision = self.measure(c.precision, -1, &mut next, span);
                    let value = next.next()?;
                    self.put(work, family, c, value, (width, precision), counts);
                }
            }
        }
        Some(())
    }

    /// The output of a call, by the number of its stream.
    fn output_call(
        &mut self,
        work: &Work,
        target: Target,
        format: usize,
        given: Vec<Expr>,
        values: Vec<Expr>,
    ) -> Expr {
        let span = work.span;
        let stream = match target {
            Target::Standard => None,
            Target::Stream(i) => {
                let stream = vec![given[i].clone()];
                self.part_call(work, "craig_stream_number", stream)
            }
            Target::Descriptor(i) => Some(given[i].clone()),
            Target::Elsewhere => Some(self.int_expr(-1, IntKind::Int, span)),
        };
        let stream = match stream {
            Some(number) => number,
            None => self.int_expr(1, IntKind::Int, span),
        };
        let mut args = vec![stream, given[format].clone()];
        args.extend(values);
        let (name, void) = ("dprintf".to_string(), self.unit.types.void());
        Expr::new(ExprKind::Intrinsic { name, args }, void, span)
    }

    /// A width or precision: absent, a number, or an argument.
    fn measure(
        &mut self,
        given: Option<Option<i64>>,
        absent: i64,
        next: &mut impl Iterator<Item = Expr>,
        span: Span,
    ) -> Expr {
        match given {
            None => self.number_expr(absent, span),
            Some(Some(n)) => self.number_expr(n, span),
            Some(None) => next.next().unwrap_or_else(|| self.error_expr(span)),
        }
    }

    fn put(
        &mut self,
        work: &mut Work,
        family: Family,
        c: &Conversion,
        value: Expr,
        (width, precision): (Expr, Expr),
        counts: bool,
    ) {
        let span = work.span;
        let flags = self.number_expr(i64::from(c.flags), span);
        let number = |base: i64, upper: bool| (base, upper);
        let is = |e: &Expr, n: i128| e.as_int() == Some(n);
        // The digits come from the last to the first, which a stream would show.
        let in_memory = matches!(family.form, Form::Write { .. } | Form::Allocate);
        match c.letter {
            b's' | b'S' => {
                let wide = c.is_long() || self.is_wide_text(&value, family);
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
                let name = match c.length.as_slice() {
                    b"hh" => "craig_put_count_char",
                    b"h" => "craig_put_count_short",
                    b"l" | b"z" | b"t" => "craig_put_count_long",
                    b"ll" | b"j" | b"q" | b"L" => "craig_put_count_llong",
                    _ => "craig_put_count",
                };
                self.run_part(work, name, vec![value]);
            }
            _ if !counts => {}
            // As most numbers are printed: one short loop.
            b'd' | b'i' | b'u'
                if c.flags == 0 && is(&width, 0) && is(&precision, -1) && in_memory =>
            {
                let value = self.shortened(value, c, c.letter != b'u', span);
                let short = matches!(c.length.as_slice(), b"" | b"h" | b"hh");
                let name = match (c.letter, short) {
                    (b'u', true) => "craig_put_plain_unsigned",
                    (b'u', false) => "craig_put_plain_ulong",
                    (_, true) => "craig_put_plain_int",
                    (_, false) => "craig_put_plain_long",
                };
                self.run_part(work, name, vec![value]);
            }
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
            b'c' if c.is_long() => {
                self.run_part(work, "craig_put_wide_char", vec![value, flags, width]);
            }
            b'c' => self.run_part(work, "craig_put_char", vec![value, flags, width]),
            b'p' => self.run_part(work, "craig_put_pointer", vec![value, flags, width]),
            letter => {
                let letter = self.number_expr(i64::from(letter), span);
                let name = if c.length == b"L" {
                    "craig_put_long_float"
                } else {
                    "craig_put_float"
                };
                let args = vec![value, letter, flags, width, precision];
                self.run_part(work, name, args);
            }
        }
    }

    /// `%s` in a wide format takes a narrow string. Given a wide one, which is undefined, it is read as what
    /// was meant: as `%ls`.
    fn is_wide_text(&self, value: &Expr, family: Family) -> bool {
        let mut value = value;
        while let ExprKind::Cast(_, inner) = &value.kind {
            value = inner;
        }
        let element = self.types().pointee(value.ty);
        let size = element.and_then(|t| self.types().size_of(t));
        family.wide && size == Some(4)
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
}

/// A format that is one string and nothing else, of the kind that the function writes.
fn only_text(list: &[Piece], wide: bool, wide_argument: bool) -> bool {
    match list {
        [Piece::Conversion(c)] => {
            let plain = c.width.is_none() && c.precision.is_none() && c.flags == 0;
            plain && c.letter == b's' && (c.is_long() || wide_argument) == wide
        }
        _ => false,
    }
}
