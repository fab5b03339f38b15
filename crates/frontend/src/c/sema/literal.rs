//! Numbers, characters and strings: from their text to values with a type.

use super::super::types::{DataModel, FloatKind, IntKind};
use crate::c::syntax::encoding::raw_byte;
use program::interp::float::pattern;

#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Int(i128, IntKind),
    /// Bit pattern.
    Float(u128, FloatKind),
    /// `1.0i`, `2i`: the imaginary part.
    Imaginary(Box<Number>),
}

/// An integer or floating constant (6.4.4). `Err` says what is wrong with it.
pub fn number(text: &str, model: DataModel) -> Result<Number, String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float = if hex {
        lower.contains(['p', '.'])
    } else {
        lower.contains(['.', 'e']) && !lower.starts_with("0b")
    };
    if is_float {
        return float(&lower, hex);
    }
    integer(text, &lower, model)
}

fn integer(text: &str, lower: &str, model: DataModel) -> Result<Number, String> {
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower, 10)
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix.max(10)))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let bad = || format!("`{text}` is not a number");
    let value = match digits {
        // `0`, `0u`: the zero itself was cut off as the octal prefix.
        "" if radix == 8 => 0,
        _ => u128::from_str_radix(digits, radix).map_err(|_| bad())?,
    };
    if value > u128::from(u64::MAX) {
        return Err(format!("`{text}` is too large for any integer type"));
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        "i" | "j" => {
            let part = text.trim_end_matches(['i', 'j', 'I', 'J']);
            return Ok(Number::Imaginary(Box::new(number(part, model)?)));
        }
        _ => return Err(format!("`{suffix}` is no integer suffix")),
    };
    let value = value as i128;
    use IntKind::*;
    for (rank, signed, other) in [(0, Int, UInt), (1, Long, ULong), (2, LongLong, ULongLong)] {
        if rank < longs {
            continue;
        }
        if !unsigned && value <= signed.range(model).1 {
            return Ok(Number::Int(value, signed));
        }
        if (unsigned || radix != 10) && value <= other.range(model).1 {
            return Ok(Number::Int(value, other));
        }
    }
    // A decimal constant above LLONG_MAX: gcc takes unsigned.
    Ok(Number::Int(value, ULongLong))
}

fn float(lower: &str, hex: bool) -> Result<Number, String> {
    let bad = || format!("`{lower}` is not a number");
    let mut body = lower;
    let mut kind = FloatKind::F64;
    let mut imaginary = false;
    loop {
        if !hex || body.contains('p') {
            if let Some(rest) = body.strip_suffix("f128").or(body.strip_suffix('q')) {
                (body, kind) = (rest, FloatKind::F128);
                continue;
            }
            if let Some(rest) = body.strip_suffix("f64x").or(body.strip_suffix('l')) {
                (body, kind) = (rest, FloatKind::F80);
                continue;
            }
            if let Some(rest) = body.strip_suffix("f64").or(body.strip_suffix("f32x")) {
                body = rest;
                continue;
            }
            if let Some(rest) = body.strip_suffix("f32").or(body.strip_suffix('f')) {
                (body, kind) = (rest, FloatKind::F32);
                continue;
            }
            if let Some(rest) = body.strip_suffix(['i', 'j']) {
                (body, imaginary) = (rest, true);
                continue;
            }
        }
        break;
    }
    let plain = body
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.e".contains(&b));
    if !hex && !plain || hex && !body.contains('p') {
        return Err(bad());
    }
    let bits = match kind {
        FloatKind::F32 if !hex => u128::from(body.parse::<f32>().map_err(|_| bad())?.to_bits()),
        FloatKind::F64 if !hex => u128::from(body.parse::<f64>().map_err(|_| bad())?.to_bits()),
        _ => pattern::parse(kind.width(), body).ok_or_else(bad)?,
    };
    let number = Number::Float(bits, kind);
    Ok(match imaginary {
        true => Number::Imaginary(Box::new(number)),
        false => number,
    })
}

