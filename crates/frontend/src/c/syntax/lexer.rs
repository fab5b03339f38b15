//! Text to tokens: a `logos` scanner for the shapes, one table for the keywords.
//!
//! Comments, `#pragma` and line markers make no tokens; markers and `#pragma pack` are remembered
//! with their offset. Literals stay text and are decoded by sema, so lexing never allocates per
//! token. Names become [`Symbol`]s; the first symbols are the keywords.

use base::FxHashMap;
use logos::Logos;

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// One token; `start..end` are byte offsets into its file.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: T,
    pub start: u32,
    pub end: u32,
    /// The name of an identifier or keyword.
    pub symbol: Symbol,
}

macro_rules! tokens {
    (punctuation { $($p:ident = $text:literal,)* } keywords { $($k:ident = $first:literal $(| $more:literal)*,)* }) => {
        /// Token kinds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum T { Ident, Number, Char, Str, Eof, $($p,)* $($k,)* }

        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
        #[logos(skip r"[ \t\r\n\x0b\x0c]+")]
        #[logos(skip r"\\\r?\n")]
        #[logos(skip r"//[^\n]*")]
        enum Raw {
            #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
            Name,
            #[regex(r"\.?[0-9]([0-9A-Za-z_.]|[eEpP][+\-])*")]
            Number,
            #[regex(r"(L|u|U)?'([^'\\\n]|\\.|\\\n)*'")]
            Char,
            #[regex(r#"(L|u8|u|U)?"([^"\\\n]|\\.|\\\n|\\\r\n)*""#)]
            Str,
            #[token("/*")]
            Comment,
            #[token("#")]
            Hash,
            $(#[token($text)] $p,)*
        }

        fn punctuation(raw: Raw) -> Option<T> {
            match raw { $(Raw::$p => Some(T::$p),)* _ => None }
        }

        const KEYWORDS: &[(&str, T)] = &[$(($first, T::$k), $(($more, T::$k),)*)*];

        /// How the token is written, for messages.
        pub fn spelling(kind: T) -> &'static str {
            match kind {
                T::Ident => "a name", T::Number => "a number", T::Char => "a character constant",
                T::Str => "a string", T::Eof => "the end of the file",
                $(T::$p => concat!("`", $text, "`"),)*
                $(T::$k => concat!("`", $first, "`"),)*
            }
        }
    };
}

tokens! {
    punctuation {
        LParen = "(", RParen = ")", LBrace = "{", RBrace = "}", LBracket = "[", RBracket = "]",
        Semi = ";", Comma = ",", Colon = ":", Question = "?", Dot = ".", Arrow = "->",
        Ellipsis = "...", Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%",
        Amp = "&", Pipe = "|", Caret = "^", Tilde = "~", Bang = "!", Assign = "=",
        Lt = "<", Gt = ">", Le = "<=", Ge = ">=", EqEq = "==", NotEq = "!=", Shl = "<<",
        Shr = ">>", AndAnd = "&&", OrOr = "||", PlusPlus = "++", MinusMinus = "--",
        PlusAssign = "+=", MinusAssign = "-=", StarAssign = "*=", SlashAssign = "/=",
        PercentAssign = "%=", AmpAssign = "&=", PipeAssign = "|=", CaretAssign = "^=",
        ShlAssign = "<<=", ShrAssign = ">>=", Implies = "==>", Iff = "<==>",
    }
    keywords {
        Void = "void", CharKw = "char", Short = "short", Int = "int", Long = "long",
        Float = "float", Double = "double",
        Signed = "signed" | "__signed" | "__signed__", Unsigned = "unsigned",
        Bool = "_Bool", Complex = "_Complex" | "__complex__" | "__complex",
        Int128 = "__int128",
        Struct = "struct", Union = "union", Enum = "enum",
        Typedef = "typedef", Extern = "extern", Static = "static", Auto = "auto",
        Register = "register", ThreadLocal = "_Thread_local" | "__thread",
        Const = "const" | "__const" | "__const__",
        Volatile = "volatile" | "__volatile" | "__volatile__",
        Restrict = "restrict" | "__restrict" | "__restrict__",
        Inline = "inline" | "__inline" | "__inline__" | "__forceinline",
        Noreturn = "_Noreturn", Atomic = "_Atomic", Alignas = "_Alignas",
        Attribute = "__attribute__" | "__attribute", Declspec = "__declspec",
        Extension = "__extension__", Asm = "asm" | "__asm" | "__asm__",
        Typeof = "typeof" | "__typeof" | "__typeof__", AutoType = "__auto_type",
        StaticAssert = "_Static_assert", Generic = "_Generic",
        Sizeof = "sizeof", Alignof = "_Alignof" | "__alignof__" | "__alignof",
        Real = "__real__" | "__real", Imag = "__imag__" | "__imag",
        VaArg = "__builtin_va_arg", Offsetof = "__builtin_offsetof",
        TypesCompatible = "__builtin_types_compatible_p", ConvertVector = "__builtin_convertvector",
         ChooseExpr = "__builtin_choose_expr",
        If = "if", Else = "else", While = "while", Do = "do", For = "for", Switch = "switch",
        Case = "case", Default = "default", Break = "break", Continue = "continue",
        Goto = "goto", Return = "return", Label = "__label__",
    }
}

