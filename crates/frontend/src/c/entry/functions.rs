//! Functions that nobody sees: what pointers of a caller lead to, and what functions without a body return.
//!
//! ```text
//! void each(int (*f)(int))    f is null, or a function of the program whose address it uses, or, if there is none,
//!                             one of its type, or else one that returns anything
//! struct s *get(int);         →   struct s *get(int n) { outside(n); return null or a new struct s, filled; }
//! ```
//! Sound because each of these is a line of what is assumed.

use super::Requires;
use super::build::Build;
use crate::c::hir::{
    BinaryOp, Block, Body, Callee, Expr, ExprKind, FuncId, Function, Linkage, Local, LocalKind,
    Place, PlaceKind, StmtKind,
};
use crate::c::library::table;
use crate::c::lower::reach;
use crate::c::types::{IntKind, TypeId};
use base::FxHashSet;
use program::FileId;

/// Functions of one type that a pointer may lead to.
const MOST_FUNCTIONS: usize = 8;
/// Names of functions that mean something else.
const OTHERS: [&str; 6] = [
    "__VERIFIER_",
    "__CPROVER_",
    "__builtin_",
    "__craig_",
    "craig_",
    "nondet",
];

impl Build<'_> {
    /// Null, or a function of the type.
    pub(super) fn function_pointer(
        &mut self,
        place: Place,
        to: TypeId,
        path: &str,
        stmts: &mut Vec<crate::c::hir::Stmt>,
    ) {
        let (found, text) = self.functions_of(to, path);
        self.out.functions.push(path.to_string());
        self.out.assumed.push(format!("`{path}` is null or {text}"));
        let int = self.unit.types.int(IntKind::Int);
        let mut value: Option<Expr> = None;
        for (i, f) in found.iter().enumerate() {
            let this = self.expr(ExprKind::FunctionAddress(*f), place.ty);
            value = Some(match value {
                None => this,
                Some(others) => {
                    let number = self.expr(ExprKind::Int(i as i128), int);
                    let choice = self.input(int, &format!("{path} is function {i}"));
                    let kind = ExprKind::Conditional {
                        cond: Box::new(self.compare(BinaryOp::Eq, choice, number)),
                        then: Box::new(this),
                        els: Box::new(others),
                    };
                    self.expr(kind, place.ty)
                }
            });
        }
        let null = self.expr(ExprKind::Int(0), place.ty);
        let some = self.assign(place.clone(), value.unwrap_or_else(|| null.clone()));
        let required = Requires::NonNull(path.to_string());
        if self.environment.requires.contains(&required) {
            stmts.push(some);
            return;
        }
        let none = self.assign(place, null);
        let choice = self.either(&format!("{path} is null"), none, vec![some]);
        stmts.extend(choice);
    }

    /// The functions that a pointer to this type may lead to, and what they are.
    fn functions_of(&mut self, to: TypeId, path: &str) -> (Vec<FuncId>, String) {
        let entry = self.entry;
        let fits = |build: &Self, f: FuncId| {
            let function = &build.unit.functions[f];
            function.ty == to && function.body.is_some() && f != entry
        };
        let mut found = self.taken.clone();
        found.retain(|&f| fits(self, f));
        if !found.is_empty() && found.len() <= MOST_FUNCTIONS {
            let name = |f: &FuncId| {
                let name = &self.unit.functions[*f].source_name;
                format!("`{}`", name.strip_prefix("craig_at_").unwrap_or(name))
            };
            let names: Vec<String> = found.iter().map(name).collect();
            return (found, names.join(" or "));
        }
        let all = self.unit.functions.ids();
        let mut found: Vec<FuncId> = all.filter(|&f| fits(self, f)).collect();
        found.retain(|&f| !self.unit.functions[f].library);
        found.truncate(MOST_FUNCTIONS);
        if !found.is_empty() {
            return (found, "a function of the program of its type".into());
        }
        let any = self.without_body(path, to);
        self.give_body(any);
        (vec![any], "a function of which nothing is known".into())
    }

    /// A new function without a body.
    fn without_body(&mut self, source_name: &str, ty: TypeId) -> FuncId {
        let number = self.unit.functions.len();
        self.unit.functions.push(Function {
            name: format!("__craig_outside.{number}"),
            source_name: source_name.into(),
            ty,
            span: self.span,
            linkage: Linkage::External,
            is_noreturn: false,
            is_weak: false,
            implicit: false,
            library: false,
            body: None,
        })
    }

    /// Functions without a body that return pointers get one: what they return is null or leads to a new object.
    pub(super) fn outside(&mut self, system: &FxHashSet<FileId>) {
        let called = reach::reach(self.unit, self.target).called;
        let all = self.unit.functions.ids();
        let mut found: Vec<FuncId> = all.filter(|f| called.contains(f)).collect();
        found.retain(|&f| {
            let function = &self.unit.functions[f];
            let name = function.source_name.as_str();
            function.body.is_none()
                && !function.is_noreturn
                && !function.is_weak
                && !function.implicit
                && !system.contains(&function.span.file)
                && !OTHERS.iter().any(|p| name.starts_with(p))
                && table::find(name).is_none()
                && !self.unit.assembly.iter().any(|text| text.contains(name))
        });
        for f in found {
            self.give_body(f);
        }
        // Whoever looks at expressions next tells them apart by their numbers.
        self.unit.number();
    }

    fn give_body(&mut self, f: FuncId) {
        let (ty, name) = (
            self.unit.functions[f].ty,
            self.unit.functions[f].source_name.clone(),
        );
        let Some(signature) = self.unit.types.function(ty).cloned() else {
            return;
        };
        let ret = signature.ret;
        let Some(to) = self.unit.types.pointee(ret) else {
            return;
        };
        if signature.variadic || signature.unprototyped || !self.is_object_pointer(ret) {
            return;
        }
        // The locals of the body are its own, and the contract does not ask for them.
        let owner = std::mem::replace(&mut self.owner, f);
        let (contract, shared) = (self.contract.take(), std::mem::take(&mut self.shared));
        let mut params = Vec::new();
        let mut args = Vec::new();
        for &ty in &signature.params {
            let param = self.unit.locals.push(Local {
                name: String::new(),
                ty,
                span: self.span,
                kind: LocalKind::Param,
                function: f,
                is_const: false,
                is_volatile: false,
                address_taken: false,
            });
            params.push(param);
            args.push(self.load(self.place(PlaceKind::Local(param), ty)));
        }
        let callee = Callee::Direct(self.without_body(&name, ty));
        let call = self.expr(ExprKind::Call { callee, args }, ret);
        let mut stmts = vec![self.stmt(StmtKind::Expr(call))];
        let result = self.local("", ret);
        self.declare(result, &mut stmts);
        let place = self.place(PlaceKind::Local(result), ret);
        let path = format!("{name}()");
        let depth = self.environment.depth;
        let asked = self.asked_for(&params, to);
        let asked = std::mem::replace(&mut self.asked, asked);
        self.pointer(place.clone(), to, &path, depth, &mut stmts);
        self.asked = asked;
        let value = self.load(place);
        stmts.push(self.stmt(StmtKind::Return(Some(value))));
        self.out.assumed.push(format!(
            "`{name}`, which has no body, returns null or a valid pointer"
        ));
        (self.owner, self.contract, self.shared) = (owner, contract, shared);
        let span = self.span;
        self.unit.functions[f].body = Some(Body {
            params,
            address_labels: Vec::new(),
            block: Block { stmts, span },
            end: span,
        });
    }
}
