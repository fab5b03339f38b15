//! `printf` formatting as C has it, over the exact values of the interpreter.

use super::decimal::{Magnitude, decode, fixed, hexadecimal, scientific, value};
use logic::machine::wrap_value;
use logic::{Rational, Value};
use program::interp::Output;

/// Widths of the C types that length modifiers name.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    /// Of `long` and pointers.
    pub long: u8,
}

/// The bytes that `printf(format, args…)` writes.
pub fn printf(format: &[u8], args: &[Output], widths: Widths) -> Vec<u8> {
    let mut out = Vec::new();
    let mut args = args.iter();
    let mut rest = format;
    while let Some((&c, tail)) = rest.split_first() {
        rest = tail;
        if c != b'%' {
            out.push(c);
            continue;
        }
        let (spec, tail) = Spec::parse(rest, &mut args);
        rest = tail;
        spec.write(&mut args, widths, &mut out);
    }
    out
}

/// One conversion: `%-08.3ld`.
#[derive(Clone, Copy, Debug, Default)]
struct Spec {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    width: usize,
    precision: Option<usize>,
    /// Width of the integer argument: 0 for `int`, 1 and 2 for `h` and `hh`, 3 for `l`/`z`/`t`, 4
    /// for `ll`/`j`.
    length: u8,
    /// `L`: the float is a long double.
    long: bool,
    conversion: u8,
}

impl Spec {
    fn parse<'f, 'a>(
        mut text: &'f [u8],
        args: &mut impl Iterator<Item = &'a Output>,
    ) -> (Spec, &'f [u8]) {
        let mut spec = Spec::default();
        while let Some((&c, tail)) = text.split_first() {
            match c {
                b'-' => spec.left = true,
                b'0' => spec.zero = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                _ => break,
            }
            text = tail;
        }
        let (width, tail) = number(text, args);
        text = tail;
        if let Some(w) = width {
            spec.left |= w < 0;
            spec.width = w.unsigned_abs() as usize;
        }
        if let Some((b'.', tail)) = text.split_first() {
            let (precision, tail) = number(tail, args);
            spec.precision = usize::try_from(precision.unwrap_or(0)).ok();
            text = tail;
        }
        while let Some((&c, tail)) = text.split_first() {
            match c {
                b'h' => spec.length = if spec.length == 1 { 2 } else { 1 },
                b'l' => spec.length = if spec.length == 3 { 4 } else { 3 },
                b'z' | b't' => spec.length = 3,
                b'j' | b'q' | b'L' => spec.length = 4,
                _ => break,
            }
            spec.long |= c == b'L';
            text = tail;
        }
        match text.split_first() {
            Some((&c, tail)) => {
                spec.conversion = c;
                (spec, tail)
            }
            None => (spec, text),
        }
    }

