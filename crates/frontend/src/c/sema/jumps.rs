//! Jumps from one function into another: `longjmp`, and `goto` out of a nested function.
//!
//! A jump is a number in a global, set where it begins: it says which place is jumped to. After each call
//! of a function that may jump, the caller asks for it and lands: it goes on at that place if the place is its
//! own, else it returns at once.
//!
//! ```text
//! r = setjmp(b)     →   b[0] = 1; b[1] = frame; back = 0; site1: r = back
//! longjmp(b, v)     →   frame' = b[1]; value = v ? v : 1; jump = b[0]; goto land
//! x = f()           →   t = f(); if (jump) goto land; x = t
//!                       land: if (jump == 1 && frame' == frame) { jump = 0; back = value; goto site1; }
//!                             return;
//! ```
//! The buffer holds the number, so copies of it work. `frame` counts activations and exists only in functions
//! that may be active twice. A jump to a function that has returned is undefined. Locals keep their values, as in
//! code that is not optimised; C promises that only for those that are volatile or unchanged: an assumption.

use super::super::hir::visit::{Visitor, changing, shared};
use super::super::hir::{Callee, Expr, ExprKind, FuncId, GlobalId, LabelId, Stmt, StmtKind};
use super::super::types::IntKind;
use super::Sema;
use super::landing::Pass;
use base::{FxHashMap, FxHashSet};
use program::Span;

/// What a call does, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Set,
    Long,
}

fn jump_named(name: &str) -> Option<Jump> {
    match name {
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__builtin_setjmp" => Some(Jump::Set),
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "__builtin_longjmp" => {
            Some(Jump::Long)
        }
        _ => None,
    }
}

/// What a function has to do with jumps.
#[derive(Default)]
struct Found {
    /// It sets a place to jump to, or jumps itself.
    sets: bool,
    jumps: bool,
    labels: Vec<LabelId>,
    gotos: Vec<(LabelId, Span)>,
}

/// The globals of a jump that is under way.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub jump: GlobalId,
    pub frame: GlobalId,
    pub value: GlobalId,
    /// How many activations there were.
    pub frames: GlobalId,
}

struct Look<'s, 't, 'a> {
    sema: &'s Sema<'t, 'a>,
    found: Found,
}

impl<'h> Visitor<'h> for Look<'_, '_, '_> {
    fn expr(&mut self, e: &'h Expr) {
        match self.sema.jump_of(e) {
            Some(Jump::Set) => self.found.sets = true,
            Some(Jump::Long) => self.found.jumps = true,
            None => {}
        }
    }

    fn stmt(&mut self, s: &'h Stmt) {
        match s.kind {
            StmtKind::Label(l) => self.found.labels.push(l),
            StmtKind::Goto(l) => self.found.gotos.push((l, s.span)),
            _ => {}
        }
    }
}

impl Sema<'_, '_> {
    pub(super) fn jump_of(&self, e: &Expr) -> Option<Jump> {
        match &e.kind {
            ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } if self.unit.functions[*f].body.is_none() => {
                jump_named(&self.unit.functions[*f].source_name)
            }
            ExprKind::Intrinsic { name, .. } => jump_named(name),
            _ => None,
        }
    }

    /// At the end, when all calls are known.
    pub(super) fn jump_between_functions(&mut self) {
        let mut found: Vec<(FuncId, Found)> = Vec::new();
        for (f, function) in self.unit.functions.iter_enumerated() {
            if let Some(body) = &function.body {
                let mut look = Look {
                    sema: self,
                    found: Found::default(),
                };
                shared::block(&mut look, &body.block);
                found.push((f, look.found));
            }
        }
        let mut owner: FxHashMap<LabelId, FuncId> = FxHashMap::default();
        for (f, found) in &found {
            owner.extend(found.labels.iter().map(|&l| (l, *f)));
        }
        // Labels that are jumped to from elsewhere, with their numbers.
        let mut labels: Vec<(LabelId, FuncId, Span)> = Vec::new();
        let mut jumpers: FxHashSet<FuncId> = FxHashSet::default();
        for (f, found) in &found {
            if found.jumps {
                jumpers.insert(*f);
            }
            for &(l, span) in &found.gotos {
                if let Some(&home) = owner.get(&l).filter(|home| *home != f) {
                    jumpers.insert(*f);
                    if !labels.iter().any(|known| known.0 == l) {
                        labels.push((l, home, span));
                    }
                }
            }
        }
        if jumpers.is_empty() && !found.iter().any(|(_, found)| found.sets) {
            return;
        }
        let graph = self.call_graph();
        for &(_, home, span) in &labels {
            if super::nested::reaches(&graph, home) {
                let message = "a `goto` out of a nested function into one that may be active twice is not supported";
                self.error(span, message);
                return;
            }
        }
        loop {
            let before = jumpers.len();
            for (f, callees) in &graph {
                if callees.iter().any(|c| jumpers.contains(c)) {
                    jumpers.insert(*f);
                }
            }
            if jumpers.len() == before {
                break;
            }
        }
        let (int, long) = (
            self.unit.types.int(IntKind::Int),
            self.unit.types.int(IntKind::Long),
        );
        let state = State {
            jump: self.unit.hidden_global("craig.jump", long),
            frame: self.unit.hidden_global("craig.jump.frame", long),
            value: self.unit.hidden_global("craig.jump.value", int),
            frames: self.unit.hidden_global("craig.jump.frames", long),
        };
        let numbers: FxHashMap<LabelId, i128> =
            labels.iter().zip(1..).map(|(l, n)| (l.0, n)).collect();
        let mut next = labels.len() as i128 + 1;
        for (f, found) in found {
            if !found.sets && !jumpers.contains(&f) {
                continue;
            }
            // A function that jumps returns to nobody who counts on it.
            self.unit.functions[f].is_noreturn = false;
            let twice = found.sets && super::nested::reaches(&graph, f);
            let Some(mut body) = self.unit.functions[f].body.take() else {
                continue;
            };
            let land = self.jump_label(body.end);
            self.unit.labels[land].landing = true;
            let frame = twice.then(|| self.unit.hidden_local(f, long, body.end));
            let mut pass = Pass {
                sema: self,
                f,
                state,
                numbers: &numbers,
                jumpers: &jumpers,
                own: owner_labels(&labels, f),
                land,
                frame,
                sites: Vec::new(),
                next,
            };
            changing::block(&mut pass, &mut body.block);
            next = pass.next;
            pass.finish(&mut body.block, body.end);
            self.unit.functions[f].body = Some(body);
        }
    }

    pub(super) fn jump_label(&mut self, span: Span) -> LabelId {
        self.unit.labels.push(super::super::hir::Label {
            name: None,
            span,
            landing: false,
        })
    }
}

fn owner_labels(labels: &[(LabelId, FuncId, Span)], f: FuncId) -> Vec<LabelId> {
    let own = labels.iter().filter(|(_, home, _)| *home == f);
    own.map(|l| l.0).collect()
}
