//! Numbers, characters and strings: from their text to values with a type.

use super::super::types::{DataModel, FloatKind, IntKind};

#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Int(i128, IntKind),
    /// Bit pattern.
    Float(u128, FloatKind),
    /// `1.0i`.
    Imaginary,
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
        "i" | "j" => return Ok(Number::Imaginary),
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
    if imaginary {
        return Ok(Number::Imaginary);
    }
    if hex {
        let value = hex_float(&body[2..], kind).ok_or_else(bad)?;
        return Ok(Number::Float(value, kind));
    }
    let plain = body
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.e".contains(&b));
    if !plain {
        return Err(bad());
    }
    let bits = match kind {
        FloatKind::F32 => u128::from(body.parse::<f32>().map_err(|_| bad())?.to_bits()),
        _ => from_f64(body.parse::<f64>().map_err(|_| bad())?, kind),
    };
    Ok(Number::Float(bits, kind))
}

/// `1.8p3` without the `0x`: mantissa as an integer, then scaled with one rounding.
fn hex_float(body: &str, kind: FloatKind) -> Option<u128> {
    let (mantissa, exponent) = body.split_once('p')?;
    let mut exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value: u128 = 0;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16)?;
        if value >> 120 == 0 {
            value = value << 4 | u128::from(digit);
        } else {
            // Past 120 bits only stickiness matters.
            value |= u128::from(digit != 0);
            exponent = exponent.saturating_add(4);
        }
    }
    exponent = exponent.saturating_sub(4 * fraction.len() as i64);
    Some(match kind {
        FloatKind::F32 => u128::from(round_to_bits(value, exponent, 24, 127, 8) as u32),
        _ => from_f64(
            f64::from_bits(round_to_bits(value, exponent, 53, 1023, 11)),
            kind,
        ),
    })
}

/// `value * 2^exponent` as an IEEE pattern, to nearest even.
fn round_to_bits(value: u128, exponent: i64, precision: u32, bias: i64, width: u32) -> u64 {
    if value == 0 {
        return 0;
    }
    let fraction = precision - 1;
    let top = 127 - i64::from(value.leading_zeros());
    let mut e = exponent.saturating_add(top);
    let infinity = ((1u64 << width) - 1) << fraction;
    if e > bias {
        return infinity;
    }
    // How many low bits of `value` are cut; more in the subnormal range.
    let lowest = (1 - bias).max(e);
    let cut = lowest - i64::from(fraction) - exponent;
    let mut kept = if cut <= 0 {
        value << (-cut).min(127)
    } else if cut > 127 {
        0
    } else {
        let low = value & ((1 << cut) - 1);
        let half = 1u128 << (cut - 1);
        let mut kept = value >> cut;
        if low > half || low == half && kept & 1 == 1 {
            kept += 1;
        }
        kept
    };
    if kept >> precision != 0 {
        kept >>= 1;
        e += 1;
    }
    if e > bias {
        return infinity;
    }
    if kept >> fraction == 0 {
        return kept as u64;
    }
    let biased = (e.max(1 - bias) + bias) as u64;
    biased << fraction | (kept as u64 & ((1 << fraction) - 1))
}

/// The pattern of a double in another kind; exact for the wider ones.
pub fn from_f64(value: f64, kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F32 => u128::from((value as f32).to_bits()),
        FloatKind::F64 => u128::from(value.to_bits()),
        FloatKind::F80 => widen(value, 63, true),
        FloatKind::F128 => widen(value, 112, false),
    }
}

/// The value of a pattern as a double; rounds the wider kinds.
pub fn to_f64(bits: u128, kind: FloatKind) -> f64 {
    let (fraction_bits, explicit) = match kind {
        FloatKind::F32 => return f64::from(f32::from_bits(bits as u32)),
        FloatKind::F64 => return f64::from_bits(bits as u64),
        FloatKind::F80 => (63, true),
        FloatKind::F128 => (112, false),
    };
    let shift = fraction_bits + u32::from(explicit);
    let sign = (bits >> (shift + 15) & 1) as u64;
    let exponent = (bits >> shift & 0x7fff) as i64;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let magnitude = if exponent == 0x7fff {
        let quiet = if fraction == 0 { 0 } else { 1 << 51 };
        0x7ff << 52 | quiet
    } else if exponent == 0 {
        0
    } else {
        let whole = (1u128 << fraction_bits) | fraction;
        round_to_bits(
            whole,
            exponent - 16383 - i64::from(fraction_bits),
            53,
            1023,
            11,
        )
    };
    f64::from_bits(sign << 63 | magnitude)
}

fn widen(value: f64, fraction_bits: u32, explicit_one: bool) -> u128 {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63);
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, fraction, one) = if exponent == 0x7ff {
        (0x7fff, fraction, 1)
    } else if exponent == 0 && fraction == 0 {
        (0, 0, 0)
    } else if exponent == 0 {
        // Subnormal double: normal in the wider kind.
        let shift = i64::from(fraction.leading_zeros()) - 11;
        (16383 - 1022 - shift, fraction << shift & ((1 << 52) - 1), 1)
    } else {
        (exponent - 1023 + 16383, fraction, 1)
    };
    let fraction = u128::from(fraction) << (fraction_bits - 52);
    let significand = if explicit_one {
        u128::from(one as u64) << fraction_bits | fraction
    } else {
        fraction
    };
    let exponent_shift = fraction_bits + u32::from(explicit_one);
    sign << (exponent_shift + 15) | (exponent as u128) << exponent_shift | significand
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
