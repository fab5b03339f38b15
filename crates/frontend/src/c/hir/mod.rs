//! The typed tree of a whole program: what sema makes and the lowering reads.
//!
//! - Names are resolved to ids; ids are unit-wide, also those of locals.
//! - Every conversion is a [`ExprKind::Cast`]; arrays and functions decay explicitly
//!   (`AddressOf` of the first element, `FunctionAddress`).
//! - A [`Place`] denotes an object (lvalue), an [`Expr`] a value; `Load` goes from one to the other.
//! - Conditions (`if`, loops, `?:`, `&&`, `||`, `!`) are scalars that hold when unequal to zero;
//!   they are not cast.
//! - `sizeof`, `_Alignof`, `offsetof` of fixed types are `Int`; of a VLA an expression over the
//!   hidden local that holds its element count.
//! - `case` labels are ordinary labels; the switch lists which value jumps where.

pub mod dump;
mod number;
pub mod visit;

use super::types::{FloatKind, RecordId, TypeId, Types};
use base::{Id, IndexVec, new_id};
use program::interp::float::Width;
use program::{Note, Span};
use std::collections::BTreeMap;

new_id!(
    /// An object that lives as long as the program (also static locals and file-scope compound
    /// literals).
    pub GlobalId, "g");
new_id!(
    /// A parameter, automatic variable, hidden VLA length or block-scope compound literal.
    pub LocalId, "v");
new_id!(
    /// A function, with or without a body.
    pub FuncId, "f");
new_id!(
    /// A string literal's object.
    pub StringId, "str");
new_id!(
    /// An expression; dense over the unit, in the order of the tree.
    pub ExprId, "e");
new_id!(
    /// A label, `case` or `default`; unit-wide.
    pub LabelId, "label");

/// A linked program.
#[derive(Clone, Debug)]
pub struct Unit {
    pub types: Types,
    pub globals: IndexVec<GlobalId, Global>,
    pub functions: IndexVec<FuncId, Function>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    pub strings: IndexVec<StringId, StringLiteral>,
    /// Alignments that declarations ask for, beyond those of types.
    pub alignments: Alignments,
    /// How many expressions have an id, see [`Unit::number`].
    pub exprs: usize,
    /// What was read but is only over-approximated.
    pub notes: Vec<Note>,
    /// What is relied on for the meaning of the program.
    pub assumptions: Vec<Note>,
    /// The texts of assembly outside of functions: what they name is not known, but defined.
    pub assembly: Vec<String>,
}

/// Alignments in bytes, powers of two; what is not listed has that of its type.
#[derive(Clone, Debug, Default)]
pub struct Alignments {
    /// A listed object may have less than its type asks for.
    pub exact: bool,
    pub globals: BTreeMap<GlobalId, u64>,
    pub locals: BTreeMap<LocalId, u64>,
    pub functions: BTreeMap<FuncId, u64>,
}

impl Unit {
    /// A local that the program does not name.
    pub fn hidden_local(&mut self, function: FuncId, ty: TypeId, span: Span) -> LocalId {
        self.locals.push(Local {
            name: String::new(),
            ty,
            span,
            kind: LocalKind::Auto,
            function,
            is_const: false,
            is_volatile: false,
            address_taken: false,
        })
    }

    /// A global that the program does not name; zero at the start.
    pub fn hidden_global(&mut self, name: &str, ty: TypeId) -> GlobalId {
        self.globals.push(Global {
            name: name.into(),
            source_name: None,
            ty,
            span: Span::unknown(),
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            is_const: false,
            is_volatile: false,
            thread_local: false,
            function: None,
        })
    }

    pub fn align_of_global(&self, g: GlobalId) -> u64 {
        let asked = self.alignments.globals.get(&g).copied();
        self.alignment(asked, self.globals[g].ty)
    }

    pub fn align_of_local(&self, l: LocalId) -> u64 {
        let asked = self.alignments.locals.get(&l).copied();
        self.alignment(asked, self.locals[l].ty)
    }

