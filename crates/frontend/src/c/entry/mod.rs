//! A function as an entry of its own: a caller that hands it any arguments and any globals.
//!
//! ```text
//! int sum(const int *a, int n)   →   void __craig_entry(void) {
//!                                      if (input("a is null")) a = 0;
//!                                      else { k = input("elements of a"); a = malloc(k * sizeof *a); }
//!                                      n = input("n");
//!                                      sum(a, n);
//!                                    }
//! ```
//! The caller is made of the typed tree, so that interpreter and engines meet nothing new, and its
//! choices are inputs of the counterexample. Pointers are null or lead to fresh memory of any number of
//! elements; a record with pointers in it is filled field by field, down to a depth.
//!
//! Invariant: everything that is assumed of a caller is a line of the [`Description`]; a proof holds for
//! callers that keep those.

mod build;
mod casts;
mod functions;
mod shapes;
mod uses;
mod watch;

use super::hir::{FuncId, Unit};
use super::lower::system_files;
use super::types::{Type, TypeId};
use build::Build;
use program::{FileId, SourceMap};

/// The name of the caller.
pub const ENTRY: &str = "__craig_entry";

/// What the caller is to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The function to call.
    pub function: String,
    /// What it asks of its arguments.
    pub requires: Vec<Requires>,
    /// Pointers behind pointers are followed so far; deeper ones are null.
    pub depth: u32,
    /// Pointers of one type may be equal, also to what they are reached from.
    pub sharing: bool,
    /// Call it as it is: a harness without arguments that starts with the initial globals.
    pub plain: bool,
    /// The question is whether the call returns: that is the error, and the only one.
    pub reach_end: bool,
}

/// A precondition on arguments, by their names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requires {
    NonNull(String),
    /// The pointer leads to at least as many elements as the number says.
    Room {
        pointer: String,
        count: String,
    },
    /// The pointer leads to more elements than the number says, which is an index.
    Less {
        pointer: String,
        index: String,
    },
    /// The pointer leads to at least as many elements as the two numbers together.
    Sum {
        pointer: String,
        first: String,
        second: String,
    },
    /// The pointer leads to at least as many elements as the other one.
    Longer {
        pointer: String,
        other: String,
    },
    /// The number is zero or more.
    NotNegative(String),
    /// The number is one or more.
    Positive(String),
    /// The pointer leads to at least so many elements.
    AtLeast {
        pointer: String,
        elements: u64,
    },
    /// The last of its elements is zero.
    Terminated(String),
    /// The number is less.
    Below {
        number: String,
        bound: u64,
    },
    /// A function without a body returns as many bytes as it is asked for.
    Allocates(String),
    /// The pointer leads to an element of the other one's object, or to its end.
    Within {
        base: String,
        pointer: String,
    },
    /// Of two pointers into one object this one is first.
    Ordered {
        low: String,
        high: String,
    },
    /// Of two numbers in one record this one is less.
    Smaller {
        low: String,
        high: String,
    },
    /// The union does not hold this member where the number beside it has this value.
    Apart {
        union: String,
        member: String,
        tag: String,
        value: i64,
    },
    /// The pointer leads back to what it is reached from, where structures are not followed any more.
    Cycle {
        pointer: String,
        target: String,
    },
    /// The pointer does not lead to this record where a number in it has this value.
    Other {
        pointer: String,
        record: String,
        tag: String,
        value: i64,
    },
}

