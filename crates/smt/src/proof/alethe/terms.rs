//! Terms of an Alethe proof: trees of names, shared, both for what the user wrote and for the solver's own terms.
//!
//! Nothing is simplified here. A literal is a term without leading `not`s and its sign, so `x` and
//! `(not (not x))` are one literal; how a rule wants them written is the business of its step.

use base::{FxHashMap, IndexVec, new_id};
use logic::smtlib::print_symbol;
use logic::{Op, Pool, Rational, SortId, TermId};

new_id!(
    /// A term of an Alethe proof.
    pub(super) AletheId, "a");

/// What a rule has to know about a term's sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    Real,
    Other,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub head: Box<str>,
    pub args: Box<[AletheId]>,
    pub kind: Kind,
}

/// A term that is no `not`, and whether it is true.
pub(super) type Literal = (AletheId, bool);

#[derive(Default)]
pub(super) struct Terms {
    nodes: IndexVec<AletheId, Node>,
    ids: FxHashMap<(Box<str>, Box<[AletheId]>), AletheId>,
    of_pool: FxHashMap<TermId, AletheId>,
}

impl Kind {
    pub fn is_number(self) -> bool {
        matches!(self, Kind::Int | Kind::Real)
    }
}

impl std::ops::Index<AletheId> for Terms {
    type Output = Node;

    fn index(&self, id: AletheId) -> &Node {
        &self.nodes[id]
    }
}

impl Terms {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&mut self, head: &str, args: &[AletheId], kind: Kind) -> AletheId {
        let key = (Box::from(head), Box::from(args));
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.nodes.push(Node {
            head: key.0.clone(),
            args: key.1.clone(),
            kind,
        });
        self.ids.insert(key, id);
        id
    }

    pub fn formula(&mut self, head: &str, args: &[AletheId]) -> AletheId {
        self.node(head, args, Kind::Bool)
    }

    pub fn not(&mut self, a: AletheId) -> AletheId {
        self.formula("not", &[a])
    }

    /// The term of a literal.
    pub fn written(&mut self, (atom, positive): Literal) -> AletheId {
        match positive {
            true => atom,
            false => self.not(atom),
        }
    }

    /// The literal that a formula is.
    pub fn literal(&self, mut a: AletheId) -> Literal {
        let mut positive = true;
        while &*self[a].head == "not" {
            a = self[a].args[0];
            positive = !positive;
        }
        (a, positive)
    }

    /// Is it one of these operators, on two arguments?
    pub fn binary(&self, a: AletheId, heads: &[&str]) -> Option<(AletheId, AletheId)> {
        match (&*self[a].head, &*self[a].args) {
            (head, &[x, y]) if heads.contains(&head) => Some((x, y)),
            _ => None,
        }
    }

    /// A term of the solver. `None` for operators that SMT-LIB does not have.
    pub fn of_pool(&mut self, pool: &Pool, term: TermId) -> Option<AletheId> {
        for t in pool.post_order(&[term]) {
            if self.of_pool.contains_key(&t) {
                continue;
            }
            let args: Vec<AletheId> = pool.args(t).iter().map(|a| self.of_pool[a]).collect();
            let sort = pool.sort_of(t);
            let kind = kind_of(pool, sort);
            let head = match pool.op(t) {
                Op::Num(n) if pool.is_arith(sort) => {
                    let value = pool.number(n).clone();
                    let id = self.number(&value, sort == pool.real_sort());
                    self.of_pool.insert(t, id);
                    continue;
                }
                Op::App(s) if pool.word_op(s).is_none() && pool.float_op(s).is_none() => {
                    print_symbol(&pool.symbol_data(s).name)
                }
                op => operator(op)?.into(),
            };
            let id = self.node(&head, &args, kind);
            self.of_pool.insert(t, id);
        }
        self.of_pool.get(&term).copied()
    }

    /// A numeral as rules of arithmetic read it.
    pub fn number(&mut self, value: &Rational, real: bool) -> AletheId {
        let (top, bottom) = (value.abs().numerator(), value.denominator());
        let (point, kind) = if real {
            (".0", Kind::Real)
        } else {
            ("", Kind::Int)
        };
        let mut id = self.node(&format!("{top}{point}"), &[], kind);
        if !value.is_integer() {
            let bottom = self.node(&format!("{bottom}{point}"), &[], kind);
            id = self.node("/", &[id, bottom], kind);
        }
        match value.is_negative() {
            true => self.node("-", &[id], kind),
            false => id,
        }
    }

    /// The number that a term is by its text.
    pub fn as_number(&self, a: AletheId) -> Option<Rational> {
        let node = &self[a];
        match (&*node.head, &*node.args) {
            ("-", &[x]) => Some(-&self.as_number(x)?),
            ("/", &[x, y]) => {
                let (x, y) = (self.as_number(x)?, self.as_number(y)?);
                (!y.is_zero()).then(|| &x / &y)
            }
            (text, []) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                Rational::parse_decimal(text)
            }
            _ => None,
        }
    }
}

pub(super) fn kind_of(pool: &Pool, sort: SortId) -> Kind {
    match () {
        _ if sort == pool.bool_sort() => Kind::Bool,
        _ if sort == pool.int_sort() => Kind::Int,
        _ if sort == pool.real_sort() => Kind::Real,
        _ => Kind::Other,
    }
}

/// The names of operators that Alethe's checkers know.
fn operator(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::True => "true",
        Op::False => "false",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::Le => "<=",
        Op::Add => "+",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::Mod => "mod",
        Op::RealDiv => "/",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::Select => "select",
        Op::Store => "store",
        _ => return None,
    })
}
