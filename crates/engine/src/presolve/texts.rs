//! Guesses of what an obliging outside says: calls succeed, texts are numbers that programs stumble over.
//!
//! Models of the library read a text as its length and then its bytes (`stdin.line`, `stdin.byte`, …). Guessed
//! one by one these make no sense; here each text is the decimal form of one number, such as the greatest int,
//! and every number read is that number. Or each text is one character again and again, as long as a buffer may be.

use std::collections::VecDeque;

/// The numbers, by run.
const NUMBERS: [i128; 14] = [
    i32::MAX as i128,
    i32::MIN as i128,
    i64::MAX as i128,
    i64::MIN as i128,
    -1,
    0,
    1,
    i16::MAX as i128,
    i16::MIN as i128,
    i8::MAX as i128,
    i8::MIN as i128,
    u32::MAX as i128,
    100,
    7,
];

/// What the outside says in one run.
pub(crate) struct Texts {
    number: i128,
    text: String,
    bytes: VecDeque<u8>,
    /// Descriptors given so far.
    descriptors: i128,
}

impl Texts {
    pub fn new(run: u64) -> Texts {
        let number = NUMBERS[(run % NUMBERS.len() as u64) as usize];
        Texts::of(number, number.to_string())
    }

    /// Texts of one character; the number is their length.
    pub fn long(length: usize, of: u8) -> Texts {
        Texts::of(length as i128, char::from(of).to_string().repeat(length))
    }

    fn of(number: i128, text: String) -> Texts {
        Texts {
            number,
            text,
            bytes: VecDeque::new(),
            descriptors: 0,
        }
    }

    /// The answer to an input of the environment.
    pub fn answer(&mut self, what: &str) -> i128 {
        match what.rsplit_once('.').map_or(what, |(_, last)| last) {
            "line" | "length" | "count" => {
                let end = if what.ends_with("line") { "\n" } else { "" };
                self.bytes = format!("{}{end}", self.text).into_bytes().into();
                self.bytes.len() as i128
            }
            "byte" | "wide" => i128::from(self.bytes.pop_front().unwrap_or(b'0')),
            "fails" | "error" | "ends" | "unknown" => 0,
            "present" | "scan" => 1,
            "descriptor" => {
                self.descriptors += 1;
                2 + self.descriptors
            }
            "argc" => 2,
            "stdin" | "file" => match self.bytes.pop_front() {
                Some(byte) => i128::from(byte),
                None => {
                    self.bytes = format!("{}\n", self.text).into_bytes().into();
                    i128::from(self.bytes.pop_front().unwrap_or(b'\n'))
                }
            },
            _ => self.number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_number() {
        let mut texts = Texts::new(0);
        let n = texts.answer("stdin.line");
        let line: String = (0..n)
            .map(|_| char::from(texts.answer("stdin.byte") as u8))
            .collect();
        assert_eq!(line, "2147483647\n");
        assert_eq!(texts.answer("scan.int"), 2_147_483_647);
        assert_eq!(texts.answer("call.fails"), 0);
    }

    #[test]
    fn a_long_text_has_its_length() {
        let mut texts = Texts::long(16, b'a');
        assert_eq!(texts.answer("argv.length"), 16);
        assert_eq!(texts.answer("stdin.byte"), i128::from(b'a'));
        assert_eq!(texts.answer("scan.int"), 16);
    }
}