/// Types that are known without a declaration; headers may declare them again.
pub const BUILTIN_TYPES: &[&str] = &[
    "__builtin_va_list",
    "__CPROVER_size_t",
    "__CPROVER_ssize_t",
    "__CPROVER_bool",
    "__int128_t",
    "__uint128_t",
    "_Float32",
    "_Float64",
    "_Float32x",
    "_Float64x",
    "_Float128",
    "__float80",
    "__float128",
];

/// Names to symbols and back; one for all files of a run.
#[derive(Clone)]
pub struct Interner<'a> {
    ids: FxHashMap<&'a str, Symbol>,
    names: Vec<&'a str>,
}

impl<'a> Interner<'a> {
    pub fn new() -> Self {
        let mut interner = Interner {
            ids: FxHashMap::default(),
            names: Vec::new(),
        };
        for (name, _) in KEYWORDS {
            interner.intern(name);
        }
        for name in BUILTIN_TYPES {
            interner.intern(name);
        }
        interner
    }

    pub fn intern(&mut self, name: &'a str) -> Symbol {
        let next = Symbol(self.names.len() as u32);
        let id = *self.ids.entry(name).or_insert(next);
        if id == next {
            self.names.push(name);
        }
        id
    }

    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.ids.get(name).copied()
    }

    pub fn name(&self, symbol: Symbol) -> &'a str {
        self.names[symbol.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl Default for Interner<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// `# line "file"`: the next line of text is that line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMarker {
    /// Offset of the `#`.
    pub at: u32,
    pub line: u32,
    /// `None`: same file as before.
    pub file: Option<String>,
}

/// What one file's text gave.
#[derive(Default)]
pub struct Lexed {
    /// Ends with an `Eof` token.
    pub tokens: Vec<Token>,
    pub markers: Vec<LineMarker>,
    /// Where `#pragma pack` sets the greatest member alignment (`None`: natural).
    pub packs: Vec<(u32, Option<u64>)>,
    /// Byte ranges that are no token, with a message.
    pub errors: Vec<(u32, u32, String)>,
}

/// Tokens of one file (of less than 4 GiB).
pub fn lex<'a>(text: &'a str, names: &mut Interner<'a>) -> Lexed {
    let mut out = Lexed {
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        ..Lexed::default()
    };
    let mut pack_stack = Vec::new();
    let mut pack = None;
    let mut raw = Raw::lexer(text);
    while let Some(next) = raw.next() {
        let range = raw.span();
        let (start, end) = (range.start as u32, range.end as u32);
        let (kind, symbol) = match next {
            Ok(Raw::Name) => {
                let symbol = names.intern(&text[range]);
                let kind = KEYWORDS
                    .get(symbol.0 as usize)
                    .map_or(T::Ident, |&(_, kind)| kind);
                (kind, symbol)
            }
            Ok(Raw::Number) => (T::Number, Symbol(0)),
            Ok(Raw::Char) => (T::Char, Symbol(0)),
            Ok(Raw::Str) => (T::Str, Symbol(0)),
            Ok(Raw::Comment) => {
                match raw.remainder().find("*/") {
                    Some(length) => raw.bump(length + 2),
                    None => {
                        out.errors
                            .push((start, end, "this comment never ends".into()));
                        raw.bump(raw.remainder().len());
                    }
                }
                continue;
            }
            Ok(Raw::Hash) => {
                let rest = raw.remainder();
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                if !at_line_start(text, range.start) {
                    out.errors
                        .push((start, end, "stray `#` in the program".into()));
                    continue;
                }
                raw.bump(line.len());
                match directive(line) {
                    Directive::Marker(number, file) => out.markers.push(LineMarker {
                        at: start,
                        line: number,
                        file,
                    }),
                    Directive::Pack(arguments) => {
                        pack = apply_pack(&arguments, pack, &mut pack_stack);
                        out.packs.push((start, pack));
                    }
                    Directive::Ignored => {}
                    Directive::Real => out.errors.push((
                        start,
                        start + 1 + line.trim_end().len() as u32,
                        "preprocessor directive in text that was not preprocessed".into(),
                    )),
                }
                continue;
            }
            Ok(other) => match punctuation(other) {
                Some(kind) => (kind, Symbol(0)),
                None => continue,
            },
            Err(()) => {
                let piece = &text[range];
                let message = if piece.starts_with(['"', '\'']) {
                    "missing the closing quote".into()
                } else {
                    format!("stray `{}` in the program", piece.escape_default())
                };
                // A run of stray characters is one error.
                match out.errors.last_mut() {
                    Some(last) if last.1 == start => last.1 = end,
                    _ => out.errors.push((start, end, message)),
                }
                continue;
            }
        };
        out.tokens.push(Token {
            kind,
            start,
            end,
            symbol,
        });
    }
    let end = text.len() as u32;
    out.tokens.push(Token {
        kind: T::Eof,
        start: end,
        end,
        symbol: Symbol(0),
    });
    out
}

