//! The syntax tree of one file, as written: no types yet, literals still text.
//!
//! Every node has the index of a token (`at`): its operator or first token. Nodes are small so
//! that deep trees are cheap to build and recurse over.

use super::lexer::Symbol;

/// Index into the file's tokens.
pub type At = u32;

#[derive(Debug, Default)]
pub struct File {
    pub items: Vec<Item>,
}

#[derive(Debug)]
pub enum Item {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
    StaticAssert(Box<StaticAssert>),
    /// File-scope `asm("…")`.
    Asm(At),
}

#[derive(Debug)]
pub struct StaticAssert {
    pub at: At,
    pub cond: Expr,
    /// First token of the message.
    pub message: Option<At>,
}

#[derive(Debug)]
pub struct FunctionDef {
    pub specs: Specifiers,
    pub declarator: Declarator,
    /// Parameter declarations of an old-style definition.
    pub old_params: Vec<Declaration>,
    pub body: Block,
}

#[derive(Debug)]
pub struct Declaration {
    pub specs: Specifiers,
    pub declarators: Vec<InitDeclarator>,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

// ---------------------------------------------------------------- declarations

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
}

#[derive(Debug, Default)]
pub struct Specifiers {
    pub at: At,
    pub storage: Storage,
    pub quals: Qualifiers,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub ty: TypeSpec,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug, Default)]
pub enum TypeSpec {
    /// No type named: `int` by the old rule.
    #[default]
    Implicit,
    Builtin(Builtin),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    Typedef(Symbol),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `__auto_type`.
    Auto,
    /// An unknown name was reported here.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Base {
    #[default]
    None,
    Void,
    Char,
    Int,
    Float,
    Double,
    Bool,
    Int128,
}

/// The words of a built-in type, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Builtin {
    pub base: Base,
    pub longs: u8,
    pub short: bool,
    pub signed: bool,
    pub unsigned: bool,
    pub complex: bool,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub at: At,
    pub is_union: bool,
    pub tag: Option<Symbol>,
    pub members: Option<Vec<MemberDecl>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub enum MemberDecl {
    Members(Box<Specifiers>, Vec<MemberDeclarator>),
    StaticAssert(Box<StaticAssert>),
}

#[derive(Debug)]
pub struct MemberDeclarator {
    pub declarator: Declarator,
    pub width: Option<Expr>,
}

#[derive(Debug)]
pub struct EnumSpec {
    pub at: At,
    pub tag: Option<Symbol>,
    pub constants: Option<Vec<EnumConstant>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct EnumConstant {
    pub at: At,
    pub name: Symbol,
    pub value: Option<Expr>,
}

/// A name and what surrounds it; `parts` from the name outwards: `int *f(void)` is function, then
/// pointer.
#[derive(Debug, Default)]
pub struct Declarator {
    pub at: At,
    pub name: Option<Symbol>,
    pub parts: Vec<Part>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub enum Part {
    Pointer(Qualifiers),
    Array(ArraySize),
    Function(Box<Params>),
}

#[derive(Debug)]
pub enum ArraySize {
    None,
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug, Default)]
pub struct Params {
    pub list: Vec<Param>,
    pub variadic: bool,
    /// `()`.
    pub empty: bool,
    /// `f(a, b)` of an old-style definition.
    pub names: Vec<(At, Symbol)>,
}

#[derive(Debug)]
pub struct Param {
    pub specs: Specifiers,
    pub declarator: Declarator,
}

#[derive(Debug)]
pub struct TypeName {
    pub specs: Specifiers,
    pub declarator: Declarator,
}

/// The attributes that change meaning; others are read and dropped.
#[derive(Debug)]
pub enum Attribute {
    Packed,
    /// Also `_Alignas(expr)`; `None`: the greatest useful.
    Aligned(Option<Box<Expr>>),
    AlignedAs(Box<TypeName>),
    Mode(Symbol),
    VectorSize(Box<Expr>),
    TransparentUnion,
    Noreturn,
    Weak,
    /// Token of the target's name string.
    Alias(At),
    /// First token of the name that the linker knows, `asm("name")`.
    AsmLabel(At),
    /// Called before `main`, in the order of priorities.
    Constructor(Option<Box<Expr>>),
    /// Called when the program ends, in the reverse order.
    Destructor(Option<Box<Expr>>),
    /// Called with the variable's address when it ends.
    Cleanup(At, Symbol),
    /// It changes the meaning of the program and is not modelled: the program is refused.
    Refused(At),
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Expr),
    List(At, Vec<InitEntry>),
}

