//! Guesses of what an obliging outside says: calls succeed, texts are numbers that programs stumble over.
//!
//! Models of the library read a text as its length and then its bytes (`stdin.line`, `stdin.byte`, …). Guessed
//! one by one these make no sense; here each text is the decimal form of one number, such as the greatest int,
//! and every number read is that number. Or each text is one character again and again, as long as a buffer may be. Or
//! texts are those that the program itself names, which are what it compares with: all the same one first, then any, also
//! two of them or a number behind one (`--size=7`). Or there are some lines and no more, of words and signs that the program
//! asks for: programs that take texts apart stumble over empty pieces and over many, and leak when their input ends.

use base::Random;
use logic::Rational;
use std::collections::VecDeque;

/// The numbers of the first runs.
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
    bytes: VecDeque<u8>,
    /// Descriptors given so far.
    descriptors: i128,
    speech: Speech,
}

/// What texts are.
enum Speech {
    /// All the same one, without end.
    Same(Vec<u8>),
    Words(Words),
    /// These, and no more.
    Script(VecDeque<Vec<u8>>),
}

/// How many words, signs or lines a script has.
const COUNTS: [usize; 6] = [1, 20, 12, 2, 40, 5];
/// How often all signs are said.
const MOST_ROUNDS: usize = 20;

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
    /// A number: one that any program may stumble over, then one of this program's or a neighbour.
    pub fn new(run: u64, constants: &[Rational]) -> Texts {
        let near = [0, 1, -1];
        let count = NUMBERS.len() + near.len() * constants.len();
        let at = (run % count as u64) as usize;
        let number = NUMBERS.get(at).copied().or_else(|| {
            let own = at - NUMBERS.len();
            let own_number = constants[own / near.len()].to_i64()?;
            Some(i128::from(own_number) + near[own % near.len()])
        });
        let number = number.unwrap_or_default();
        Texts::of(number, number.to_string())
    }

    /// Texts of one character; the number is their length.
    pub fn long(length: usize, of: u8) -> Texts {
        Texts::of(length as i128, char::from(of).to_string().repeat(length))
    }

    /// Texts of the program, of which there is one at least: all the same in the first runs.
    pub fn words(list: &[Vec<u8>], run: u64) -> Texts {
        let mut texts = Texts::new(run, &[]);
        let mut random = Random::new(run);
        texts.speech = Speech::Words(Words {
            list: list.to_vec(),
            same: usize::try_from(run).ok().filter(|n| *n < list.len()),
            lines: random.below(3),
            random,
        });
        texts
    }

    /// Some lines, of the characters that the program names and their neighbours.
    pub fn script(run: u64, characters: &[u8]) -> Texts {
        let random = &mut Random::new(run);
        let near = |c: &u8| [c.saturating_sub(1), *c, c.saturating_add(1)];
        let named = |c: &u8| characters.contains(c) && c.is_ascii_punctuation();
        let mut letters: Vec<u8> = characters.iter().flat_map(near).collect();
        letters.retain(|c| c.is_ascii_graphic() && !named(c));
        letters.extend(b"ab1");
        let mut signs: Vec<u8> = characters.to_vec();
        signs.retain(named);
        signs.push(b' ');
        let sign = random.pick(&signs);
        let count = COUNTS[(run / 4) as usize % COUNTS.len()];
        let word = |random: &mut Random| -> Vec<u8> {
            let length = 1 + random.below(3);
            (0..length).map(|_| random.pick(&letters)).collect()
        };
        let mixed = |random: &mut Random| -> Vec<u8> {
            let parts = (0..random.below(5)).map(|_| match random.below(2) {
                0 => word(random),
                _ => vec![random.pick(&signs)],
            });
            parts.flatten().collect()
        };
        let lines: VecDeque<Vec<u8>> = match run % 4 {
            0 => (0..count).map(|_| word(random)).collect(),
            1 => {
                let words = (0..count).flat_map(|_| [word(random), vec![sign]]);
                [words.flatten().collect()].into()
            }
            2 if (run / 4).is_multiple_of(2) => [vec![sign; count]].into(),
            // All signs again and again: whichever it is that the program counts, there are many.
            2 => [signs.repeat(count.min(MOST_ROUNDS))].into(),
            _ => (0..count).map(|_| mixed(random)).collect(),
        };
        Texts {
            speech: Speech::Script(lines),
            ..Texts::of(count as i128, String::new())
        }
    }

    fn of(number: i128, text: String) -> Texts {
        Texts {
            number,
            bytes: VecDeque::new(),
            descriptors: 0,
            speech: Speech::Same(text.into_bytes()),
        }
    }

    /// The next text; nothing if all is said.
    fn next(&mut self) -> Option<Vec<u8>> {
        match &mut self.speech {
            Speech::Same(text) => Some(text.clone()),
            Speech::Words(words) => Some(words.next()),
            Speech::Script(lines) => lines.pop_front(),
        }
    }

    /// The next text as a number: itself, or a small one.
    fn next_number(&mut self) -> i128 {
        let Speech::Script(lines) = &mut self.speech else {
            return self.number;
        };
        let text = lines.pop_front().unwrap_or_default();
        let small = text.iter().map(|b| i128::from(*b)).sum::<i128>() % 13 - 3;
        let text = String::from_utf8(text).unwrap_or_default();
        text.parse().unwrap_or(small)
    }

    /// The next line of a stream; nothing at its end.
    fn next_line(&mut self) -> Option<Vec<u8>> {
        let mut line = self.next()?;
        line.push(b'\n');
        Some(line)
    }

    /// The bytes of the last text whose length was asked for.
    pub fn placed(&mut self) -> Vec<u8> {
        self.bytes.drain(..).collect()
    }

    /// Streams of words end after some lines.
    fn ended(&mut self) -> bool {
        let Speech::Words(words) = &mut self.speech else {
            return false;
        };
        let over = words.lines == 0;
        words.lines = words.lines.saturating_sub(1);
        over
    }

    /// The answer to an input of the environment.
    pub fn answer(&mut self, what: &str) -> i128 {
        match what.rsplit_once('.').map_or(what, |(_, last)| last) {
            "line" => {
                self.bytes = self.next_line().unwrap_or_default().into();
                self.bytes.len() as i128
            }
            "length" | "count" => {
                let mut text = self.next().unwrap_or_default();
                if what.starts_with("scan") && matches!(self.speech, Speech::Script(_)) {
                    text.retain(|b| !b.is_ascii_whitespace());
                    text = if text.is_empty() { b"a".to_vec() } else { text };
                }
                self.bytes = text.into();
                self.bytes.len() as i128
            }
            "byte" | "wide" => i128::from(self.bytes.pop_front().unwrap_or(b'0')),
            "fails" | "error" | "ends" | "unknown" => 0,
            "scan" => match &self.speech {
                Speech::Script(lines) if lines.is_empty() => -1,
                _ => 1,
            },
            "present" => 1,
            "descriptor" => {
                self.descriptors += 1;
                2 + self.descriptors
            }
            "argc" => 2,
            "stdin" | "file" => match self.bytes.pop_front() {
                Some(byte) => i128::from(byte),
                None if self.ended() => -1,
                None => {
                    self.bytes = self.next_line().unwrap_or_default().into();
                    self.bytes.pop_front().map_or(-1, i128::from)
                }
            },
            _ => self.next_number(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_number() {
        let mut texts = Texts::new(0, &[]);
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
    fn a_script_ends() {
        for run in 0..40 {
            let mut texts = Texts::script(run, b",=");
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
        let mut all = Vec::new();
        for run in 0..40 {
            let mut texts = Texts::script(run, b",z");
            while texts.answer("stdin.line") > 0 {
                all.push(texts.placed());
            }
        }
        let has = |line: &[u8]| all.iter().any(|l| l == line);
        assert!(has(b",,,,,,,,,,,,\n") && has(b",\n"));
        assert!(all.iter().any(|line| line.contains(&b'{')));
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