    fn alignment(&self, asked: Option<u64>, ty: TypeId) -> u64 {
        match asked {
            Some(asked) if self.alignments.exact => asked,
            _ => asked.unwrap_or(1).max(self.types.align_of(ty)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    External,
    /// `static`, or no linkage.
    Internal,
}

#[derive(Clone, Debug)]
pub struct Global {
    /// Unique among globals and functions of the unit.
    pub name: String,
    /// The name in the source; `None` for a compound literal.
    pub source_name: Option<String>,
    pub ty: TypeId,
    pub span: Span,
    pub linkage: Linkage,
    /// `false`: only declared `extern`, no file defines it (its value is arbitrary).
    pub defined: bool,
    /// `None` with `defined`: all zero.
    pub init: Option<Init>,
    pub is_const: bool,
    pub is_volatile: bool,
    pub thread_local: bool,
    /// The function of a static local.
    pub function: Option<FuncId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    Param,
    Auto,
    /// Holds the element count of a VLA.
    VlaLength,
    CompoundLiteral,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// The name in the source; empty for unnamed ones.
    pub name: String,
    pub ty: TypeId,
    pub span: Span,
    pub kind: LocalKind,
    pub function: FuncId,
    pub is_const: bool,
    pub is_volatile: bool,
    /// Its address is used somewhere (by `&`, or array decay other than direct indexing).
    pub address_taken: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// Unique among globals and functions of the unit.
    pub name: String,
    pub source_name: String,
    /// A `Type::Function`.
    pub ty: TypeId,
    pub span: Span,
    pub linkage: Linkage,
    pub is_noreturn: bool,
    pub is_weak: bool,
    /// Used without a declaration (C89).
    pub implicit: bool,
    /// A model of the C library: it checks what it says itself and its arithmetic wraps.
    pub library: bool,
    pub body: Option<Body>,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub params: Vec<LocalId>,
    /// Labels whose address is taken: the targets of computed gotos.
    pub address_labels: Vec<LabelId>,
    pub block: Block,
    /// Place of the closing brace.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Label {
    /// The user's name; `None` for `case` and `default`.
    pub name: Option<String>,
    pub span: Span,
    /// Jumps out of other functions land here, before it is known where in the function they go on.
    pub landing: bool,
}

#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// Element values as unsigned patterns (`"\xff"` is 255), with the terminating zero.
    pub units: Vec<u32>,
    /// Array type, `units.len()` elements.
    pub ty: TypeId,
    pub span: Span,
}

// ---------------------------------------------------------------- statements

/// A scope. Jumping into it past a declaration leaves the object uninitialised.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// The object begins here: a new indeterminate value each time, then `init`.
    Decl {
        local: LocalId,
        init: Option<Init>,
    },
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        els: Option<Box<Stmt>>,
    },
    /// `Stmt::span` of a loop is its keyword.
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    For {
        /// Declarations or one expression.
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `value` is promoted; case values are converted to its type. No two ranges overlap. Without
    /// a match and `default` the switch is left. `break` leaves it.
    Switch {
        value: Expr,
        cases: Vec<Case>,
        default: Option<LabelId>,
        body: Box<Stmt>,
    },
    /// Control may arrive here from elsewhere; continues with the next statement.
    Label(LabelId),
    Goto(LabelId),
    /// To one of `Body::address_labels`.
    ComputedGoto(Expr),
    /// The value has the function's return type.
    Return(Option<Expr>),
    Break,
    Continue,
    Asm(Asm),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Inclusive.
    pub low: i128,
    pub high: i128,
    pub label: LabelId,
    pub span: Span,
}

/// Inline assembly; not modelled, so outputs (and memory, if clobbered) become arbitrary.
#[derive(Clone, Debug)]
pub struct Asm {
    pub template: String,
    pub outputs: Vec<AsmOutput>,
    pub inputs: Vec<Expr>,
    pub clobbers: Vec<String>,
    /// `asm goto` targets.
    pub labels: Vec<LabelId>,
    pub is_volatile: bool,
}

#[derive(Clone, Debug)]
pub struct AsmOutput {
    pub constraint: String,
    pub place: Place,
}

// ---------------------------------------------------------------- initialisers

/// Flattened initialiser of one object, items in order of evaluation; a later item overrides an
/// earlier one at the same place (both are kept only if the earlier has effects).
#[derive(Clone, Debug)]
pub struct Init {
    /// Bytes no item writes are zero (aggregates); `false` for a scalar or whole-object copy.
    pub zero_rest: bool,
    pub items: Vec<InitItem>,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    /// From the object to the part; empty for the whole object.
    pub path: Vec<Step>,
    /// Byte offset of the part (of the byte with the first bit, for a bit-field).
    pub offset: u64,
    pub ty: TypeId,
    pub value: InitValue,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Field number `1` of the record; look there for its place and whether it is a bit-field.
    Field(RecordId, u32),
    Index(u64),
}

#[derive(Clone, Debug)]
pub enum InitValue {
    /// Of type `ty`; may be a whole struct.
    Expr(Expr),
    /// The array of type `ty` gets the literal's elements, cut to its length, the rest zero.
    String(StringId),
}

// ---------------------------------------------------------------- expressions

#[derive(Clone, Debug)]
pub struct Expr {
    /// Given by [`Unit::number`] when the unit is complete; tables about expressions go by it.
    pub id: ExprId,
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Of integer, enum or pointer type, in the type's range (`unsigned __int128` above
    /// `i128::MAX` is stored as its two's complement).
    Int(i128),
    /// Bit pattern of the type's float kind.
    Float(u128),
    /// The value of an object (scalar or record). A bit-field's value has its declared type here;
    /// the promotion is a `Cast` around it.
    Load(Box<Place>),
    /// `&place`, and decay of an array place (then `ty` is pointer to element).
    AddressOf(Box<Place>),
    FunctionAddress(FuncId),
    /// `&&label`.
    LabelAddress(LabelId),
    /// Operand promoted; `ty` is its type (`int` for `Not`).
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic: operands and result of one type. Shifts: each operand promoted by itself,
    /// `ty` is the left one's. Comparisons: operands of one type (arithmetic or pointer), `ty` int.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `pointer ± index`, scaled by `size` bytes; `index` has any integer type, unextended.
    PointerOffset {
        pointer: Box<Expr>,
        index: Box<Expr>,
        subtract: bool,
        size: Box<SizeOf>,
    },
    /// `(left - right) / size`, of type `ptrdiff_t`.
    PointerDifference {
        left: Box<Expr>,
        right: Box<Expr>,
        size: Box<SizeOf>,
    },
    /// To `Expr::ty`.
    Cast(CastKind, Box<Expr>),
    /// `value` has the place's type; the result is the value stored (cut to a bit-field's width).
    Assign {
        place: Box<Place>,
        value: Box<Expr>,
    },
    /// `place op= value`: load, convert to `compute`, operate, convert back, store. The place is
    /// evaluated once. For shifts `value` has its own promoted type, else `compute`.
    CompoundAssign {
        op: BinaryOp,
        place: Box<Place>,
        value: Box<Expr>,
        compute: TypeId,
    },
    /// `pointer += index`, `-=`; the place is evaluated once.
    PointerAssign {
        place: Box<Place>,
        index: Box<Expr>,
        subtract: bool,
        size: Box<SizeOf>,
    },
    /// `++`, `--` on an arithmetic place. `compute` is the type of the addition; for a pointer,
    /// `size` is the step in bytes. The value is the new one for `prefix`, else the old one.
    IncDec {
        place: Box<Place>,
        decrement: bool,
        prefix: bool,
        compute: TypeId,
        size: Option<Box<SizeOf>>,
    },
    /// Of type int, 0 or 1, short-circuit.
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    /// Branches have type `ty` (or `ty` is void).
    Conditional {
        cond: Box<Expr>,
        then: Box<Expr>,
        els: Box<Expr>,
    },
    /// GNU `cond ?: els`: `cond` is evaluated once and, if non-zero, converted to `ty`.
    Elvis {
        cond: Box<Expr>,
        els: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// Arguments are converted to parameter types, extra ones promoted.
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    /// A `__builtin_*`, `__sync_*`, `__atomic_*` function by its name, arguments promoted.
    Intrinsic {
        name: String,
        args: Vec<Expr>,
    },
    /// `va_arg(list, ty)`; the list as an lvalue.
    VaArg(Box<Place>),
    /// `({ … value; })`; `value` is evaluated last, inside the block's scope.
    StmtExpr {
        block: Block,
        value: Option<Box<Expr>>,
    },
    /// GNU cast of a scalar to a union that has `field` of that type (also transparent unions).
    UnionOf {
        field: u32,
        value: Box<Expr>,
    },
}

/// Size of a type: known, or for VLAs `factor` times the element counts in the locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeOf {
    pub factor: u64,
    pub lengths: Vec<LocalId>,
}

#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FuncId),
    /// A pointer to function.
    Indirect(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    BitNot,
    /// `!`, of type int.
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// What a cast does, by the kinds of its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastKind {
    /// Truncate or extend (integers and enums).
    IntToInt,
    IntToFloat,
    FloatToInt,
    FloatToFloat,
    IntToPointer,
    PointerToInt,
    PointerToPointer,
    /// To `_Bool`: unequal to zero.
    ToBool,
    ToVoid,
    /// To the width of a bit-field wider than int, in which gcc computes; the type stays the
    /// declared one.
    Narrow {
        width: u32,
        signed: bool,
    },
    /// Between equal types spelled differently (compatible records); no effect.
    Same,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Global(GlobalId),
    Local(LocalId),
    /// The object of a string literal.
    String(StringId),
    /// `*pointer`.
    Deref(Box<Expr>),
    /// Member `field` of the record; a bit-field if the record says so.
    Field {
        base: Box<Place>,
        record: RecordId,
        field: u32,
    },
    /// Element of an array place (no decay). Indexing through a pointer is
    /// `Deref(PointerOffset)`.
    Index {
        base: Box<Place>,
        index: Box<Expr>,
    },
    /// A compound literal in a function: the local begins and is initialised when evaluated.
    CompoundLiteral {
        local: LocalId,
        init: Init,
    },
    /// A record value that is no object: `f().member`.
    Temporary(Box<Expr>),
}

impl Expr {
    /// Without a number of its own yet.
    pub fn new(kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        let id = ExprId::from_index(0);
        Expr { id, kind, ty, span }
    }

    /// The string literal whose first character the value points to, under any casts.
    pub fn as_string(&self) -> Option<StringId> {
        let mut e = self;
        while let ExprKind::Cast(_, inner) = &e.kind {
            e = inner;
        }
        let ExprKind::AddressOf(p) = &e.kind else {
            return None;
        };
        let mut p = &**p;
        while let PlaceKind::Index { base, index } = &p.kind {
            if index.as_int() != Some(0) {
                return None;
            }
            p = base;
        }
        match p.kind {
            PlaceKind::String(s) => Some(s),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }

    /// Are the operands alike?
    pub fn commutes(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Mul | BitAnd | BitOr | BitXor | Eq | Ne)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
}

impl FloatKind {
    /// Width of the bit pattern.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::F80 => 80,
            FloatKind::F128 => 128,
        }
    }

    /// The format of the bit pattern.
    pub fn width(self) -> Width {
        match self {
            FloatKind::F32 => Width::W32,
            FloatKind::F64 => Width::W64,
            FloatKind::F80 => Width::W80,
            FloatKind::F128 => Width::W128,
        }
    }
}
