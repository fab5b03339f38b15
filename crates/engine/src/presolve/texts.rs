//! Guesses of what an obliging outside says: calls succeed, texts are numbers that programs stumble over.
//!
//! Models of the library read a text as its length and then its bytes (`stdin.line`, `stdin.byte`, …). Guessed
//! one by one these make no sense; here each text is the decimal form of one number, such as the greatest int,
//! and every number read is that number. Or each text is one character again and again, as long as a buffer may be. Or
//! there are some lines and no more, of words and signs that the program asks for: programs that take texts apart
//! stumble over empty pieces and over many, and leak when their input ends.

use base::Random;
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
    /// What is still to be said; without end if nothing.
    lines: Option<VecDeque<String>>,
}

/// How many words, signs or lines a script has.
const COUNTS: [usize; 6] = [1, 3, 12, 2, 40, 5];

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
            lines: None,
        }
    }

    /// Some lines, of the characters that the program names and their neighbours.
    pub fn script(seed: u64, characters: &[u8]) -> Texts {
        let random = &mut Random::new(seed);
        let near = |c: &u8| [c.saturating_sub(1), *c, c.saturating_add(1)];
        let named = characters.iter().flat_map(near);
        let is_word =
            |c: &u8| c.is_ascii_graphic() && (c.is_ascii_alphanumeric() || !characters.contains(c));
        let mut letters: Vec<u8> = named.filter(is_word).collect();
        letters.extend(b"ab1");
        let mut signs: Vec<u8> = characters.to_vec();
        signs.retain(|c| c.is_ascii_punctuation());
        signs.push(b' ');
        let sign = char::from(random.pick(&signs));
        let count = COUNTS[(seed / 4) as usize % COUNTS.len()];
        let word = |random: &mut Random| -> String {
            let length = 1 + random.below(3);
            (0..length)
                .map(|_| char::from(random.pick(&letters)))
                .collect()
        };
        let lines: VecDeque<String> = match seed % 4 {
            0 => (0..count).map(|_| word(random)).collect(),
            1 => [(0..count)
                .map(|_| format!("{}{sign}", word(random)))
                .collect()]
            .into(),
            2 => [sign.to_string().repeat(count)].into(),
            _ => (0..count)
                .map(|_| {
                    let part = |random: &mut Random| match random.below(2) {
                        0 => word(random),
                        _ => char::from(random.pick(&signs)).to_string(),
                    };
                    (0..random.below(5)).map(|_| part(random)).collect()
                })
                .collect(),
        };
        Texts {
            lines: Some(lines),
            ..Texts::of(count as i128, String::new())
        }
    }

    /// The next text; nothing if all is said.
    fn next_text(&mut self) -> Option<String> {
        match &mut self.lines {
            Some(lines) => lines.pop_front(),
            None => Some(self.text.clone()),
        }
    }

    /// The next text as a number: itself, or a small one.
    fn next_number(&mut self) -> i128 {
        let Some(lines) = &mut self.lines else {
            return self.number;
        };
        let text = lines.pop_front().unwrap_or_default();
        let small = || text.bytes().map(i128::from).sum::<i128>() % 13 - 3;
        text.parse().unwrap_or_else(|_| small())
    }

    /// The answer to an input of the environment.
    pub fn answer(&mut self, what: &str) -> i128 {
        match what.rsplit_once('.').map_or(what, |(_, last)| last) {
            "line" => {
                let line = self.next_text().map(|text| format!("{text}\n"));
                self.bytes = line.unwrap_or_default().into_bytes().into();
                self.bytes.len() as i128
            }
            "length" | "count" => {
                let mut text = self.next_text().unwrap_or_default();
                if what.starts_with("scan") {
                    text.retain(|c| !c.is_whitespace());
                    text = if text.is_empty() { "a".into() } else { text };
                }
                self.bytes = text.into_bytes().into();
                self.bytes.len() as i128
            }
            "byte" | "wide" => i128::from(self.bytes.pop_front().unwrap_or(b'0')),
            "fails" | "error" | "ends" | "unknown" => 0,
            "scan" => match &self.lines {
                Some(lines) if lines.is_empty() => -1,
                _ => 1,
            },
            "present" => 1,
            "descriptor" => {
                self.descriptors += 1;
                2 + self.descriptors
            }
            "argc" => 2,
            "stdin" | "file" => {
                if self.bytes.is_empty() {
                    let line = self.next_text().map(|text| format!("{text}\n"));
                    self.bytes = line.unwrap_or_default().into_bytes().into();
                }
                self.bytes.pop_front().map_or(-1, i128::from)
            }
            _ => self.next_number(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
    fn a_script_ends() {
        for seed in 0..40 {
            let mut texts = Texts::script(seed, b",=");
            let mut bytes = Vec::new();
            while let Ok(byte) = u8::try_from(texts.answer("stdin")) {
                bytes.push(byte);
            }
            assert_eq!(bytes.last(), Some(&b'\n'));
            assert_eq!(texts.answer("stdin.line"), 0);
            assert_eq!(texts.answer("scan"), -1);
        }
    }

    #[test]
    fn scripts_have_the_signs_of_the_program() {
        let lines = (0..40).map(|seed| Texts::script(seed, b",z").lines.unwrap());
        let all: Vec<String> = lines.flatten().collect();
        assert!(all.contains(&",,,,,,,,,,,,".into()) && all.contains(&",".into()));
        assert!(all.iter().any(|line| line.contains('{')));
    }

    #[test]
    fn a_long_text_has_its_length() {
        let mut texts = Texts::long(16, b'a');
        assert_eq!(texts.answer("argv.length"), 16);
        assert_eq!(texts.answer("stdin.byte"), i128::from(b'a'));
        assert_eq!(texts.answer("scan.int"), 16);
    }
}
