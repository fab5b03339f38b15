//! Trees back to text, with all parentheses: what is printed reads as the same tree.

use super::ast::*;
use std::fmt::{Result, Write};

/// The program as text.
pub fn print(unit: &Unit) -> String {
    let mut out = String::new();
    unit_to(&mut out, unit).expect("a string takes any text");
    out
}

fn unit_to(out: &mut String, unit: &Unit) -> Result {
    for t in &unit.types {
        match t {
            TypeDecl::Opaque(name) => writeln!(out, "type {};", name.text)?,
            TypeDecl::Synonym(name, params, ty) => {
                write!(out, "type {}", name.text)?;
                for p in params {
                    write!(out, " {}", p.text)?;
                }
                writeln!(out, " = {};", type_text(ty))?;
            }
        }
    }
    for (c, unique) in &unit.constants {
        let unique = if *unique { "unique " } else { "" };
        writeln!(out, "const {unique}{}: {};", c.name.text, type_text(&c.ty))?;
    }
    for f in &unit.functions {
        function(out, f)?;
    }
    for a in &unit.axioms {
        writeln!(out, "axiom {};", expr_text(&a.expr))?;
    }
    for g in &unit.globals {
        writeln!(out, "var {};", typed(g))?;
    }
    for p in &unit.procedures {
        procedure(out, "procedure", p)?;
    }
    for p in &unit.implementations {
        procedure(out, "implementation", p)?;
    }
    Ok(())
}

fn function(out: &mut String, f: &Function) -> Result {
    out.push_str("function ");
    for a in &f.attributes {
        match &a.text {
            Some(text) => write!(out, "{{:{} \"{text}\"}} ", a.name)?,
            None => write!(out, "{{:{}}} ", a.name)?,
        }
    }
    let params: Vec<String> = f
        .params
        .iter()
        .map(|(name, ty)| match name {
            Some(n) => format!("{}: {}", n.text, type_text(ty)),
            None => type_text(ty),
        })
        .collect();
    write!(
        out,
        "{}({}) returns ({})",
        f.name.text,
        params.join(", "),
        type_text(&f.result)
    )?;
    match &f.body {
        Some(body) => writeln!(out, " {{ {} }}", expr_text(body)),
        None => writeln!(out, ";"),
    }
}

fn typed(t: &Typed) -> String {
    let mut text = format!("{}: {}", t.name.text, type_text(&t.ty));
    if let Some(condition) = &t.condition {
        text.push_str(&format!(" where {}", expr_text(condition)));
    }
    text
}

fn typed_list(list: &[Typed]) -> String {
    let texts: Vec<String> = list.iter().map(typed).collect();
    texts.join(", ")
}

fn names(list: &[Name]) -> String {
    let texts: Vec<&str> = list.iter().map(|n| n.text.as_str()).collect();
    texts.join(", ")
}

fn procedure(out: &mut String, word: &str, p: &Procedure) -> Result {
    let (ins, outs) = (typed_list(&p.ins), typed_list(&p.outs));
    let end = if p.body.is_none() { ";" } else { "" };
    writeln!(out, "{word} {}({ins}) returns ({outs}){end}", p.name.text)?;
    for (word, list) in [("requires", &p.spec.requires), ("ensures", &p.spec.ensures)] {
        for c in list {
            let free = if c.free { "free " } else { "" };
            writeln!(out, "  {free}{word} {};", expr_text(&c.expr))?;
        }
    }
    if !p.spec.modifies.is_empty() {
        writeln!(out, "  modifies {};", names(&p.spec.modifies))?;
    }
    if let Some(body) = &p.body {
        out.push_str("{\n");
        for l in &body.locals {
            writeln!(out, "  var {};", typed(l))?;
        }
        statements(out, &body.stmts, 1)?;
        out.push_str("}\n");
    }
    Ok(())
}

