//! Floats as text, exactly: what `%f`, `%e` and `%a` write of a double or a long double.
//!
//! A finite float is the rational that it is; decimals are that rational times a power of ten, rounded to the
//! nearest integer, ties to even, which is what the C library of Linux does at every precision.

use logic::Rational;

/// A float without its sign.
pub enum Magnitude {
    Nan,
    Infinite,
    /// `mantissa * 2^exponent`, with the bits that the format keeps below the leading one.
    Finite {
        mantissa: u64,
        exponent: i32,
        low: u32,
    },
}

/// The sign and the rest of a bit pattern: x87 extended, or double.
pub fn decode(bits: u128, long: bool) -> (bool, Magnitude) {
    let (low, exponents, bias) = match long {
        true => (64, 0x7fff, 16383 + 63),
        false => (52, 0x7ff, 1023 + 52),
    };
    let negative = bits >> (if long { 79 } else { 63 }) & 1 == 1;
    let exponent = (bits >> low) as i32 & exponents;
    let stored = (bits & ((1 << low) - 1)) as u64;
    let fraction = if long { stored << 1 } else { stored };
    let magnitude = match (exponent == exponents, fraction) {
        (true, 0) => Magnitude::Infinite,
        (true, _) => Magnitude::Nan,
        (false, _) => Magnitude::Finite {
            mantissa: match !long && exponent != 0 {
                true => stored | 1 << 52,
                false => stored,
            },
            exponent: exponent.max(1) - bias,
            low: if long { 60 } else { 52 },
        },
    };
    (negative, magnitude)
}

/// The rational `mantissa * 2^exponent`.
pub fn value(mantissa: u64, exponent: i32) -> Rational {
    let scale = Rational::power_of_two(exponent.unsigned_abs() as usize);
    match exponent < 0 {
        true => Rational::from(mantissa) / scale,
        false => Rational::from(mantissa) * scale,
    }
}

fn power_of_ten(n: i64) -> Rational {
    let mut power = Rational::from(1);
    for _ in 0..n.unsigned_abs() {
        power = power * Rational::from(10);
    }
    match n < 0 {
        true => power.recip(),
        false => power,
    }
}

/// To the nearest integer, ties to even; the value is not negative.
fn rounded(value: &Rational) -> String {
    let down = value.floor();
    let twice = (value.clone() - down.clone()) * Rational::from(2);
    let odd = down.rem_euclid(&Rational::from(2)).is_one();
    let up = twice > Rational::from(1) || twice.is_one() && odd;
    let whole = match up {
        true => down + Rational::from(1),
        false => down,
    };
    whole.numerator().to_string()
}

/// `%f`.
pub fn fixed(value: &Rational, precision: usize) -> String {
    let digits = rounded(&(value.clone() * power_of_ten(precision as i64)));
    let digits = format!("{digits:0>width$}", width = precision + 1);
    let (whole, rest) = digits.split_at(digits.len() - precision);
    match precision {
        0 => whole.to_string(),
        _ => format!("{whole}.{rest}"),
    }
}

/// `%e`, and the exponent.
pub fn scientific(value: &Rational, precision: usize) -> (String, i64) {
    let one = Rational::from(1);
    let digits = |v: &Rational| v.floor().numerator().to_string().len() as i64;
    let mut exponent = match (value.is_zero(), *value >= one) {
        (true, _) => 0,
        (false, true) => digits(value) - 1,
        (false, false) => -digits(&value.recip()),
    };
    if !value.is_zero() && power_of_ten(exponent + 1) <= *value {
        exponent += 1;
    }
    let at = |exponent: i64| {
        let scale = power_of_ten(precision as i64 - exponent);
        rounded(&(value.clone() * scale))
    };
    let mut text = at(exponent);
    if text.len() > precision + 1 {
        exponent += 1;
        text = at(exponent);
    }
    let text = format!("{text:0>width$}", width = precision + 1);
    let (first, rest) = text.split_at(1);
    let point = if precision == 0 { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    let shown = exponent.unsigned_abs();
    (format!("{first}{point}{rest}e{sign}{shown:02}"), exponent)
}

/// `%a`: the leading digit, the digits below it, the power of two.
pub fn hexadecimal(mantissa: u64, exponent: i32, low: u32, precision: Option<usize>) -> String {
    let mut mantissa = u128::from(mantissa);
    let mut digits = low as usize / 4;
    if let Some(p) = precision.filter(|p| *p < digits) {
        let cut = 4 * (digits - p);
        let (kept, rest) = (mantissa >> cut, mantissa & ((1 << cut) - 1));
        let half = 1 << (cut - 1);
        let up = rest > half || rest == half && kept & 1 == 1;
        mantissa = kept + u128::from(up);
        digits = p;
    }
    let lead = mantissa >> (4 * digits);
    let rest = mantissa & ((1 << (4 * digits)) - 1);
    let mut text = match digits {
        0 => String::new(),
        _ => format!("{rest:0digits$x}"),
    };
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(p) => text = format!("{text:0<p$}"),
    }
    let point = if text.is_empty() { "" } else { "." };
    let power = match mantissa {
        0 => 0,
        _ => exponent + low as i32,
    };
    format!("0x{lead:x}{point}{text}p{power:+}")
}
