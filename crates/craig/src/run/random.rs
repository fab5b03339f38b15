//! The numbers of glibc's `rand`: a lagged sum of 31 words, seeded by a linear generator.

/// The state of the generator.
pub struct Generator {
    words: Vec<u32>,
    at: usize,
}

/// Words of the state, and how far back the second summand lies.
const WORDS: usize = 31;
const LAG: usize = 28;

impl Generator {
    pub fn new(seed: u32) -> Generator {
        let mut words = Vec::with_capacity(WORDS);
        let mut word = i64::from(if seed == 0 { 1 } else { seed } as i32);
        for _ in 0..WORDS {
            words.push(word as u32);
            word = (16_807 * word) % 2_147_483_647;
            if word < 0 {
                word += 2_147_483_647;
            }
        }
        let mut generator = Generator { words, at: 3 };
        // The state is stirred before the first number.
        for _ in 0..10 * WORDS {
            generator.next();
        }
        generator
    }

    /// The next number.
    pub fn next(&mut self) -> i64 {
        let front = self.at % WORDS;
        let back = (self.at + LAG) % WORDS;
        self.words[front] = self.words[front].wrapping_add(self.words[back]);
        self.at += 1;
        i64::from(self.words[front] >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_glibc() {
        let mut one = Generator::new(1);
        let first: Vec<i64> = (0..3).map(|_| one.next()).collect();
        assert_eq!(first, [1_804_289_383, 846_930_886, 1_681_692_777]);
        let mut other = Generator::new(42);
        assert_eq!(other.next(), 71_876_166);
    }
}