fn statements(out: &mut String, stmts: &[Stmt], depth: usize) -> Result {
    let gap = "  ".repeat(depth);
    let condition = |c: &Option<Expr>| c.as_ref().map_or("*".to_string(), expr_text);
    for s in stmts {
        match &s.kind {
            StmtKind::Label(l) => writeln!(out, "{gap}{l}:")?,
            StmtKind::Assert(c) => writeln!(out, "{gap}assert {};", expr_text(&c.expr))?,
            StmtKind::Assume(e) => writeln!(out, "{gap}assume {};", expr_text(e))?,
            StmtKind::Havoc(list) => writeln!(out, "{gap}havoc {};", names(list))?,
            StmtKind::Assign(left, right) => {
                let left: Vec<String> = left.iter().map(lhs).collect();
                writeln!(out, "{gap}{} := {};", left.join(", "), exprs(right))?;
            }
            StmtKind::Call {
                callee,
                args,
                results,
            } => {
                let results = match results.is_empty() {
                    true => String::new(),
                    false => names(results) + " := ",
                };
                writeln!(out, "{gap}call {results}{}({});", callee.text, exprs(args))?;
            }
            StmtKind::If(c, yes, no) => {
                writeln!(out, "{gap}if ({}) {{", condition(c))?;
                statements(out, yes, depth + 1)?;
                writeln!(out, "{gap}}} else {{")?;
                statements(out, no, depth + 1)?;
                writeln!(out, "{gap}}}")?;
            }
            StmtKind::While {
                condition: c,
                invariants,
                body,
            } => {
                writeln!(out, "{gap}while ({})", condition(c))?;
                for i in invariants {
                    let free = if i.free { "free " } else { "" };
                    writeln!(out, "{gap}  {free}invariant {};", expr_text(&i.expr))?;
                }
                writeln!(out, "{gap}{{")?;
                statements(out, body, depth + 1)?;
                writeln!(out, "{gap}}}")?;
            }
            StmtKind::Break(None) => writeln!(out, "{gap}break;")?,
            StmtKind::Break(Some(l)) => writeln!(out, "{gap}break {};", l.text)?,
            StmtKind::Goto(list) => writeln!(out, "{gap}goto {};", names(list))?,
            StmtKind::Return => writeln!(out, "{gap}return;")?,
        }
    }
    Ok(())
}

fn lhs(l: &Lhs) -> String {
    let mut text = l.name.text.clone();
    for group in &l.indices {
        text.push_str(&format!("[{}]", exprs(group)));
    }
    text
}

fn exprs(list: &[Expr]) -> String {
    let texts: Vec<String> = list.iter().map(expr_text).collect();
    texts.join(", ")
}

fn type_text(ty: &Type) -> String {
    match ty {
        Type::Named(name, args) => {
            let mut text = name.text.clone();
            for a in args {
                text.push_str(&format!(" ({})", type_text(a)));
            }
            text
        }
        Type::Map(indices, element) => {
            let indices: Vec<String> = indices.iter().map(type_text).collect();
            format!("[{}]{}", indices.join(", "), type_text(element))
        }
        Type::Unsupported(what, _) => format!("/* {what} */ int"),
    }
}

fn operator(op: Binary) -> &'static str {
    match op {
        Binary::Iff => "<==>",
        Binary::Implies => "==>",
        Binary::Explies => "<==",
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Eq => "==",
        Binary::Neq => "!=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
        Binary::Extends => "<:",
        Binary::Concat => "++",
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Slash => "/",
        Binary::Div => "div",
        Binary::Mod => "mod",
        Binary::Power => "**",
    }
}

fn expr_text(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Int(text) | ExprKind::Real(text) | ExprKind::Name(text) => text.clone(),
        ExprKind::Bv(value, width) => format!("{value}bv{width}"),
        ExprKind::Not(a) => format!("!({})", expr_text(a)),
        ExprKind::Neg(a) => format!("-({})", expr_text(a)),
        ExprKind::Binary(op, a, b) => {
            format!("({} {} {})", expr_text(a), operator(*op), expr_text(b))
        }
        ExprKind::Ite(c, a, b) => {
            let (c, a, b) = (expr_text(c), expr_text(a), expr_text(b));
            format!("(if {c} then {a} else {b})")
        }
        ExprKind::Apply(name, args) => format!("{}({})", name.text, exprs(args)),
        ExprKind::Old(a) => format!("old({})", expr_text(a)),
        ExprKind::Select(a, i) => format!("({})[{}]", expr_text(a), exprs(i)),
        ExprKind::Store(a, i, v) => {
            format!("({})[{} := {}]", expr_text(a), exprs(i), expr_text(v))
        }
        ExprKind::Extract(a, high, low) => format!("({})[{high}:{low}]", expr_text(a)),
        ExprKind::Quantified(q, binders, body) => {
            let word = match q {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Lambda => "lambda",
            };
            let binders: Vec<String> = binders
                .iter()
                .map(|b| format!("{}: {}", b.name.text, type_text(&b.ty)))
                .collect();
            format!("({word} {} :: {})", binders.join(", "), expr_text(body))
        }
    }
}
