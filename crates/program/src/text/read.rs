//! Reading of expressions: the place in the tokens, names, sorts, and S-expressions by an explicit
//! stack of open parentheses.

use super::lex::{self, Token};
use super::parse::SyntaxError;
use crate::interp::float::FloatOp;
use base::FxHashMap;
use logic::{Pool, Rational, SortId, TermId};

/// Reads an expression whose free names are constants of the pool.
pub fn parse_expr(pool: &mut Pool, text: &str) -> Result<TermId, SyntaxError> {
    let tokens = lex::tokens(text).map_err(SyntaxError::from)?;
    let mut cursor = Cursor::new(tokens);
    let term = cursor.expr(pool, &FxHashMap::default())?;
    cursor.end()?;
    Ok(term)
}

/// A place in the tokens.
pub(super) struct Cursor {
    tokens: Vec<(u32, Token)>,
    at: usize,
    /// Expressions may mention bound names only, not any constant of the pool.
    strict: bool,
}

/// An open parenthesis of an expression.
struct Open {
    name: String,
    /// The sort that `const-array` names.
    sort: Option<SortId>,
    args: Vec<TermId>,
}

impl Cursor {
    pub fn new(tokens: Vec<(u32, Token)>) -> Self {
        Cursor {
            tokens,
            at: 0,
            strict: false,
        }
    }

    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// The line of the next token.
    pub fn line(&self) -> u32 {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        self.tokens.get(at).map_or(1, |(line, _)| *line)
    }

    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, t)| t)
    }

    pub fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError {
            line: self.line(),
            message: message.into(),
        })
    }

    pub fn end(&self) -> Result<(), SyntaxError> {
        match self.peek() {
            None => Ok(()),
            Some(token) => self.error(format!("{token:?} is left over")),
        }
    }

    pub fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }

    pub fn at_punct(&self, p: &str) -> bool {
        matches!(self.peek(), Some(Token::Punct(q)) if *q == p)
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.at += usize::from(found);
        found
    }

    pub fn eat(&mut self, p: &str) -> bool {
        let found = self.at_punct(p);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, p: &str) -> Result<(), SyntaxError> {
        if self.eat(p) {
            Ok(())
        } else {
            self.error(format!("`{p}` expected"))
        }
    }

    pub fn name(&mut self) -> Result<String, SyntaxError> {
        match self.next() {
            Some(Token::Word(name) | Token::Quoted(name)) => Ok(name),
            _ => {
                self.at -= 1;
                self.error("a name expected")
            }
        }
    }

    pub fn text(&mut self) -> Result<String, SyntaxError> {
        match self.next() {
            Some(Token::Text(text)) => Ok(text),
            _ => {
                self.at -= 1;
                self.error("a string expected")
            }
        }
    }

    pub fn sort(&mut self, pool: &mut Pool) -> Result<SortId, SyntaxError> {
        // Sorts in text are shallow; the depth is bounded to be safe.
        self.sort_within(pool, 64)
    }

    fn sort_within(&mut self, pool: &mut Pool, depth: u32) -> Result<SortId, SyntaxError> {
        if depth == 0 {
            return self.error("the sort is nested too deeply");
        }
        if self.eat("(") {
            if !self.eat_word("Array") {
                return self.error("`Array` expected");
            }
            let index = self.sort_within(pool, depth - 1)?;
            let element = self.sort_within(pool, depth - 1)?;
            self.expect(")")?;
            return Ok(pool.array_sort(index, element));
        }
        let name = self.name()?;
        Ok(match name.as_str() {
            "Int" => pool.int_sort(),
            "Bool" => pool.bool_sort(),
            "Real" => pool.real_sort(),
            _ => pool.sort(logic::Sort::Uninterpreted(name.into())),
        })
    }

    pub fn expr(
        &mut self,
        pool: &mut Pool,
        bound: &FxHashMap<String, TermId>,
    ) -> Result<TermId, SyntaxError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let done = if self.eat("(") {
                let name = self.name()?;
                let sort = match name.as_str() {
                    "const-array" => Some(self.sort(pool)?),
                    _ => None,
                };
                open.push(Open {
                    name,
                    sort,
                    args: Vec::new(),
                });
                continue;
            } else if self.at_punct(")") {
                let Some(call) = open.pop() else {
                    return self.error("an expression expected");
                };
                self.at += 1;
                match build(pool, &call) {
                    Ok(term) => term,
                    Err(message) => {
                        self.at -= 1;
                        return self.error(message);
                    }
                }
            } else {
                self.atom(pool, bound)?
            };
            match open.last_mut() {
                Some(call) => call.args.push(done),
                None => return Ok(done),
            }
        }
    }

    fn atom(
        &mut self,
        pool: &mut Pool,
        bound: &FxHashMap<String, TermId>,
    ) -> Result<TermId, SyntaxError> {
        let bare = matches!(self.peek(), Some(Token::Word(_)));
        let name = self.name()?;
        if bare {
            match name.as_str() {
                "true" => return Ok(pool.tt()),
                "false" => return Ok(pool.ff()),
                _ => {}
            }
            let digits = name.strip_prefix('-').unwrap_or(&name);
            if digits.starts_with(|c: char| c.is_ascii_digit()) {
                return match number(&name) {
                    Some((value, true)) => Ok(pool.num(value, pool.real_sort())),
                    Some((value, false)) => Ok(pool.int(value)),
                    None => self.error(format!("`{name}` is no number")),
                };
            }
        }
        if let Some(&term) = bound.get(&name) {
            return Ok(term);
        }
        match pool.symbol_named(&name) {
            Some(s) if !self.strict && pool.symbol_data(s).args.is_empty() => Ok(pool.app(s, &[])),
            _ => {
                self.at -= 1;
                self.error(format!("`{name}` is not declared"))
            }
        }
    }
}

