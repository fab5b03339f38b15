//! Statements: scopes, labels, switches, jumps, inline assembly.

use super::super::hir::{self, Block, Case, Expr, ExprKind, LabelId, Stmt, StmtKind};
use super::{FunctionContext, LabelState, Operand, Sema, SwitchContext};
use crate::c::syntax::ast::{self, Label, StmtKind as A};
use crate::c::syntax::lexer::Symbol;
use program::Span;

impl Sema<'_, '_> {
    pub(super) fn stmts(&mut self, list: &[ast::Stmt], out: &mut Vec<Stmt>) {
        let mut hidden = Vec::new();
        for stmt in list {
            if let A::LocalLabels(names) = &stmt.kind {
                self.local_labels(names, stmt.at, &mut hidden);
                continue;
            }
            self.stmt(stmt, out);
        }
        // Labels declared in this block end with it.
        for (name, old) in hidden.into_iter().rev() {
            let Some(func) = &mut self.func else { return };
            let state = match old {
                Some(old) => func.labels.insert(name, old),
                None => func.labels.remove(&name),
            };
            if let Some(state) = state
                && !state.defined
            {
                let (span, text) = (self.span(state.used_at), self.text(name));
                self.error(span, format!("the label `{text}` is not defined"));
            }
        }
    }

    fn local_labels(
        &mut self,
        names: &[Symbol],
        at: ast::At,
        hidden: &mut Vec<(Symbol, Option<LabelState>)>,
    ) {
        for &name in names {
            let span = self.span(at);
            let id = self.new_label(Some(name), span);
            let state = LabelState {
                id,
                defined: false,
                declared: true,
                used_at: at,
            };
            if let Some(func) = &mut self.func {
                hidden.push((name, func.labels.insert(name, state)));
            }
        }
    }

    fn new_label(&mut self, name: Option<Symbol>, span: Span) -> LabelId {
        let name = name.map(|n| self.names.name(n).to_string());
        self.unit.labels.push(hir::Label {
            name,
            span,
            landing: false,
        })
    }

    /// The label of this name that a function around this one declares, and that function.
    fn outer_label(&mut self, name: Symbol) -> Option<(LabelId, &mut FunctionContext)> {
        let mut func = self.func.as_mut()?;
        while !func.labels.contains_key(&name) {
            func = func.outer.as_deref_mut()?;
            if let Some(state) = func.labels.get(&name).filter(|l| l.declared) {
                return Some((state.id, func));
            }
        }
        None
    }

    /// The label that the current function jumps to.
    fn target(&mut self, name: Symbol, at: ast::At) -> LabelId {
        match self.outer_label(name) {
            Some((id, _)) => id,
            None => self.label(name, at),
        }
    }

    /// The label of this name in the current function.
    fn label(&mut self, name: Symbol, at: ast::At) -> LabelId {
        if let Some(state) = self.func.as_ref().and_then(|f| f.labels.get(&name)) {
            return state.id;
        }
        let span = self.span(at);
        let id = self.new_label(Some(name), span);
        if let Some(func) = &mut self.func {
            func.labels.insert(
                name,
                LabelState {
                    id,
                    defined: false,
                    declared: false,
                    used_at: at,
                },
            );
        }
        id
    }

    pub(super) fn label_address(&mut self, name: Symbol, at: ast::At, span: Span) -> Expr {
        if self.func.is_none() {
            self.error(span, "a label's address outside a function");
            return self.error_expr(span);
        }
        let outer = self.outer_label(name).map(|(id, func)| {
            func.add_address_label(id);
            id
        });
        let id = outer.unwrap_or_else(|| {
            let id = self.label(name, at);
            if let Some(func) = &mut self.func {
                func.add_address_label(id);
            }
            id
        });
        let void = self.unit.types.void();
        Expr::new(
            ExprKind::LabelAddress(id),
            self.unit.types.pointer(void),
            span,
        )
    }

    /// A statement as the body of another: one node, in a scope of its own.
    fn body(&mut self, stmt: &ast::Stmt) -> Box<Stmt> {
        self.enter();
        let mut out = Vec::new();
        self.stmt(stmt, &mut out);
        self.leave();
        let span = self.span(stmt.at);
        let single = out.len() == 1;
        match out.pop() {
            Some(only) if single => Box::new(only),
            last => {
                out.extend(last);
                Box::new(Stmt {
                    kind: StmtKind::Block(Block { stmts: out, span }),
                    span,
                })
            }
        }
    }