/// How wide the elements of a character or string literal are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Encoding {
    Plain,
    Utf16,
    Utf32,
    Wide,
}

impl Encoding {
    pub fn element(self, model: DataModel) -> IntKind {
        match (self, model) {
            (Encoding::Plain, _) => IntKind::Char,
            (Encoding::Utf16, _) => IntKind::UShort,
            (Encoding::Utf32, _) => IntKind::UInt,
            (Encoding::Wide, DataModel::Ilp32) => IntKind::Long,
            (Encoding::Wide, DataModel::Lp64) => IntKind::Int,
        }
    }
}

/// Prefix and text between the quotes.
fn unquote(text: &str, quote: char) -> (Encoding, &str) {
    let start = text.find(quote).map_or(0, |i| i + 1);
    let encoding = match &text[..start.saturating_sub(1)] {
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        _ => Encoding::Plain,
    };
    let end = text.len().saturating_sub(1).max(start);
    (encoding, &text[start..end])
}

/// Elements of adjacent string literals, without the terminating zero.
pub fn string<'s>(pieces: impl Iterator<Item = &'s str> + Clone) -> (Encoding, Vec<u32>) {
    let encoding = pieces
        .clone()
        .map(|p| unquote(p, '"').0)
        .max()
        .unwrap_or(Encoding::Plain);
    let mut units = Vec::new();
    for piece in pieces {
        decode(unquote(piece, '"').1, encoding, &mut units);
    }
    (encoding, units)
}

/// A character constant: value and type. `Err`: it is empty.
pub fn character(text: &str, model: DataModel) -> Result<(i128, IntKind), String> {
    let (encoding, body) = unquote(text, '\'');
    let mut units = Vec::new();
    decode(body, encoding, &mut units);
    if units.is_empty() {
        return Err("empty character constant".into());
    }
    if encoding != Encoding::Plain {
        let kind = encoding.element(model);
        let last = units.last().copied().unwrap_or(0);
        return Ok((kind.convert(i128::from(last), model), kind));
    }
    // One: sign-extended char. Several (as gcc): bytes of an int, the last lowest.
    let value = match units[..] {
        [one] => i128::from(one as u8 as i8),
        _ => units.iter().fold(0i128, |v, &u| {
            IntKind::Int.convert(v << 8 | i128::from(u as u8), model)
        }),
    };
    Ok((value, IntKind::Int))
}

fn decode(body: &str, encoding: Encoding, out: &mut Vec<u32>) {
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if let Some(byte) = raw_byte(c) {
            out.push(u32::from(byte));
            continue;
        }
        if c != '\\' {
            push_char(c as u32, encoding, out);
            continue;
        }
        let Some(escape) = chars.next() else { return };
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\n' => continue,
            '\r' => {
                chars.next_if_eq(&'\n');
                continue;
            }
            'x' => {
                let mut value = 0u32;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_shl(4) | d;
                    chars.next();
                }
                value
            }
            'u' | 'U' => {
                let digits = if escape == 'u' { 4 } else { 8 };
                let mut value = 0u32;
                for _ in 0..digits {
                    if let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                        value = value.wrapping_shl(4) | d;
                        chars.next();
                    }
                }
                push_char(value, encoding, out);
                continue;
            }
            '0'..='7' => {
                let mut value = escape as u32 - '0' as u32;
                for _ in 0..2 {
                    if let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) {
                        value = value << 3 | d;
                        chars.next();
                    }
                }
                value
            }
            other => other as u32,
        };
        out.push(match encoding {
            Encoding::Plain => value & 0xff,
            Encoding::Utf16 => value & 0xffff,
            _ => value,
        });
    }
}

/// A source character in the literal's encoding.
fn push_char(c: u32, encoding: Encoding, out: &mut Vec<u32>) {
    let Some(c) = char::from_u32(c) else {
        out.push(c);
        return;
    };
    match encoding {
        Encoding::Plain => {
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            out.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
        }
        _ => out.push(c as u32),
    }
}
