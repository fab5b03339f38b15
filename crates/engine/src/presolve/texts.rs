//! Guesses of what an obliging outside says: calls succeed, texts are numbers that programs stumble over.
//!
//! Models of the library read a text as its length and then its bytes (`stdin.line`, `stdin.byte`, …). Guessed
//! one by one these make no sense; here each text is the decimal form of one number, such as the greatest int,
//! and every number read is that number. Or each text is one character again and again, as long as a buffer may be. Or
//! texts are those that the program itself names, which are what it compares with: all the same one first, then any, also
//! two of them or a number behind one (`--size=7`).

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
    words: Option<Words>,
}

/// Texts of the program.
struct Words {
    list: Vec<Vec<u8>>,
    /// Which of them all texts are, if they are all the same.
    same: Option<usize>,
    random: Random,
    /// Lines that a stream still has.
    lines: u64,
}

impl Words {
    fn next(&mut self) -> Vec<u8> {
        if let Some(same) = self.same {
            return self.list[same].clone();
        }
        let mut text = self.random.pick(&self.list);
        match self.random.below(6) {
            0 => text.extend(self.random.pick(&self.list)),
            1 => text.extend(self.random.below(12).to_string().bytes()),
            2 if self.random.below(2) == 0 => text = self.random.pick(&NUMBERS).to_string().into(),
            2 => text = (self.random.below(40) as i64 - 10).to_string().into(),
            _ => {}
        }
        text
    }
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

    /// Texts of the program, of which there is one at least: all the same in the first runs.
    pub fn words(list: &[Vec<u8>], run: u64) -> Texts {
        let mut texts = Texts::new(run);
        let mut random = Random::new(run);
        texts.words = Some(Words {
            list: list.to_vec(),
            same: usize::try_from(run).ok().filter(|n| *n < list.len()),
            lines: random.below(3),
            random,
        });
        texts
    }

    fn of(number: i128, text: String) -> Texts {
        Texts {
            number,
            text,
            bytes: VecDeque::new(),
            descriptors: 0,
            words: None,
        }
    }

    /// The next text.
    fn next(&mut self) -> Vec<u8> {
        match &mut self.words {
            Some(words) => words.next(),
            None => self.text.clone().into_bytes(),
        }
    }

    /// The bytes of the last text whose length was asked for.
    pub fn placed(&mut self) -> Vec<u8> {
        self.bytes.drain(..).collect()
    }

    /// Streams of words end after some lines.
    fn ended(&mut self) -> bool {
        let Some(words) = &mut self.words else {
            return false;
        };
        let over = words.lines == 0;
        words.lines = words.lines.saturating_sub(1);
        over
    }

    /// The answer to an input of the environment.
    pub fn answer(&mut self, what: &str) -> i128 {
        match what.rsplit_once('.').map_or(what, |(_, last)| last) {
            "line" | "length" | "count" => {
                self.bytes = self.next().into();
                if what.ends_with("line") {
                    self.bytes.push_back(b'\n');
                }
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
                None if self.ended() => -1,
                None => {
                    self.bytes = self.next().into();
                    self.bytes.push_back(b'\n');
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

    #[test]
    fn words_are_all_the_same_first() {
        let list = [b"start".to_vec(), b"stop".to_vec()];
        let mut texts = Texts::words(&list, 1);
        for _ in 0..2 {
            assert_eq!(texts.answer("argv.length"), 4);
            assert_eq!(texts.placed(), b"stop");
        }
        // Streams end.
        assert!((0..100).any(|_| texts.answer("stdin") == -1));
        let mut any = Texts::words(&list, 9);
        let lengths: Vec<i128> = (0..20).map(|_| any.answer("stdin.line")).collect();
        assert!(lengths.contains(&6) && lengths.contains(&5), "{lengths:?}");
    }
}