/// A numeral; true if it is a real one (`1/2`, `0.5`).
fn number(text: &str) -> Option<(Rational, bool)> {
    if let Some((n, d)) = text.split_once('/') {
        let (n, d) = (Rational::parse_decimal(n)?, Rational::parse_decimal(d)?);
        return (!d.is_zero()).then(|| (&n / &d, true));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = Rational::parse_decimal(digits)?;
    Some((if negative { -value } else { value }, text.contains('.')))
}

fn build(pool: &mut Pool, call: &Open) -> Result<TermId, String> {
    let (name, args) = (call.name.as_str(), call.args.as_slice());
    let (boolean, int) = (pool.bool_sort(), pool.int_sort());
    let sorts: Vec<SortId> = args.iter().map(|a| pool.sort_of(*a)).collect();
    let all = |sort: SortId| sorts.iter().all(|s| *s == sort);
    let arith = !sorts.is_empty() && pool.is_arith(sorts[0]) && all(sorts[0]);
    let ints = |n: usize| sorts.len() == n && all(int);
    let wrong = || Err(format!("the arguments do not fit `{name}`"));
    if let Some(kind) = name.strip_prefix("wrap.") {
        let signed = kind.starts_with('s');
        let bits = kind.get(1..).and_then(|b| b.parse::<u8>().ok());
        return match (bits, args) {
            (Some(bits @ 1..), &[a]) if ints(1) => Ok(pool.wrap(bits, signed, a)),
            _ => wrong(),
        };
    }
    if let Some(op) = FloatOp::from_name(name) {
        op.symbol(pool);
    }
    Ok(match (name, args) {
        ("not", &[a]) if all(boolean) => pool.not(a),
        ("and", _) if all(boolean) => pool.and(args),
        ("or", _) if all(boolean) => pool.or(args),
        ("=>", &[a, b]) if all(boolean) => pool.implies(a, b),
        ("ite", &[c, a, b]) if sorts[0] == boolean && sorts[1] == sorts[2] => pool.ite(c, a, b),
        ("=", &[a, b]) if all(sorts[0]) => pool.eq(a, b),
        ("!=" | "distinct", _) if args.len() > 1 && all(sorts[0]) => pool.distinct(args),
        ("<=", &[a, b]) if arith => pool.le(a, b),
        ("<", &[a, b]) if arith => pool.lt(a, b),
        (">=", &[a, b]) if arith => pool.ge(a, b),
        (">", &[a, b]) if arith => pool.gt(a, b),
        ("+", _) if arith => pool.add(args),
        ("-", &[a]) if arith => pool.neg(a),
        ("-", &[a, b]) if arith => pool.sub(a, b),
        ("*", _) if arith => pool.mul(args),
        ("div", &[a, b]) if ints(2) => pool.int_div(a, b),
        ("mod", &[a, b]) if ints(2) => pool.modulo(a, b),
        ("/", &[a, b]) if arith && sorts[0] != int => pool.real_div(a, b),
        ("to_real", &[a]) if ints(1) => pool.to_real(a),
        ("to_int", &[a]) if arith && sorts[0] != int => pool.to_int(a),
        ("bitand", &[a, b]) if ints(2) => pool.bit_and(a, b),
        ("bitor", &[a, b]) if ints(2) => pool.bit_or(a, b),
        ("bitxor", &[a, b]) if ints(2) => pool.bit_xor(a, b),
        ("shl", &[a, b]) if ints(2) => pool.shl(a, b),
        ("shr", &[a, b]) if ints(2) => pool.shr(a, b),
        ("cdiv", &[a, b]) if ints(2) => pool.c_div(a, b),
        ("crem", &[a, b]) if ints(2) => pool.c_rem(a, b),
        ("select", &[a, i]) => match *pool.sort_kind(sorts[0]) {
            logic::Sort::Array(index, _) if index == sorts[1] => pool.select(a, i),
            _ => return wrong(),
        },
        ("store", &[a, i, v]) => match *pool.sort_kind(sorts[0]) {
            logic::Sort::Array(index, element) if index == sorts[1] && element == sorts[2] => {
                pool.store(a, i, v)
            }
            _ => return wrong(),
        },
        ("const-array", &[v]) => match call.sort {
            Some(sort) => match *pool.sort_kind(sort) {
                logic::Sort::Array(_, element) if element == sorts[0] => pool.const_array(sort, v),
                _ => return wrong(),
            },
            None => return wrong(),
        },
        _ => match pool.symbol_named(name) {
            Some(s) if *pool.symbol_data(s).args == *sorts => pool.app(s, args),
            Some(_) => return wrong(),
            None if operator_names(name) => return wrong(),
            None => return Err(format!("`{name}` is not declared")),
        },
    })
}

fn operator_names(name: &str) -> bool {
    "not and or => ite = != distinct <= < >= > + - * div mod / to_real to_int bitand bitor bitxor \
     shl shr cdiv crem select store const-array"
        .split(' ')
        .any(|n| n == name)
}