    fn block(&mut self, block: &ast::Block) -> Block {
        self.enter();
        let mut stmts = Vec::with_capacity(block.stmts.len());
        self.stmts(&block.stmts, &mut stmts);
        self.leave();
        Block {
            stmts,
            span: self.span(block.at),
        }
    }

    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = self.span(stmt.at);
        let kind = match &stmt.kind {
            A::Empty => StmtKind::Empty,
            A::Expr(e) => StmtKind::Expr(self.value(e)),
            A::Decl(declaration) => return self.local_declaration(declaration, out),
            A::Function(def) => return self.nested_function(def),
            A::StaticAssert(assert) => return self.static_assert(assert),
            A::LocalLabels(_) => return,
            A::Block(block) => StmtKind::Block(self.block(block)),
            A::Labeled(labels, inner) => {
                for label in labels {
                    self.define_label(label, out);
                }
                return self.stmt(inner, out);
            }
            A::If(arms, els) => {
                let chain = self.if_chain(arms, els.as_deref());
                out.extend(chain);
                return;
            }
            A::While(cond, body) => {
                let cond = self.condition(cond);
                let body = self.loop_body(body);
                StmtKind::While { cond, body }
            }
            A::DoWhile(body, cond) => {
                let body = self.loop_body(body);
                let cond = self.condition(cond);
                StmtKind::DoWhile { body, cond }
            }
            A::For(parts) => self.for_loop(parts),
            A::Switch(value, body) => self.switch(value, body),
            A::Goto(name) => StmtKind::Goto(self.target(*name, stmt.at)),
            A::ComputedGoto(e) => {
                let target = self.value(e);
                StmtKind::ComputedGoto(target)
            }
            A::Return(value) => self.return_stmt(value.as_ref(), span),
            A::Break => {
                if self.func.as_ref().is_some_and(|f| f.breakable == 0) {
                    self.error(span, "`break` outside a loop or switch");
                }
                StmtKind::Break
            }
            A::Continue => {
                if self.func.as_ref().is_some_and(|f| f.loops == 0) {
                    self.error(span, "`continue` outside a loop");
                }
                StmtKind::Continue
            }
            A::Asm(asm) => self.asm(asm, span),
        };
        out.push(Stmt { kind, span });
    }

    fn define_label(&mut self, label: &Label, out: &mut Vec<Stmt>) {
        self.label_definitions += 1;
        let (span, id) = match label {
            Label::Name(at, name) => {
                let span = self.span(*at);
                let id = self.label(*name, *at);
                self.unit.labels[id].span = span;
                let again = match self.func.as_mut().and_then(|f| f.labels.get_mut(name)) {
                    Some(state) => std::mem::replace(&mut state.defined, true),
                    None => false,
                };
                if again {
                    let text = self.text(*name);
                    self.error(span, format!("the label `{text}` is defined again"));
                }
                (span, id)
            }
            Label::Case(at, low, high) => {
                let span = self.span(*at);
                let id = self.new_label(None, span);
                self.case(id, low, high.as_ref(), span);
                (span, id)
            }
            Label::Default(at) => {
                let span = self.span(*at);
                let id = self.new_label(None, span);
                let switch = self.func.as_mut().and_then(|f| f.switches.last_mut());
                match switch {
                    Some(switch) if switch.default.is_none() => switch.default = Some(id),
                    Some(_) => self.error(span, "a second `default` in this switch"),
                    None => self.error(span, "`default` outside a switch"),
                }
                (span, id)
            }
        };
        out.push(Stmt {
            kind: StmtKind::Label(id),
            span,
        });
    }

    fn case(&mut self, label: LabelId, low: &ast::Expr, high: Option<&ast::Expr>, span: Span) {
        let switch_ty = self
            .func
            .as_ref()
            .and_then(|f| f.switches.last())
            .map(|s| s.ty);
        let Some(ty) = switch_ty else {
            self.error(span, "`case` outside a switch");
            return;
        };
        let low_value = self.constant(low, "the case value");
        let high_value = match high {
            Some(e) => self.constant(e, "the case value"),
            None => low_value,
        };
        let (Some(low), Some(high), Some(kind)) =
            (low_value, high_value, self.types().int_kind(ty))
        else {
            return;
        };
        let model = self.types().model;
        let (low, high) = (kind.convert(low, model), kind.convert(high, model));
        if low > high {
            self.warn(span, "this case range is empty");
            return;
        }
        if let Some(switch) = self.func.as_mut().and_then(|f| f.switches.last_mut()) {
            switch.cases.push(Case {
                low,
                high,
                label,
                span,
            });
        }
    }

    /// Reports the first two cases that overlap.
    fn check_cases(&mut self, cases: &[Case]) {
        let mut sorted: Vec<&Case> = cases.iter().collect();
        sorted.sort_by_key(|c| (c.low, c.span));
        for pair in sorted.windows(2) {
            if pair[1].low <= pair[0].high {
                let span = pair[1].span.max(pair[0].span);
                self.error(span, format!("the case {} occurs twice", pair[1].low));
                return;
            }
        }
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> StmtKind {
        let value = self.value(value);
        let mut value = self.promote(value);
        if !self.types().is_integer(value.ty) {
            let span = value.span;
            if !self.types().is_error(value.ty) {
                self.error(span, "a switch needs an integer");
            }
            value = self.int_expr(0, super::IntKind::Int, span);
        }
        if let Some(func) = &mut self.func {
            func.breakable += 1;
            func.switches.push(SwitchContext {
                ty: value.ty,
                cases: Vec::new(),
                default: None,
            });
        }
        let body = self.body(body);
        let mut cases = Vec::new();
        let mut default = None;
        if let Some(func) = &mut self.func {
            func.breakable -= 1;
            if let Some(switch) = func.switches.pop() {
                cases = switch.cases;
                default = switch.default;
            }
        }
        self.check_cases(&cases);
        StmtKind::Switch {
            value,
            cases,
            default,
            body,
        }
    }

    /// Builds the nested `if`s of a chain from its end, so that long chains need no recursion.
    fn if_chain(
        &mut self,
        arms: &[(ast::At, ast::Expr, ast::Stmt)],
        els: Option<&ast::Stmt>,
    ) -> Option<Stmt> {
        let mut parts = Vec::with_capacity(arms.len());
        for (at, cond, then) in arms {
            let span = self.span(*at);
            let cond = self.condition(cond);
            let then = self.body(then);
            parts.push((span, cond, then));
        }
        let mut els = els.map(|e| self.body(e));
        let mut result = None;
        while let Some((span, cond, then)) = parts.pop() {
            let stmt = Stmt {
                kind: StmtKind::If {
                    cond,
                    then,
                    els: els.take(),
                },
                span,
            };
            if parts.is_empty() {
                result = Some(stmt);
            } else {
                els = Some(Box::new(stmt));
            }
        }
        result
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Box<Stmt> {
        if let Some(func) = &mut self.func {
            func.breakable += 1;
            func.loops += 1;
        }
        let body = self.body(body);
        if let Some(func) = &mut self.func {
            func.breakable -= 1;
            func.loops -= 1;
        }
        body
    }

    fn for_loop(&mut self, parts: &ast::For) -> StmtKind {
        self.enter();
        let mut init = Vec::new();
        if let Some(stmt) = &parts.init {
            self.stmt(stmt, &mut init);
        }
        let cond = parts.cond.as_ref().map(|e| self.condition(e));
        let step = parts.step.as_ref().map(|e| self.value(e));
        let body = self.loop_body(&parts.body);
        self.leave();
        StmtKind::For {
            init,
            cond,
            step,
            body,
        }
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> StmtKind {
        let Some(ret) = self.func.as_ref().map(|f| f.ret) else {
            return StmtKind::Empty;
        };
        let Some(e) = value else {
            return StmtKind::Return(None);
        };
        let value = self.value(e);
        if self.types().is_void(ret) {
            if !self.types().is_void(value.ty) && !self.types().is_error(value.ty) {
                self.warn(span, "a void function returns a value; it is dropped");
            }
            let void = self.unit.types.void();
            return StmtKind::Return(Some(self.cast(value, void, span)));
        }
        StmtKind::Return(Some(self.assign_convert(value, ret, "return")))
    }

    /// `({ … })`: the value is that of the last statement, if it is an expression.
    pub(super) fn stmt_expr(&mut self, block: &ast::Block, span: Span) -> Expr {
        if self.func.is_none() {
            self.error(span, "a statement expression outside a function");
            return self.error_expr(span);
        }
        let outer = std::mem::take(&mut self.pending);
        let mut block = self.block(block);
        self.pending = outer;
        let void = self.unit.types.void();
        let last_is_expr = matches!(
            block.stmts.last(),
            Some(Stmt {
                kind: StmtKind::Expr(_),
                ..
            })
        );
        let value = match block.stmts.pop() {
            Some(Stmt {
                kind: StmtKind::Expr(e),
                ..
            }) if last_is_expr => Some(Box::new(e)),
            other => {
                block.stmts.extend(other);
                None
            }
        };
        let ty = value.as_ref().map_or(void, |v| v.ty);
        Expr::new(ExprKind::StmtExpr { block, value }, ty, span)
    }

    fn asm(&mut self, asm: &ast::Asm, span: Span) -> StmtKind {
        let mut outputs = Vec::new();
        for operand in &asm.outputs {
            let constraint = self.plain_string(operand.constraint);
            match self.expr(&operand.expr) {
                Operand::Place(place) => outputs.push(hir::AsmOutput { constraint, place }),
                Operand::Value(e) | Operand::Function(e) => {
                    if !self.types().is_error(e.ty) {
                        self.error(e.span, "an asm output must be an object");
                    }
                }
            }
        }
        let inputs: Vec<Expr> = asm.inputs.iter().map(|o| self.value(&o.expr)).collect();
        if let Some(kind) = self.empty_asm(asm, &outputs, &inputs, span) {
            return kind;
        }
        let clobbers = asm
            .clobbers
            .iter()
            .map(|&at| self.plain_string(at))
            .collect();
        let mut labels = Vec::new();
        for &name in &asm.labels {
            labels.push(self.label(name, asm.template));
        }
        StmtKind::Asm(hir::Asm {
            template: self.plain_string(asm.template),
            outputs,
            inputs,
            clobbers,
            labels,
            is_volatile: asm.is_volatile || asm.outputs.is_empty(),
        })
    }

    /// Assembly without instructions only hides values from the optimiser: what it reads and writes
    /// stays, and an output that shares its register with an input gets the input's value.
    fn empty_asm(
        &mut self,
        asm: &ast::Asm,
        outputs: &[hir::AsmOutput],
        inputs: &[Expr],
        span: Span,
    ) -> Option<StmtKind> {
        if !self.plain_string(asm.template).trim().is_empty() || !asm.labels.is_empty() {
            return None;
        }
        let mut moved = Vec::new();
        for (i, output) in outputs.iter().enumerate() {
            let tied = asm
                .inputs
                .iter()
                .position(|o| self.plain_string(o.constraint) == i.to_string());
            match (output.constraint.as_str(), tied) {
                (_, Some(input)) => moved.push((output.place.clone(), inputs[input].clone())),
                (c, None) if c.starts_with('+') || c == "=m" => {}
                _ => return None,
            }
        }
        let mut stmts = Vec::new();
        let statement = |e: Expr| Stmt {
            span: e.span,
            kind: StmtKind::Expr(e),
        };
        match moved.as_slice() {
            [] => stmts.extend(inputs.iter().cloned().map(statement)),
            [(place, value)] if inputs.len() == 1 => {
                let ty = place.ty;
                let value = self.cast(value.clone(), ty, span);
                let kind = ExprKind::Assign {
                    place: Box::new(place.clone()),
                    value: Box::new(value),
                };
                stmts.push(statement(Expr::new(kind, ty, span)));
            }
            _ => return None,
        }
        Some(StmtKind::Block(Block { stmts, span }))
    }

    /// The text of a string token without its quotes.
    fn plain_string(&self, at: ast::At) -> String {
        self.token_text(at).trim_matches('"').to_string()
    }
}