    fn write<'a>(
        self,
        args: &mut impl Iterator<Item = &'a Output>,
        widths: Widths,
        out: &mut Vec<u8>,
    ) {
        if self.conversion == b'%' {
            out.push(b'%');
            return;
        }
        let arg = args.next();
        let value = arg.map_or(Rational::ZERO, |a| number_of(&a.value));
        match self.conversion {
            b'd' | b'i' => self.integer(&wrap_value(self.bits(widths), true, &value), 10, out),
            b'u' => self.integer(&wrap_value(self.bits(widths), false, &value), 10, out),
            b'o' => self.integer(&wrap_value(self.bits(widths), false, &value), 8, out),
            b'x' | b'X' => self.integer(&wrap_value(self.bits(widths), false, &value), 16, out),
            b'c' => {
                let byte = wrap_value(8, false, &value).to_i64().unwrap_or(0) as u8;
                self.padded(&[byte], out);
            }
            b's' => {
                let text = arg.and_then(|a| a.text.as_deref()).unwrap_or(b"(null)");
                let end = self.precision.unwrap_or(text.len()).min(text.len());
                self.padded(&text[..end], out);
            }
            b'p' => {
                let address = wrap_value(widths.long, false, &value);
                let text = if address.is_zero() {
                    "(nil)".to_string()
                } else {
                    format!("0x{}", radix(&address, 16))
                };
                self.padded(text.as_bytes(), out);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let bits = wrap_value(if self.long { 80 } else { 64 }, false, &value);
                let bits = u128::try_from(&bits.numerator()).unwrap_or(0);
                self.float(bits, out);
            }
            _ => {}
        }
    }

    fn bits(self, widths: Widths) -> u8 {
        match self.length {
            1 => 16,
            2 => 8,
            3 => widths.long,
            4 => 64,
            _ => 32,
        }
    }

    fn sign(self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    fn integer(self, value: &Rational, base: u32, out: &mut Vec<u8>) {
        let mut digits = radix(&value.abs(), base);
        if self.conversion == b'X' {
            digits.make_ascii_uppercase();
        }
        if let Some(p) = self.precision {
            if p == 0 && value.is_zero() {
                digits.clear();
            }
            digits = format!("{}{digits}", "0".repeat(p.saturating_sub(digits.len())));
        }
        let mut prefix = match self.conversion {
            b'd' | b'i' => self.sign(value.is_negative()).to_string(),
            b'x' if self.alternative && !value.is_zero() => "0x".into(),
            b'X' if self.alternative && !value.is_zero() => "0X".into(),
            _ => String::new(),
        };
        if self.conversion == b'o' && self.alternative && !digits.starts_with('0') {
            prefix.push('0');
        }
        self.numeric(&prefix, &digits, self.precision.is_none(), out);
    }

    fn float(self, bits: u128, out: &mut Vec<u8>) {
        let (negative, magnitude) = decode(bits, self.long);
        let finite = matches!(magnitude, Magnitude::Finite { .. });
        let mut text = match magnitude {
            Magnitude::Nan => "nan".into(),
            Magnitude::Infinite => "inf".into(),
            Magnitude::Finite {
                mantissa,
                exponent,
                low,
            } => {
                let precision = self.precision.unwrap_or(6);
                let exact = || value(mantissa, exponent);
                match self.conversion {
                    b'a' | b'A' => hexadecimal(mantissa, exponent, low, self.precision),
                    b'f' | b'F' => fixed(&exact(), precision),
                    b'e' | b'E' => scientific(&exact(), precision).0,
                    _ => shortest_form(&exact(), precision.max(1), self.alternative),
                }
            }
        };
        if self.conversion.is_ascii_uppercase() {
            text.make_ascii_uppercase();
        }
        self.numeric(self.sign(negative), &text, finite, out);
    }

    fn numeric(self, prefix: &str, digits: &str, may_zero: bool, out: &mut Vec<u8>) {
        let length = prefix.len() + digits.len();
        if self.zero && !self.left && may_zero && length < self.width {
            out.extend_from_slice(prefix.as_bytes());
            out.extend(std::iter::repeat_n(b'0', self.width - length));
            out.extend_from_slice(digits.as_bytes());
        } else {
            self.padded(format!("{prefix}{digits}").as_bytes(), out);
        }
    }

    fn padded(self, text: &[u8], out: &mut Vec<u8>) {
        let padding = std::iter::repeat_n(b' ', self.width.saturating_sub(text.len()));
        if self.left {
            out.extend_from_slice(text);
            out.extend(padding);
        } else {
            out.extend(padding);
            out.extend_from_slice(text);
        }
    }
}

/// Digits, or `*` for an argument.
fn number<'f, 'a>(
    text: &'f [u8],
    args: &mut impl Iterator<Item = &'a Output>,
) -> (Option<i64>, &'f [u8]) {
    if let Some((b'*', tail)) = text.split_first() {
        let value = args.next().map(|a| number_of(&a.value));
        let value = value.map(|v| wrap_value(32, true, &v).to_i64().unwrap_or(0));
        return (value, tail);
    }
    let end = text
        .iter()
        .position(|c| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, tail) = text.split_at(end);
    let value = std::str::from_utf8(digits)
        .ok()
        .and_then(|d| d.parse().ok());
    (value, tail)
}

