//! A module as it is read: types, globals, functions, instructions.
//!
//! Names are slices of the text. Typed pointers are plain pointers: every instruction that needs a
//! type says it. Metadata is kept as text by number and looked at on demand ([`super::debug`]).

use base::FxHashMap;

/// Index into [`Module::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(pub u32);

/// Index into [`Function::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// Index into [`Function::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatType {
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type<'t> {
    Void,
    Int(u32),
    Float(FloatType),
    Pointer,
    Array(u64, Ty),
    Vector(u64, Ty),
    Struct {
        fields: Vec<Ty>,
        packed: bool,
    },
    /// By name; the body is in [`Module::named`].
    Named(&'t str),
    Function {
        ret: Ty,
        params: Vec<Ty>,
        variadic: bool,
    },
    Metadata,
    /// `label`, `token`, `x86_mmx`, target types.
    Other,
}

#[derive(Clone, Debug)]
pub enum Value<'t> {
    Local(ValueId),
    Global(&'t str),
    /// The low 128 bits, as signed.
    Int(i128),
    /// An integer that no type here holds, as it is written.
    Big(&'t str),
    /// As text: `1.0e3`, `0x7FF…`, `0xK…`.
    Float(&'t str),
    Null,
    Zero,
    /// `undef`
    Undef,
    Poison,
    /// Elements of a struct, array or vector.
    Aggregate(Vec<Typed<'t>>),
    Bytes(&'t str),
    /// Every element of a vector.
    Splat(Box<Typed<'t>>),
    Expr(Box<ConstExpr<'t>>),
    BlockAddress(&'t str, &'t str),
    Metadata(&'t str),
    /// Assembly of the machine: its text.
    Asm(&'t str),
}

#[derive(Clone, Debug)]
pub struct Typed<'t> {
    pub ty: Ty,
    pub value: Value<'t>,
}

#[derive(Clone, Debug)]
pub enum ConstExpr<'t> {
    Cast(&'t str, Typed<'t>, Ty),
    Gep {
        base: Ty,
        args: Vec<Typed<'t>>,
    },
    Binary(&'t str, Typed<'t>, Typed<'t>),
    Compare(&'t str, Typed<'t>, Typed<'t>),
    Select(Typed<'t>, Typed<'t>, Typed<'t>),
    /// Anything else; its value is not known.
    Other,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub nuw: bool,
    pub nsw: bool,
    pub exact: bool,
    pub inbounds: bool,
    pub disjoint: bool,
    pub nneg: bool,
}

#[derive(Clone, Debug)]
pub struct Call<'t> {
    pub ret: Ty,
    /// How many arguments are parameters, where the call says the type of a variadic function whole; the others are
    /// behind the dots.
    pub variadic: Option<usize>,
    pub callee: Value<'t>,
    pub args: Vec<Typed<'t>>,
    /// `byval` and the like, by argument.
    pub byval: Vec<Option<Ty>>,
    pub attributes: Vec<&'t str>,
    pub noreturn: bool,
    pub nounwind: bool,
}

#[derive(Clone, Debug)]
pub enum Op<'t> {
    Binary(&'t str, Flags, Ty, Value<'t>, Value<'t>),
    FNeg(Ty, Value<'t>),
    ICmp(&'t str, Ty, Value<'t>, Value<'t>),
    FCmp(&'t str, Ty, Value<'t>, Value<'t>),
    Cast(&'t str, Flags, Typed<'t>, Ty),
    Select(Typed<'t>, Typed<'t>, Typed<'t>),
    Phi(Ty, Vec<(Value<'t>, BlockId)>),
    Alloca(Ty, Option<Typed<'t>>),
    Load(Ty, Value<'t>),
    Store(Typed<'t>, Value<'t>),
    Gep {
        base: Ty,
        flags: Flags,
        args: Vec<Typed<'t>>,
    },
    Call(Box<Call<'t>>),
    Invoke(Box<Call<'t>>, BlockId, BlockId),
    ExtractValue(Typed<'t>, Vec<u64>),
    InsertValue(Typed<'t>, Typed<'t>, Vec<u64>),
    ExtractElement(Typed<'t>, Typed<'t>),
    InsertElement(Typed<'t>, Typed<'t>, Typed<'t>),
    Shuffle(Typed<'t>, Typed<'t>, Typed<'t>),
    Freeze(Typed<'t>),
    VaArg(Typed<'t>, Ty),
    LandingPad {
        ty: Ty,
        cleanup: bool,
        /// `true`: catch, `false`: filter.
        clauses: Vec<(bool, Typed<'t>)>,
    },
    Resume(Typed<'t>),
    Return(Option<Typed<'t>>),
    Branch(BlockId),
    CondBranch(Value<'t>, BlockId, BlockId),
    Switch(Typed<'t>, BlockId, Vec<(i128, BlockId)>),
    IndirectBranch(Value<'t>, Vec<BlockId>),
    Unreachable,
    Fence,
    CompareExchange(Value<'t>, Typed<'t>, Typed<'t>),
    AtomicRmw(&'t str, Value<'t>, Typed<'t>),
    /// `#dbg_declare` and `#dbg_value`: what, variable.
    Debug(&'t str, Typed<'t>, &'t str),
    /// Windows exceptions, `callbr`: read, not modelled.
    Unsupported(&'t str, Vec<BlockId>),
}

#[derive(Clone, Debug)]
pub struct Instruction<'t> {
    pub result: Option<ValueId>,
    pub op: Op<'t>,
    /// Byte offset in the text.
    pub at: u32,
    /// `!dbg`
    pub location: Option<u32>,
    /// `align`: of an allocation, what its address is a multiple of.
    pub align: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Block<'t> {
    pub name: &'t str,
    pub instructions: Vec<Instruction<'t>>,
    /// Declared by a use only; every block has its text in the end.
    pub defined: bool,
}

#[derive(Clone, Debug)]
pub struct LocalValue<'t> {
    pub name: &'t str,
    /// Of a parameter or an instruction, once known.
    pub ty: Option<Ty>,
    pub defined: bool,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub value: Option<ValueId>,
    pub ty: Ty,
    pub byval: Option<Ty>,
    /// `signext`, `zeroext`
    pub sign: Option<bool>,
}

#[derive(Clone, Debug)]
pub struct Function<'t> {
    pub name: &'t str,
    pub at: u32,
    pub ret: Ty,
    pub ret_sign: Option<bool>,
    pub params: Vec<Param>,
    pub variadic: bool,
    pub internal: bool,
    pub weak: bool,
    pub attributes: Vec<&'t str>,
    pub noreturn: bool,
    pub nounwind: bool,
    /// `!dbg`
    pub subprogram: Option<u32>,
    pub values: Vec<LocalValue<'t>>,
    /// Empty: only declared.
    pub blocks: Vec<Block<'t>>,
}

#[derive(Clone, Debug)]
pub struct Global<'t> {
    pub name: &'t str,
    pub at: u32,
    pub ty: Ty,
    pub constant: bool,
    pub internal: bool,
    pub thread_local: bool,
    pub init: Option<Value<'t>>,
    /// `!dbg`
    pub debug: Option<u32>,
    /// What its address is a multiple of.
    pub align: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Module<'t> {
    pub layout: &'t str,
    pub triple: &'t str,
    pub types: Vec<Type<'t>>,
    pub type_ids: FxHashMap<Type<'t>, Ty>,
    pub named: FxHashMap<&'t str, Ty>,
    pub globals: Vec<Global<'t>>,
    pub functions: Vec<Function<'t>>,
    /// Aliases and ifuncs: name and target.
    pub aliases: Vec<(&'t str, Typed<'t>)>,
    /// Definitions of numbered metadata, as text.
    pub metadata: FxHashMap<u32, &'t str>,
    /// `!name = !{…}`
    pub named_metadata: FxHashMap<&'t str, &'t str>,
    /// Attribute groups by number.
    pub groups: FxHashMap<&'t str, &'t str>,
}

impl<'t> Module<'t> {
    pub fn intern(&mut self, ty: Type<'t>) -> Ty {
        if let Some(&id) = self.type_ids.get(&ty) {
            return id;
        }
        let id = Ty(self.types.len() as u32);
        self.types.push(ty.clone());
        self.type_ids.insert(ty, id);
        id
    }

    /// The type, through its name.
    pub fn get(&self, ty: Ty) -> &Type<'t> {
        let mut ty = ty;
        for _ in 0..8 {
            match &self.types[ty.0 as usize] {
                Type::Named(name) => match self.named.get(name) {
                    Some(&body) => ty = body,
                    None => return &Type::Other,
                },
                other => return other,
            }
        }
        &Type::Other
    }

    /// Bits of an integer type.
    pub fn int_bits(&self, ty: Ty) -> Option<u32> {
        match self.get(ty) {
            Type::Int(bits) => Some(*bits),
            _ => None,
        }
    }
}