impl Requires {
    /// Does whoever keeps this one keep the other one too?
    pub fn implies(&self, other: &Requires) -> bool {
        match (self, other) {
            (
                Requires::AtLeast { pointer, elements },
                Requires::AtLeast {
                    pointer: p,
                    elements: n,
                },
            ) => pointer == p && elements >= n,
            (Requires::Positive(a), Requires::NotNegative(b)) => a == b,
            (Requires::Less { pointer, index }, Requires::Room { pointer: p, count }) => {
                pointer == p && index == count
            }
            _ => self == other,
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        match self {
            Requires::NonNull(p) => format!("{p} != NULL"),
            Requires::Room { pointer, count } => format!("{count} <= elements of {pointer}"),
            Requires::Less { pointer, index } => format!("{index} < elements of {pointer}"),
            Requires::Sum {
                pointer,
                first,
                second,
            } => format!("{first} + {second} <= elements of {pointer}"),
            Requires::Longer { pointer, other } => {
                format!("elements of {other} <= elements of {pointer}")
            }
            Requires::NotNegative(n) => format!("0 <= {n}"),
            Requires::Positive(n) => format!("1 <= {n}"),
            Requires::AtLeast { pointer, elements } => {
                format!("{elements} <= elements of {pointer}")
            }
            Requires::Terminated(p) => format!("{p} ends with a zero"),
            Requires::Below { number, bound } => format!("{number} < {bound}"),
            Requires::Allocates(p) => format!("{p} has as many bytes as it is asked for"),
            Requires::Within { base, pointer } => format!("{pointer} points into {base}"),
            Requires::Ordered { low, high } => format!("{low} <= {high}"),
            Requires::Smaller { low, high } => format!("{low} < {high}"),
            Requires::Apart {
                union,
                member,
                tag,
                value,
            } => format!("{union} does not hold {member} if {tag} == {value}"),
            Requires::Cycle { pointer, target } => format!("{pointer} == {}", address(target)),
            Requires::Other {
                pointer,
                record,
                tag,
                value,
            } => format!("{pointer} does not lead to {record} if {tag} == {value}"),
        }
    }

    /// The pointer, or the number, that it is about.
    pub fn pointer(&self) -> &str {
        match self {
            Requires::NonNull(p) | Requires::Terminated(p) => p,
            Requires::NotNegative(n) | Requires::Positive(n) => n,
            Requires::Room { pointer, .. }
            | Requires::Less { pointer, .. }
            | Requires::Sum { pointer, .. }
            | Requires::Longer { pointer, .. }
            | Requires::Within { pointer, .. }
            | Requires::Other { pointer, .. }
            | Requires::Cycle { pointer, .. }
            | Requires::AtLeast { pointer, .. } => pointer,
            Requires::Below { number, .. } => number,
            Requires::Allocates(p) => p,
            Requires::Ordered { low, .. } | Requires::Smaller { low, .. } => low,
            Requires::Apart { union, .. } => union,
        }
    }

    /// As ACSL says it over a prototype; `None` if it is not about an argument.
    pub fn acsl(&self, caller: &Description) -> Option<String> {
        // What only casts speak of, the prototype does not.
        let cast = caller.cast.iter().any(|p| p == self.pointer());
        let plain = matches!(self, Requires::NonNull(_));
        let outside = self.pointer().contains("()");
        if self.pointer().contains("*)") || outside || cast && !plain {
            return None;
        }
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let root = self.pointer().trim_start_matches(['(', '*']);
        let root = root.split(|c| !name(c)).next()?;
        let parameters = caller.signature.as_ref()?.split_once('(')?.1;
        if !parameters.split(|c| !name(c)).any(|word| word == root) {
            return None;
        }
        // Nothing is valid or not behind a pointer to void: it has bytes.
        let untyped = caller.untyped.iter().any(|p| p == self.pointer());
        let start = |p: &String| match untyped {
            true => format!("(char *){p}"),
            false => p.clone(),
        };
        Some(match self {
            Requires::NonNull(p) if untyped || caller.functions.contains(p) => {
                format!("requires {p} != \\null;")
            }
            Requires::NonNull(p) => format!("requires \\valid({p});"),
            Requires::Room { pointer, count } => {
                let pointer = start(pointer);
                format!("requires {count} <= 0 || \\valid({pointer} + (0 .. {count} - 1));")
            }
            Requires::Less { pointer, index } => {
                let pointer = start(pointer);
                format!("requires {index} < 0 || \\valid({pointer} + (0 .. {index}));")
            }
            Requires::Sum {
                pointer,
                first,
                second,
            } => {
                let pointer = start(pointer);
                format!(
                    "requires {first} + {second} <= 0 || \\valid({pointer} + (0 .. {first} + {second} - 1));"
                )
            }
            // Both lead to elements of one type.
            Requires::Longer { pointer, other } => format!(
                "requires {other} == \\null || {pointer} != \\null && \\block_length({other}) - \\offset({other}) <= \\block_length({pointer}) - \\offset({pointer});"
            ),
            Requires::NotNegative(n) => format!("requires 0 <= {n};"),
            Requires::Positive(n) => format!("requires 1 <= {n};"),
            Requires::Below { number, bound } => format!("requires {number} < {bound};"),
            Requires::Within { base, pointer } => format!(
                "requires \\base_addr({pointer}) == \\base_addr({base}) && {base} <= {pointer};"
            ),
            Requires::Cycle { pointer, target } => {
                format!("requires {pointer} == {};", address(target))
            }
            Requires::Ordered { low, high } => format!("requires {low} <= {high};"),
            Requires::Smaller { low, high } => format!("requires {low} < {high};"),
            // Nothing in the logic says which member a union holds, what a pointer leads to beyond its type, or what a
            // function returns.
            Requires::Apart { .. } | Requires::Other { .. } | Requires::Allocates(_) => {
                return None;
            }
            Requires::AtLeast { pointer, elements } => {
                let pointer = start(pointer);
                format!("requires \\valid({pointer} + (0 .. {}));", elements - 1)
            }
            Requires::Terminated(p) => format!(
                "requires {p} == \\null || \\exists integer i; 0 <= i < \\block_length({p}) && {p}[i] == 0;"
            ),
        })
    }
}

/// The address of an object, as C writes it.
fn address(target: &str) -> String {
    let inner = target.strip_prefix("(*").and_then(|t| t.strip_suffix(')'));
    match inner {
        Some(pointer) if !pointer.contains([' ', '-']) && balanced(pointer) => pointer.to_string(),
        _ => format!("&{target}"),
    }
}

/// Do all its parentheses belong together?
fn balanced(text: &str) -> bool {
    let mut open = 0_i32;
    for c in text.chars() {
        open += i32::from(c == '(') - i32::from(c == ')');
        if open < 0 {
            return false;
        }
    }
    open == 0
}

/// What the caller chooses and assumes.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// What is assumed of every caller, for people.
    pub assumed: Vec<String>,
    /// Arguments that are pointers to objects.
    pub pointers: Vec<String>,
    /// Arguments that are integers.
    pub counts: Vec<String>,
    /// Those of them that may be negative.
    pub signed: Vec<String>,
    /// Pointers and integers that are members of one record: the one may lead to as many elements as the other says.
    pub members: Vec<(String, String)>,
    /// Pointers, of arguments or members, that lead to any number of elements.
    pub arrays: Vec<String>,
    /// Those of them whose elements are bytes but not `char`: they may be strings or not.
    pub bytes: Vec<String>,
    /// Numbers, and lengths of arrays that they may be indices of.
    pub bounded: Vec<(String, u64)>,
    /// What functions without a body return that are asked for a size.
    pub allocators: Vec<String>,
    /// Pointers of one type: the second may lead into the elements of the first.
    pub pairs: Vec<(String, String)>,
    /// Numbers beside each other in a record with elements.
    pub beside: Vec<(String, String)>,
    /// Pointers that are null since structures are followed to a depth.
    pub cut: Vec<String>,
    /// Such pointers, and objects that they are reached from, which they may lead back to.
    pub cycles: Vec<(String, String)>,
    /// Unions of which an input chooses the member.
    pub unions: Vec<Union>,
    /// Pointers of which an input chooses to which record they lead, with these records in the order of the choice.
    pub leads: Vec<(String, Vec<Lead>)>,
    /// Pointers to `void`.
    pub untyped: Vec<String>,
    /// Pointers that lead to what the program casts them to.
    pub cast: Vec<String>,
    /// Pointers to functions.
    pub functions: Vec<String>,
    /// The function's prototype, where C can write it without declarators.
    pub signature: Option<String>,
    /// The records and enumerations that it speaks of, in order.
    pub definitions: Vec<String>,
}