fn number_of(value: &Value) -> Rational {
    match value {
        Value::Num(n) => n.clone(),
        Value::Bool(b) => Rational::from(i64::from(*b)),
        Value::Array(_) | Value::Element(..) => Rational::ZERO,
    }
}

fn radix(value: &Rational, base: u32) -> String {
    value.numerator().in_radix(base).to_string()
}

/// `%g`: whichever form is shorter, without trailing zeros.
fn shortest_form(value: &Rational, precision: usize, keep_zeros: bool) -> String {
    let (form, exponent) = scientific(value, precision - 1);
    let trimmed = |text: &str| {
        if text.contains('.') && !keep_zeros {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text.to_string()
        }
    };
    if exponent < -4 || exponent >= precision as i64 {
        let (mantissa, exponent) = form.split_once('e').unwrap_or((&form, "+00"));
        format!("{}e{exponent}", trimmed(mantissa))
    } else {
        let digits = (precision as i64 - 1 - exponent).max(0) as usize;
        trimmed(&fixed(value, digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(n: i64) -> Output {
        Output {
            value: Value::Num(Rational::from(n)),
            text: None,
        }
    }

    fn float(f: f64) -> Output {
        Output {
            value: Value::Num(Rational::from(f.to_bits())),
            text: None,
        }
    }

    fn show(format: &str, args: &[Output]) -> String {
        let bytes = printf(format.as_bytes(), args, Widths { long: 64 });
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn as_in_c() {
        assert_eq!(
            show("%d%%|%5d|%-5d|%05d", &[int(1), int(-2), int(3), int(-4)]),
            "1%|   -2|3    |-0004"
        );
        assert_eq!(
            show("%u %x %#X %o", &[int(-1), int(255), int(255), int(8)]),
            "4294967295 ff 0XFF 10"
        );
        assert_eq!(
            show("%ld %lu %hhd %hu", &[int(-1), int(-1), int(200), int(-1)]),
            "-1 18446744073709551615 -56 65535"
        );
        assert_eq!(
            show(
                "%c%+d% d%.3d|%*d",
                &[int(65), int(1), int(2), int(7), int(4), int(9)]
            ),
            "A+1 2007|   9"
        );
        assert_eq!(
            show(
                "%f %.2f %e %g %g %g",
                &[
                    float(1.5),
                    float(2.0 / 3.0),
                    float(12345.678),
                    float(0.0001),
                    float(1e10),
                    float(100.0)
                ]
            ),
            "1.500000 0.67 1.234568e+04 0.0001 1e+10 100"
        );
        assert_eq!(
            show(
                "%a %.0f %.0f %.3a %g %e %.20g",
                &[
                    float(-1.5),
                    float(0.5),
                    float(1.5),
                    float(1.0 / 3.0),
                    float(0.0),
                    float(9.9999999),
                    float(0.1)
                ]
            ),
            "-0x1.8p+0 0 2 0x1.555p-2 0 1.000000e+01 0.10000000000000000555"
        );
        // 1 + 2^-63 as x87 extended.
        let long = Output {
            value: Value::Num(
                Rational::from(0x3fff) * Rational::power_of_two(64)
                    + Rational::from(0x8000_0000_0000_0001_u64),
            ),
            text: None,
        };
        assert_eq!(
            show("%Lg %.20Lf %La", &[long.clone(), long.clone(), long]),
            "1 1.00000000000000000011 0x8.000000000000001p-3"
        );
        let text = Output {
            value: Value::Num(Rational::from(16)),
            text: Some(b"hello".to_vec()),
        };
        assert_eq!(
            show(
                "%s|%8s|%-8s|%.2s",
                &[text.clone(), text.clone(), text.clone(), text]
            ),
            "hello|   hello|hello   |he"
        );
    }
}
