//! The typed tree as text, for people and snapshots: C-like, every conversion shown.
//!
//! `(T)e` is a conversion, `[p]` the value of a place, `#` before a name marks a hidden local.

use crate::c::hir::*;
use crate::c::types::{Type, TypeId};
use base::Id;
use std::fmt::Write;

/// The whole unit; functions and globals in order of id.
pub fn dump(unit: &Unit) -> String {
    let mut d = Dump {
        unit,
        out: String::new(),
        indent: 0,
    };
    for global in unit.globals.iter() {
        d.global(global);
    }
    for function in unit.functions.iter() {
        d.function(function);
    }
    d.out
}

struct Dump<'u> {
    unit: &'u Unit,
    out: String,
    indent: usize,
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn ty(&self, ty: TypeId) -> String {
        self.unit.types.display(ty)
    }

    fn global(&mut self, global: &Global) {
        let mut text = format!("{}: {}", global.name, self.ty(global.ty));
        if global.linkage == Linkage::Internal {
            text.push_str(" static");
        }
        if !global.defined {
            text.push_str(" extern");
        }
        for (flag, word) in [
            (global.is_const, " const"),
            (global.is_volatile, " volatile"),
            (global.thread_local, " thread_local"),
        ] {
            if flag {
                text.push_str(word);
            }
        }
        if let Some(init) = &global.init {
            let _ = write!(text, " = {}", self.init(init));
        }
        self.line(&text);
    }

    fn function(&mut self, f: &Function) {
        let mut text = format!("fn {}: {}", f.name, self.ty(f.ty));
        for (flag, word) in [
            (f.linkage == Linkage::Internal, " static"),
            (f.is_noreturn, " noreturn"),
            (f.is_weak, " weak"),
            (f.implicit, " implicit"),
        ] {
            if flag {
                text.push_str(word);
            }
        }
        let Some(body) = &f.body else {
            self.line(&text);
            return;
        };
        let params: Vec<String> = body.params.iter().map(|&p| self.local(p)).collect();
        let _ = write!(text, " ({})", params.join(", "));
        self.line(&text);
        self.block(&body.block);
    }

    fn local(&self, id: LocalId) -> String {
        let local = &self.unit.locals[id];
        match local.name.as_str() {
            "" => format!("#{}", id.index()),
            name => name.into(),
        }
    }

    fn label(&self, id: LabelId) -> String {
        match &self.unit.labels[id].name {
            Some(name) => name.clone(),
            None => format!("case{}", id.index()),
        }
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    fn nested(&mut self, stmt: &Stmt) {
        self.indent += 1;
        self.stmt(stmt);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty => self.line(";"),
            StmtKind::Expr(e) => {
                let text = self.expr(e);
                self.line(&text);
            }
            StmtKind::Decl { local, init } => {
                let ty = self.unit.locals[*local].ty;
                let mut text = format!("let {}: {}", self.local(*local), self.ty(ty));
                if let Some(init) = init {
                    let _ = write!(text, " = {}", self.init(init));
                }
                self.line(&text);
            }
            StmtKind::Block(block) => {
                self.line("block");
                self.block(block);
            }
            StmtKind::If { cond, then, els } => {
                let text = format!("if {}", self.expr(cond));
                self.line(&text);
                self.nested(then);
                if let Some(els) = els {
                    self.line("else");
                    self.nested(els);
                }
            }
            StmtKind::While { cond, body } => {
                let text = format!("while {}", self.expr(cond));
                self.line(&text);
                self.nested(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.line("do");
                self.nested(body);
                let text = format!("while {}", self.expr(cond));
                self.line(&text);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => {
                self.line("for");
                self.indent += 1;
                for stmt in init {
                    self.stmt(stmt);
                }
                let cond = cond.as_ref().map_or("forever".into(), |e| self.expr(e));
                let step = step.as_ref().map_or(String::new(), |e| self.expr(e));
                self.indent -= 1;
                self.line(&format!("while {cond} step {step}"));
                self.nested(body);
            }
            StmtKind::Switch {
                value,
                cases,
                default,
                body,
            } => {
                let mut text = format!("switch {}", self.expr(value));
                for case in cases {
                    let label = self.label(case.label);
                    if case.low == case.high {
                        let _ = write!(text, " {}→{label}", case.low);
                    } else {
                        let _ = write!(text, " {}…{}→{label}", case.low, case.high);
                    }
                }
                if let Some(default) = default {
                    let _ = write!(text, " default→{}", self.label(*default));
                }
                self.line(&text);
                self.nested(body);
            }
            StmtKind::Label(id) => {
                let text = format!("{}:", self.label(*id));
                self.line(&text);
            }
            StmtKind::Goto(id) => {
                let text = format!("goto {}", self.label(*id));
                self.line(&text);
            }
            StmtKind::ComputedGoto(e) => {
                let text = format!("goto *{}", self.expr(e));
                self.line(&text);
            }
            StmtKind::Return(None) => self.line("return"),
            StmtKind::Return(Some(e)) => {
                let text = format!("return {}", self.expr(e));
                self.line(&text);
            }
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Asm(asm) => {
                let outputs: Vec<String> = asm
                    .outputs
                    .iter()
                    .map(|o| format!("{} {}", o.constraint, self.place(&o.place)))
                    .collect();
                let inputs: Vec<String> = asm.inputs.iter().map(|e| self.expr(e)).collect();
                let text = format!(
                    "asm {:?} out({}) in({}) clobbers({})",
                    asm.template,
                    outputs.join(", "),
                    inputs.join(", "),
                    asm.clobbers.join(", ")
                );
                self.line(&text);
            }
        }
    }

    fn init(&mut self, init: &Init) -> String {
        let mut parts = Vec::new();
        for item in &init.items {
            let mut text = String::new();
            for step in &item.path {
                let _ = match step {
                    Step::Field(record, field) => {
                        let field = &self.unit.types.records[*record].fields[*field as usize];
                        write!(text, ".{}", field.name.as_deref().unwrap_or("<anonymous>"))
                    }
                    Step::Index(i) => write!(text, "[{i}]"),
                };
            }
            if !text.is_empty() {
                let _ = write!(text, "@{} = ", item.offset);
            }
            text.push_str(&match &item.value {
                InitValue::Expr(e) => self.expr(e),
                InitValue::String(id) => format!("copy {}", self.string(*id)),
            });
            parts.push(text);
        }
        let list = parts.join(", ");
        if init.zero_rest {
            format!("{{{list}; 0…}}")
        } else {
            list
        }
    }

    fn string(&self, id: StringId) -> String {
        let literal = &self.unit.strings[id];
        let text: String = literal
            .units
            .iter()
            .filter_map(|&u| char::from_u32(u))
            .collect();
        format!("{text:?}")
    }

    fn size(&self, size: &SizeOf) -> String {
        let mut text = size.factor.to_string();
        for &local in &size.lengths {
            let _ = write!(text, "×{}", self.local(local));
        }
        text
    }

    fn constant(&self, value: i128, ty: TypeId) -> String {
        let suffix = match *self.unit.types.get(ty) {
            Type::Int(kind) => match kind.name() {
                "int" => "",
                name => name,
            },
            Type::Pointer(_) => "ptr",
            _ => "enum",
        };
        match suffix {
            "" => value.to_string(),
            _ => format!("{value}:{suffix}"),
        }
    }

    /// One line, except for statement expressions.
    fn expr(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(v) => self.constant(*v, e.ty),
            ExprKind::Float(bits) => format!("{bits:#x}:{}", self.ty(e.ty)),
            ExprKind::Load(place) => format!("[{}]", self.place(place)),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddress(f) => format!("&{}", self.unit.functions[*f].name),
            ExprKind::LabelAddress(id) => format!("&&{}", self.label(*id)),
            ExprKind::Unary(op, a) => {
                let sign = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                };
                format!("{sign}{}", self.expr(a))
            }
            ExprKind::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(a), operator(*op), self.expr(b))
            }
            ExprKind::PointerOffset {
                pointer,
                index,
                subtract,
                size,
            } => {
                let sign = if *subtract { "-" } else { "+" };
                let (p, i, n) = (self.expr(pointer), self.expr(index), self.size(size));
                format!("({p} {sign} {i}×{n})")
            }
            ExprKind::PointerDifference { left, right, size } => {
                let (l, r, n) = (self.expr(left), self.expr(right), self.size(size));
                format!("(({l} - {r}) / {n})")
            }
            ExprKind::Cast(_, a) => format!("({}){}", self.ty(e.ty), self.expr(a)),
            ExprKind::Assign { place, value } => {
                format!("{} = {}", self.place(place), self.expr(value))
            }
            ExprKind::CompoundAssign {
                op,
                place,
                value,
                compute,
            } => {
                let ty = self.ty(*compute);
                let (p, v) = (self.place(place), self.expr(value));
                format!("{p} {}=<{ty}> {v}", operator(*op))
            }
            ExprKind::PointerAssign {
                place,
                index,
                subtract,
                size,
            } => {
                let sign = if *subtract { "-" } else { "+" };
                let (p, i, n) = (self.place(place), self.expr(index), self.size(size));
                format!("{p} {sign}= {i}×{n}")
            }
            ExprKind::IncDec {
                place,
                decrement,
                prefix,
                compute,
                ..
            } => {
                let sign = if *decrement { "--" } else { "++" };
                let (p, ty) = (self.place(place), self.ty(*compute));
                if *prefix {
                    format!("{sign}<{ty}>{p}")
                } else {
                    format!("{p}{sign}<{ty}>")
                }
            }
            ExprKind::LogicalAnd(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            ExprKind::LogicalOr(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            ExprKind::Conditional { cond, then, els } => {
                let (c, t, f) = (self.expr(cond), self.expr(then), self.expr(els));
                format!("({c} ? {t} : {f})")
            }
            ExprKind::Elvis { cond, els } => {
                format!("({} ?: {})", self.expr(cond), self.expr(els))
            }
            ExprKind::Comma(a, b) => format!("({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Call { callee, args } => {
                let callee = match callee {
                    Callee::Direct(f) => self.unit.functions[*f].name.clone(),
                    Callee::Indirect(p) => format!("(*{})", self.expr(p)),
                };
                let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
                format!("{callee}({})", args.join(", "))
            }
            ExprKind::Intrinsic { name, args } => {
                let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
                format!("{name}({})", args.join(", "))
            }
            ExprKind::VaArg(place) => format!("va_arg({}, {})", self.place(place), self.ty(e.ty)),
            ExprKind::StmtExpr { block, value } => {
                let mut inner = Dump {
                    unit: self.unit,
                    out: String::new(),
                    indent: self.indent + 1,
                };
                inner.block(block);
                if let Some(value) = value {
                    let text = inner.expr(value);
                    inner.indent += 1;
                    inner.line(&text);
                }
                format!("({{\n{}{}}})", inner.out, "  ".repeat(self.indent + 1))
            }
            ExprKind::UnionOf { field, value } => {
                format!("({}){{#{field} = {}}}", self.ty(e.ty), self.expr(value))
            }
        }
    }

    fn place(&mut self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Global(id) => self.unit.globals[*id].name.clone(),
            PlaceKind::Local(id) => self.local(*id),
            PlaceKind::String(id) => self.string(*id),
            PlaceKind::Deref(e) => format!("*{}", self.expr(e)),
            PlaceKind::Field {
                base,
                record,
                field,
            } => {
                let base = self.place(base);
                let field = &self.unit.types.records[*record].fields[*field as usize];
                let name = field.name.as_deref().unwrap_or("<anonymous>");
                match field.bits {
                    Some(b) => format!("{base}.{name}:{}", b.width),
                    None => format!("{base}.{name}"),
                }
            }
            PlaceKind::Index { base, index } => {
                format!("{}[{}]", self.place(base), self.expr(index))
            }
            PlaceKind::CompoundLiteral { local, init } => {
                let ty = self.ty(place.ty);
                format!("({ty}{}){}", self.local(*local), self.init(init))
            }
            PlaceKind::Temporary(e) => format!("temporary({})", self.expr(e)),
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
    }
}
