//! Damaged texts, the same ones in each run: tokens dropped, doubled, swapped and exchanged, bytes flipped, brackets
//! nested deeply, literals without end. A reader that is given one answers in a second and a gibibyte, and what it
//! refuses it refuses with a place.

use std::panic::{RefUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Far more than a text of some kilobytes needs, also on a machine that does other things.
const LIMIT: Duration = Duration::from_secs(10);
/// In a campaign, where the processor's time counts.
const CAMPAIGN_LIMIT: Duration = Duration::from_secs(1);
const MEMORY: u64 = 1 << 30;
/// Larger seeds make a campaign slow, and find no more.
const LARGEST: usize = 3000;

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(0x9e37_79b9_7f4a_7c15 ^ seed)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Words, numbers and single signs, with the blanks between them.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (i, c) in text.char_indices() {
        let kind = (c.is_alphanumeric() || c == '_', c.is_whitespace());
        if last.is_some_and(|l| l != kind || kind == (false, false)) {
            out.push(&text[start..i]);
            start = i;
        }
        last = Some(kind);
    }
    out.push(&text[start..]);
    out
}

/// A text without end where one token was.
fn endless(dice: &mut Dice) -> String {
    let n = 1 << dice.below(13);
    let unit = [
        "(", "[", "{", "9", "a", "-", "*", "\"", "(not ", "if(x)", "0x", "\u{fffd}", "e9", "- ",
        "?:",
    ];
    unit[dice.below(unit.len())].repeat(n)
}

pub fn damage(dice: &mut Dice, text: &str, all: &[&str]) -> String {
    let mut list = tokens(text);
    let long = endless(dice);
    for _ in 0..1 + dice.below(4) {
        if list.len() < 2 {
            break;
        }
        let (a, b) = (dice.below(list.len()), dice.below(list.len()));
        match dice.below(7) {
            0 => drop(list.remove(a)),
            1 => list.insert(a, list[b]),
            2 => list.swap(a, b),
            3 => list[a] = all[dice.below(all.len())],
            4 => list.insert(a, all[dice.below(all.len())]),
            5 => list.truncate(a.max(1)),
            _ => {
                let part: Vec<&str> = list[a.min(b)..a.max(b)].to_vec();
                list.splice(a..a, part);
            }
        }
    }
    if dice.below(40) == 0 {
        let at = dice.below(list.len());
        list[at] = &long;
    }
    let mut bytes = list.concat().into_bytes();
    if dice.below(4) == 0 && !bytes.is_empty() {
        let at = dice.below(bytes.len());
        bytes[at] ^= 1 << dice.below(8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Processor time of this thread, where the system tells it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// `CRAIG_CAMPAIGN=COUNT:SEED`: how many damaged texts of each language, and which.
/// `COUNT:SEED:.c` asks for one language.
pub fn campaign() -> Option<(usize, u64)> {
    let wanted = std::env::var("CRAIG_CAMPAIGN").ok()?;
    let mut parts = wanted.split(':');
    let count = parts.next()?.parse().ok()?;
    let seed = parts.next().unwrap_or("1").parse().ok()?;
    Some((count, seed))
}

fn is_asked(end: &str) -> bool {
    let wanted = std::env::var("CRAIG_CAMPAIGN").unwrap_or_default();
    wanted.split(':').nth(2).is_none_or(|only| only == end)
}

/// Gives damaged texts to a reader, each seed in `rounds` forms; the reader says what is wrong with its own answer.
/// What breaks it is given to `bad`, with the reason. Returns how many were tried.
pub fn try_all(
    texts: &[String],
    read: impl Fn(&str) -> Result<(), String> + RefUnwindSafe,
    rounds: usize,
    seed: u64,
    mut bad: impl FnMut(&str, &str),
) -> usize {
    let all: Vec<&str> = texts.iter().flat_map(|t| tokens(t)).collect();
    let in_campaign = campaign().is_some();
    let mut dice = Dice::new(seed);
    let mut tried = 0;
    for text in texts {
        if in_campaign && text.len() > LARGEST {
            continue;
        }
        for _ in 0..rounds {
            tried += 1;
            let damaged = damage(&mut dice, text, &all);
            let (start, before) = (Instant::now(), processor_time());
            let result = catch_unwind(|| read(&damaged));
            let limit = if in_campaign { CAMPAIGN_LIMIT } else { LIMIT };
            let mut took = start.elapsed();
            if took > limit
                && let (Some(a), Some(b)) = (before, processor_time())
            {
                took = b - a;
            }
            let memory = in_campaign && tried % 64 == 0 && resident() > MEMORY;
            let trouble = match result {
                Err(_) => "panic".to_string(),
                Ok(Err(what)) => what,
                Ok(Ok(())) if took > limit => "too long".into(),
                Ok(Ok(())) if memory => "too much memory".into(),
                Ok(Ok(())) => continue,
            };
            bad(&trouble, &damaged);
        }
    }
    tried
}

/// Runs on a stack as deep as checks have.
pub fn deeply(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread.expect("a thread").join().expect("what ran there");
}

/// One text that breaks a reader is enough.
pub fn fail(trouble: &str, text: &str) {
    panic!("{trouble} on:\n{text}");
}

/// A campaign for one reader; all that breaks it is kept in the folder for temporary files, for a look at the end.
pub fn run_campaign(
    end: &str,
    texts: &[String],
    read: impl Fn(&str) -> Result<(), String> + RefUnwindSafe,
) -> usize {
    if !is_asked(end) {
        return 0;
    }
    let (count, seed) = campaign().unwrap_or((1000, 1));
    let dir = std::env::temp_dir().join("craig-damaged");
    std::fs::create_dir_all(&dir).expect("a folder for temporary files");
    let small = texts.iter().filter(|t| t.len() <= LARGEST).count();
    let mut kept = 0;
    let start = Instant::now();
    let tried = try_all(
        texts,
        read,
        count.div_ceil(small.max(1)),
        seed,
        |trouble, text| {
            kept += 1;
            let file = dir.join(format!("{seed}-{kept}{end}"));
            std::fs::write(&file, text).expect("a file for temporary use");
            println!("{trouble}: {}", file.display());
        },
    );
    println!(
        "{end}: {tried} texts of {small} seeds, {kept} kept, {:?}",
        start.elapsed()
    );
    kept
}
