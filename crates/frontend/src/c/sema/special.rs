//! Calls whose meaning depends on the whole program: environment variables by their literal names, `exit` where
//! handlers are registered.

use super::super::hir::{
    self, BinaryOp, Block, Callee, Expr, ExprKind, FuncId, Linkage, Place, PlaceKind, Stmt,
    StmtKind, UnaryOp, visit,
};
use super::super::library::table::Alias;
use super::Sema;
use super::steps::Work;
use base::Id;
use program::Span;
use std::collections::BTreeMap;

/// What the calls of the program have in common.
#[derive(Default)]
pub(super) struct Uses {
    /// Functions run at `exit`, at `quick_exit`.
    handlers: bool,
    quick_handlers: bool,
    /// Some name of an environment variable is only known at run time.
    open_names: bool,
    /// The program may read what it wrote itself, or what it read before.
    pub(super) rereads: bool,
    /// A function that resizes memory looks at pointers being null: it is prepared for `realloc` to fail.
    pub(super) prepared: bool,
    /// Calls that seed the random numbers.
    seeds: usize,
    /// There is at most one seed, at the beginning: the numbers are free.
    seeded_once: bool,
    /// The variables of the environment by name.
    variables: BTreeMap<Vec<u32>, hir::GlobalId>,
}

/// Functions after which a program may read what it wrote, or what it read before; `…64` are the same.
const REREADS: &[&str] = &[
    "freopen",
    "tmpfile",
    "fmemopen",
    "fdopen",
    "fseek",
    "fseeko",
    "rewind",
    "fsetpos",
    "rename",
    "pipe",
    "pipe2",
    "socketpair",
    "open",
    "openat",
    "creat",
    "mkstemp",
    "mkostemp",
    "mkstemps",
    "mkostemps",
    "shm_open",
    "memfd_create",
    "eventfd",
    "openpty",
    "sendfile",
    "copy_file_range",
    "splice",
    "tee",
    "vmsplice",
    "dup2",
    "dup3",
    "lseek",
    "pread",
    "preadv",
    "preadv2",
    "preadv64v2",
    "setmntent",
];

/// Functions of the environment that take a name first; with a literal there, each name has an object.
const NAMED: &[(&str, &str)] = &[
    ("getenv", "craig_getenv_of"),
    ("setenv", "craig_setenv_of"),
    ("unsetenv", "craig_unsetenv_of"),
];

/// Does a function resize memory, and does it ask whether a pointer is null?
struct Looks<'u> {
    unit: &'u hir::Unit,
    resizes: bool,
    tests: bool,
}

impl Looks<'_> {
    fn condition(&mut self, e: &Expr) {
        let mut e = e;
        while let ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        self.tests |= self.unit.types.is_pointer(e.ty);
    }
}

impl<'h> visit::Visitor<'h> for Looks<'_> {
    fn expr(&mut self, e: &'h Expr) {
        let is_zero = |e: &Expr| {
            let mut e = e;
            while let ExprKind::Cast(_, inner) = &e.kind {
                e = inner;
            }
            e.as_int() == Some(0)
        };
        match &e.kind {
            ExprKind::Call {
                callee: Callee::Direct(f),
                ..
            } => {
                let name = self.unit.functions[*f].source_name.as_str();
                self.resizes |= matches!(name, "realloc" | "reallocarray");
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) if is_zero(a) || is_zero(b) => {
                self.tests |= self.unit.types.is_pointer(a.ty);
            }
            ExprKind::Unary(UnaryOp::Not, a) => self.condition(a),
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                self.condition(a);
                self.condition(b);
            }
            ExprKind::Conditional { cond, .. } => self.condition(cond),
            _ => {}
        }
    }

    fn stmt(&mut self, s: &'h Stmt) {
        match &s.kind {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. } => self.condition(cond),
            _ => {}
        }
    }
}