fn at_line_start(text: &str, offset: usize) -> bool {
    text.as_bytes()[..offset]
        .iter()
        .rev()
        .take_while(|&&b| b != b'\n')
        .all(|b| b.is_ascii_whitespace())
}

enum Directive {
    Marker(u32, Option<String>),
    Pack(String),
    /// `#pragma`, `#ident`, an empty `#`.
    Ignored,
    Real,
}

/// Reads what follows `#` on its line.
fn directive(line: &str) -> Directive {
    let line = line.trim();
    let (word, rest) = line.split_at(
        line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(line.len()),
    );
    let (number, rest) = match word {
        "" | "ident" | "sccs" => return Directive::Ignored,
        "pragma" => {
            let rest = rest.trim_start();
            return match rest.strip_prefix("pack") {
                Some(arguments) if arguments.trim_start().starts_with('(') => {
                    Directive::Pack(arguments.trim().trim_matches(['(', ')']).into())
                }
                _ => Directive::Ignored,
            };
        }
        "line" => {
            let rest = rest.trim_start();
            rest.split_at(
                rest.find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len()),
            )
        }
        number => (number, rest),
    };
    let Ok(number) = number.parse::<u32>() else {
        return Directive::Real;
    };
    let file = rest
        .trim_start()
        .strip_prefix('"')
        .and_then(|r| r.split_once('"'))
        .map(|(name, _)| name.replace("\\\\", "\\"));
    Directive::Marker(number, file)
}

/// `#pragma pack(push, 1)`, `(pop)`, `(2)`, `()`.
fn apply_pack(arguments: &str, current: Option<u64>, stack: &mut Vec<Option<u64>>) -> Option<u64> {
    let mut pack = current;
    let mut any = false;
    for word in arguments.split(',').map(str::trim) {
        any |= !word.is_empty();
        match word {
            "push" => stack.push(current),
            "pop" => pack = stack.pop().flatten(),
            _ => {
                if let Ok(n) = word.parse::<u64>() {
                    pack = (n > 0 && n <= 16).then_some(n);
                }
            }
        }
    }
    if any { pack } else { None }
}

/// Does the text hold a real directive, or the name of a macro that every compiler defines, so that
/// `cc -E` must run first? Line markers, `#pragma` and `#ident` are not real.
pub fn needs_preprocessing(text: &str) -> bool {
    let mut names = Interner::new();
    if predefined_macro(text) {
        return true;
    }
    // Cheap test first: most inputs have no `#` at a line start at all.
    let bytes = text.as_bytes();
    let suspicious = text.match_indices('#').any(|(at, _)| {
        let before = bytes[..at].iter().rev();
        let mut before = before.skip_while(|b| b.is_ascii_whitespace() && **b != b'\n');
        before.next().is_none_or(|b| *b == b'\n')
            && matches!(
                directive(text[at + 1..].lines().next().unwrap_or("")),
                Directive::Real
            )
    });
    // The line may lie in a comment or string.
    suspicious
        && lex(text, &mut names)
            .errors
            .iter()
            .any(|(_, _, message)| message.starts_with("preprocessor directive"))
}

/// Is there a name like `__INT_MAX__`? (Where it stands in a comment, preprocessing does no harm.)
fn predefined_macro(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(2).position(|two| two == b"__") {
        let start = at + found;
        let len = bytes[start..].iter().take_while(|b| is_name(b)).count();
        at = start + len;
        let inside = start > 0 && is_name(&bytes[start - 1]);
        let middle = text[start..at]
            .strip_prefix("__")
            .and_then(|m| m.strip_suffix("__"))
            .unwrap_or("");
        let shouted = middle.starts_with(|c: char| c.is_ascii_uppercase())
            && !middle.contains(|c: char| c.is_ascii_lowercase());
        if shouted && !inside && !matches!(middle, "FUNCTION" | "PRETTY_FUNCTION") {
            return true;
        }
    }
    false
}
