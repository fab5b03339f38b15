//! `printf` formatting as C has it, over the exact values of the interpreter.

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
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let bits = wrap_value(64, false, &value);
                let bits = u64::try_from(&bits.numerator()).unwrap_or(0);
                self.float(f64::from_bits(bits), out);
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

    fn float(self, value: f64, out: &mut Vec<u8>) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let mut text = if !magnitude.is_finite() {
            if magnitude.is_nan() { "nan" } else { "inf" }.to_string()
        } else {
            let precision = self.precision.unwrap_or(6);
            match self.conversion {
                b'f' | b'F' => format!("{magnitude:.precision$}"),
                b'e' | b'E' => exponent_form(magnitude, precision),
                _ => shortest_form(magnitude, precision.max(1), self.alternative),
            }
        };
        if self.conversion.is_ascii_uppercase() {
            text.make_ascii_uppercase();
        }
        self.numeric(sign, &text, magnitude.is_finite(), out);
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

/// `1.250000e+02`.
fn exponent_form(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// `%g`: whichever form is shorter, without trailing zeros.
fn shortest_form(value: f64, precision: usize, keep_zeros: bool) -> String {
    let form = exponent_form(value, precision - 1);
    let exponent: i32 = form
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let trimmed = |text: &str| {
        if text.contains('.') && !keep_zeros {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text.to_string()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, exponent) = form.split_once('e').unwrap_or((&form, "+00"));
        format!("{}e{exponent}", trimmed(mantissa))
    } else {
        let digits = (precision as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{value:.digits$}"))
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