impl Sema<'_, '_> {
    /// Looks at all calls once, before any is linked.
    pub(super) fn look_at_uses(&mut self) -> Uses {
        let mut uses = Uses::default();
        for i in 0..self.unit.functions.len() {
            let f = FuncId::from_index(i);
            let Some(mut body) = self.unit.functions[f].body.take() else {
                continue;
            };
            visit::rewrite_block(&mut body.block, &mut |e, _| self.look_at(&mut uses, e));
            let mut looks = Looks {
                unit: &self.unit,
                resizes: false,
                tests: false,
            };
            visit::shared::block(&mut looks, &body.block);
            uses.prepared |= looks.resizes && looks.tests;
            self.unit.functions[f].body = Some(body);
        }
        uses.seeded_once = uses.seeds == 0 || uses.seeds == 1 && self.main_seeds();
        if uses.handlers {
            self.main_runs_handlers();
        }
        uses
    }

    /// Is there a seed among the first statements of `main`, outside of loops?
    fn main_seeds(&self) -> bool {
        let main = self.unit.functions.iter().find(|f| f.source_name == "main");
        let Some(body) = main.and_then(|f| f.body.as_ref()) else {
            return false;
        };
        let label = |s: &Stmt| matches!(s.kind, StmtKind::Label(_));
        let mut first = body.block.stmts.iter().take_while(|s| !label(s));
        first.any(|s| match &s.kind {
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Call {
                    callee: Callee::Direct(f),
                    ..
                } => self.unit.functions[*f].source_name.starts_with("srand"),
                _ => false,
            },
            _ => false,
        })
    }

    fn look_at(&self, uses: &mut Uses, e: &Expr) {
        let (f, args) = match &e.kind {
            ExprKind::Call {
                callee: Callee::Direct(f),
                args,
            } => (*f, args.as_slice()),
            ExprKind::FunctionAddress(f) => (*f, &[][..]),
            _ => return,
        };
        let function = &self.unit.functions[f];
        if function.source_name == "main" {
            // What it does at its beginning, it may do again.
            uses.seeds += 2;
        }
        if function.body.is_some() {
            return;
        }
        match function.source_name.as_str() {
            "atexit" | "on_exit" => uses.handlers = true,
            "at_quick_exit" => uses.quick_handlers = true,
            "fopen" | "fopen64" => {
                let mode = args.get(1).and_then(|a| self.literal_text(a));
                let plain = mode.is_some_and(|m| m.first() == Some(&114) && !m.contains(&43));
                uses.rereads |= !plain;
            }
            name if REREADS.contains(&name.trim_end_matches("64")) => uses.rereads = true,
            "srand" | "srandom" => uses.seeds += 1,
            "initstate" | "setstate" => uses.seeds += 2,
            "putenv" | "clearenv" | "secure_getenv" => uses.open_names = true,
            name if NAMED.iter().any(|(n, _)| *n == name) => {
                let text = args.first().and_then(|a| self.literal_text(a));
                // An empty name, and one with `=` in it, is refused by the model of a name that is not known.
                let named = text.is_some_and(|t| !t.is_empty() && !t.contains(&61));
                uses.open_names |= !named;
            }
            _ => {}
        }
    }

    /// Links a call that is one of these.
    pub(super) fn link_special(&mut self, caller: FuncId, e: &mut Expr) -> bool {
        let ExprKind::Call {
            callee: Callee::Direct(f),
            args,
        } = &e.kind
        else {
            return false;
        };
        let function = &self.unit.functions[*f];
        if function.body.is_some() || function.linkage == Linkage::Internal {
            return false;
        }
        let name = function.source_name.clone();
        let args = args.clone();
        let in_model = self.unit.functions[caller].library;
        // A format that is known only at run time.
        let part = match name.as_str() {
            "printf" => Some("craig_printf"),
            "fprintf" => Some("craig_fprintf"),
            _ => None,
        };
        if let Some(symbol) = part.and_then(|p| self.names.get(p)) {
            self.link_call(caller, e, symbol, Alias::default());
            return true;
        }
        let call = match name.as_str() {
            "rand" | "random" if self.uses.seeded_once => {
                self.special_call(caller, "craig_free_number", args, e.span)
            }
            "exit" if self.uses.handlers && !in_model => {
                self.special_call(caller, "craig_after_exit", args, e.span)
            }
            "quick_exit" if self.uses.quick_handlers && !in_model => {
                self.special_call(caller, "craig_after_quick_exit", args, e.span)
            }
            "strtol" | "strtoll" if args.get(2).and_then(Expr::as_int) == Some(10) => {
                let part = if name == "strtol" {
                    "craig_strtol_ten"
                } else {
                    "craig_strtoll_ten"
                };
                self.special_call(caller, part, args, e.span)
            }
            _ => match NAMED.iter().find(|(n, _)| *n == name) {
                Some((_, part)) if !self.uses.open_names => {
                    self.variable_call(caller, part, args, e.span)
                }
                _ => self.record_call(caller, &name, args, e),
            },
        };
        let Some(call) = call else { return false };
        let ty = e.ty;
        *e = if self.types().is_void(ty) || self.types().record(ty).is_some() {
            Expr { ty, ..call }
        } else {
            self.cast(call, ty, e.span)
        };
        true
    }

    fn special_call(
        &mut self,
        caller: FuncId,
        name: &str,
        args: Vec<Expr>,
        span: Span,
    ) -> Option<Expr> {
        let work = Work::new(caller, span);
        self.part_call(&work, name, args)
    }

    /// A call with the object of the variable that the first argument names.
    fn variable_call(
        &mut self,
        caller: FuncId,
        part: &str,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Option<Expr> {
        let name = self.literal_text(args.first()?)?;
        let symbol = self.names.get(part)?;
        let copy = self.copy_for(caller, symbol, span)?;
        let signature = self.types().function(self.unit.functions[copy].ty)?;
        let pointer = *signature.params.first()?;
        let ty = self.types().pointee(pointer)?;
        let global = match self.uses.variables.get(&name) {
            Some(&g) => g,
            None => {
                let number = self.uses.variables.len();
                let g = self.unit.globals.push(hir::Global {
                    name: format!("craig_variable.{number}"),
                    source_name: None,
                    ty,
                    span,
                    linkage: Linkage::Internal,
                    defined: true,
                    init: None,
                    is_const: false,
                    is_volatile: false,
                    thread_local: false,
                    function: None,
                });
                self.uses.variables.insert(name, g);
                g
            }
        };
        let place = Place {
            kind: PlaceKind::Global(global),
            ty,
            span,
        };
        args.insert(0, self.address_as(place, ty));
        let wanted = self.types().function(self.unit.functions[copy].ty)?.clone();
        if args.len() != wanted.params.len() {
            return None;
        }
        let mut given = Vec::with_capacity(args.len());
        for (a, &ty) in args.into_iter().zip(&wanted.params) {
            given.push(self.cast(a, ty, span));
        }
        let callee = Callee::Direct(copy);
        let args = given;
        Some(Expr::new(ExprKind::Call { callee, args }, wanted.ret, span))
    }

    /// Returning from `main` runs the handlers too.
    fn main_runs_handlers(&mut self) {
        let is_main = |f: &hir::Function| {
            f.source_name == "main" && f.linkage == Linkage::External && f.body.is_some()
        };
        let main = self.unit.functions.iter_enumerated();
        let main = main.into_iter().find(|(_, f)| is_main(f)).map(|(id, _)| id);
        let Some(main) = main else { return };
        let Some(mut body) = self.unit.functions[main].body.take() else {
            return;
        };
        visit::rewrite_returns(&mut body.block, &mut |s| self.return_with_handlers(main, s));
        let zero = self.number_expr(0, body.end);
        if let Some(call) = self.special_call(main, "craig_run_handlers", vec![zero], body.end) {
            body.block.stmts.push(Stmt {
                kind: StmtKind::Expr(call),
                span: body.end,
            });
        }
        self.unit.functions[main].body = Some(body);
    }

    fn return_with_handlers(&mut self, main: FuncId, s: &mut Stmt) {
        let StmtKind::Return(value) = &mut s.kind else {
            return;
        };
        let mut work = Work::new(main, s.span);
        let value = value.take().map(|v| self.keep(&mut work, v));
        let status = match &value {
            Some(v) => v.clone(),
            None => self.number_expr(0, s.span),
        };
        self.run_part(&mut work, "craig_run_handlers", vec![status]);
        work.push(StmtKind::Return(value));
        let block = Block {
            stmts: work.stmts,
            span: s.span,
        };
        s.kind = StmtKind::Block(block);
    }
}