/// A union in a record: the input `PATH holds MEMBER` chooses the first that it is true of, or the last one.
#[derive(Clone, Debug, Default)]
pub struct Union {
    pub path: String,
    pub members: Vec<String>,
    /// Numbers beside it.
    pub tags: Vec<String>,
}

/// A record that a pointer may lead to: the input `POINTER leads to TEXT` chooses it.
#[derive(Clone, Debug, Default)]
pub struct Lead {
    pub text: String,
    /// Numbers at its start that may say which record it is.
    pub tags: Vec<String>,
}

/// The functions that can be entries: those with a body in a file that counts, in the order of the text.
pub fn entries(unit: &Unit, counts: impl Fn(FileId) -> bool) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for f in unit.functions.iter().filter(|f| counts(f.span.file)) {
        let known = out.contains(&f.source_name);
        let inner = f.source_name.contains("__craig_");
        if f.body.is_some() && !f.library && !known && !inner && !f.source_name.is_empty() {
            out.push(f.source_name.clone());
        }
    }
    out
}

/// Adds the caller to the unit, under the name [`ENTRY`].
///
/// # Errors
/// There is no such function.
pub fn add(
    unit: &mut Unit,
    environment: &Environment,
    sources: &SourceMap,
) -> Result<Description, String> {
    // A function with a contract is entered by the door that assumes what it requires.
    let checked = format!("{}{}", super::contracts::CHECKED, environment.function);
    let find = |name: &str| -> Option<FuncId> {
        let mut all = unit.functions.iter_enumerated();
        all.find(|(_, f)| f.source_name == name && f.body.is_some())
            .map(|(id, _)| id)
    };
    let Some(target) = find(&checked).or_else(|| find(&environment.function)) else {
        let name = &environment.function;
        return Err(format!("there is no function `{name}` to start from"));
    };
    let system = system_files(sources);
    let description = Build::new(unit, environment, target).finish(&system);
    unit.number();
    Ok(description)
}

/// Does a value of the type hold a pointer?
fn has_pointer(unit: &Unit, ty: TypeId) -> bool {
    match unit.types.get(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) => has_pointer(unit, *element),
        Type::Record(r) => {
            let fields = &unit.types.records[*r].fields;
            fields.iter().any(|f| has_pointer(unit, f.ty))
        }
        _ => false,
    }
}
