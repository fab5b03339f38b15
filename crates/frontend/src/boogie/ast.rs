//! Boogie programs as trees, names unresolved.

use program::Span;

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Iff,
    Implies,
    Explies,
    And,
    Or,
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
    /// `<:`, the order on constants.
    Extends,
    Concat,
    Add,
    Sub,
    Mul,
    /// `/`
    Slash,
    Div,
    Mod,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
    Lambda,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    /// Digits.
    Int(String),
    /// As written, perhaps with an exponent.
    Real(String),
    Bv(String, u32),
    Name(String),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Of a function, also of the coercions `int` and `real`.
    Apply(Name, Vec<Expr>),
    Old(Box<Expr>),
    Select(Box<Expr>, Vec<Expr>),
    Store(Box<Expr>, Vec<Expr>, Box<Expr>),
    /// Bits `low..high`.
    Extract(Box<Expr>, u32, u32),
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Binder {
    pub name: Name,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub enum Type {
    /// `int`, `bool`, `real`, `bvN`, a synonym or a declared type, with its arguments.
    Named(Name, Vec<Type>),
    Map(Vec<Type>, Box<Type>),
    /// What the model has no place for: its name in words.
    Unsupported(&'static str, Span),
}

/// A condition of a specification or an assertion.
#[derive(Clone, Debug)]
pub struct Clause {
    pub expr: Expr,
    /// As the user wrote it.
    pub text: String,
    pub free: bool,
    pub span: Span,
}

/// A typed name: global, constant, parameter or local.
#[derive(Clone, Debug)]
pub struct Typed {
    pub name: Name,
    pub ty: Type,
    pub condition: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    /// The first argument, if it is a string.
    pub text: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub attributes: Vec<Attribute>,
    pub params: Vec<(Option<Name>, Type)>,
    pub result: Type,
    pub body: Option<Expr>,
    pub polymorphic: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<Name>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<Typed>,
    pub stmts: Vec<Stmt>,
    pub end: Span,
}

/// A procedure, or an implementation of one (whose `spec` is empty).
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Name,
    pub ins: Vec<Typed>,
    pub outs: Vec<Typed>,
    pub spec: Spec,
    pub body: Option<Body>,
    pub polymorphic: bool,
}

#[derive(Clone, Debug)]
pub struct Lhs {
    pub name: Name,
    /// `a[i][j, k] := …` has two groups.
    pub indices: Vec<Vec<Expr>>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Label(String),
    Assert(Clause),
    Assume(Expr),
    Havoc(Vec<Name>),
    Assign(Vec<Lhs>, Vec<Expr>),
    Call {
        callee: Name,
        args: Vec<Expr>,
        results: Vec<Name>,
    },
    /// No condition: `*`.
    If(Option<Expr>, Vec<Stmt>, Vec<Stmt>),
    While {
        condition: Option<Expr>,
        invariants: Vec<Clause>,
        body: Vec<Stmt>,
    },
    Break(Option<Name>),
    Goto(Vec<Name>),
    Return,
}

#[derive(Clone, Debug)]
pub enum TypeDecl {
    Opaque(Name),
    Synonym(Name, Vec<Name>, Type),
}

#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub types: Vec<TypeDecl>,
    /// With whether each is `unique`.
    pub constants: Vec<(Typed, bool)>,
    pub functions: Vec<Function>,
    pub axioms: Vec<Clause>,
    pub globals: Vec<Typed>,
    pub procedures: Vec<Procedure>,
    pub implementations: Vec<Procedure>,
}