#[derive(Debug)]
pub struct InitEntry {
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    Field(At, Symbol),
    Index(Expr),
    Range(Expr, Expr),
}

// ---------------------------------------------------------------- statements

#[derive(Debug, Default)]
pub struct Block {
    pub at: At,
    pub stmts: Vec<Stmt>,
    /// Token of the closing brace.
    pub end: At,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub at: At,
}

#[derive(Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Decl(Box<Declaration>),
    /// GNU: a function inside a function.
    Function(Box<FunctionDef>),
    StaticAssert(Box<StaticAssert>),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    Block(Block),
    /// Labels in a row, then a statement.
    Labeled(Vec<Label>, Box<Stmt>),
    /// An `if … else if …` chain, flat.
    If(Vec<(At, Expr, Stmt)>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For(Box<For>),
    Switch(Expr, Box<Stmt>),
    Goto(Symbol),
    ComputedGoto(Expr),
    Return(Option<Expr>),
    Break,
    Continue,
    Asm(Box<Asm>),
}

#[derive(Debug)]
pub struct For {
    pub init: Option<Stmt>,
    pub cond: Option<Expr>,
    pub step: Option<Expr>,
    pub body: Stmt,
}

#[derive(Debug)]
pub enum Label {
    Name(At, Symbol),
    Case(At, Expr, Option<Expr>),
    Default(At),
}

#[derive(Debug, Default)]
pub struct Asm {
    pub is_volatile: bool,
    /// First token of the template strings.
    pub template: At,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    /// Tokens of the clobber strings.
    pub clobbers: Vec<At>,
    pub labels: Vec<Symbol>,
}

#[derive(Debug)]
pub struct AsmOperand {
    pub constraint: At,
    pub expr: Expr,
}

// ---------------------------------------------------------------- expressions

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub at: At,
}

#[derive(Debug)]
pub enum ExprKind {
    Name(Symbol),
    /// Text at `at`.
    Number,
    Char,
    /// Adjacent string literals, from `at` on.
    Strings(u32),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<(Expr, Expr)>),
    Assign(Box<(Expr, Expr)>),
    CompoundAssign(Binary, Box<(Expr, Expr)>),
    IncDec {
        decrement: bool,
        prefix: bool,
        operand: Box<Expr>,
    },
    /// The middle is missing in `a ?: b`.
    Conditional(Box<(Expr, Option<Expr>, Expr)>),
    Comma(Box<(Expr, Expr)>),
    Index(Box<(Expr, Expr)>),
    Call(Box<(Expr, Vec<Expr>)>),
    Member(Box<Expr>, Symbol),
    Arrow(Box<Expr>, Symbol),
    Cast(Box<(TypeName, Expr)>),
    CompoundLiteral(Box<(TypeName, Initializer)>),
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    StmtExpr(Box<Block>),
    LabelAddress(Symbol),
    VaArg(Box<(Expr, TypeName)>),
    Offsetof(Box<(TypeName, Vec<Designator>)>),
    TypesCompatible(Box<(TypeName, TypeName)>),
    /// `__builtin_convertvector`: to the vector type, element by element.
    ConvertVector(Box<(Expr, TypeName)>),
    ChooseExpr(Box<(Expr, Expr, Expr)>),
    Generic(Box<(Expr, Vec<Association>)>),
    Quantifier(Box<Quantifier>),
}

/// `__CPROVER_forall { int i; range ==> body }`, `__CPROVER_exists { int i; range && body }`.
#[derive(Debug)]
pub struct Quantifier {
    pub exists: bool,
    pub variable: Param,
    pub body: Expr,
}

/// One line of `_Generic`; `None` is `default`.
pub type Association = (Option<TypeName>, Expr);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddressOf,
    Real,
    Imag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}
