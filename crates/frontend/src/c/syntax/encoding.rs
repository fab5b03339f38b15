//! Source files that are not UTF-8.
//!
//! The text of a program is a `String`. A byte that is no UTF-8 becomes a character of a private plane
//! that nobody writes, so that literals still know the byte.

/// The character of byte 0.
const PLANE: u32 = 0x10_ff00;

/// The text of a file, whatever its encoding.
pub fn decode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(
            chunk
                .invalid()
                .iter()
                .filter_map(|&b| char::from_u32(PLANE + u32::from(b))),
        );
    }
    out
}

/// The byte that a character stands for.
pub fn raw_byte(c: char) -> Option<u8> {
    u32::from(c)
        .checked_sub(PLANE)
        .and_then(|b| u8::try_from(b).ok())
        .filter(|b| *b >= 0x80)
}
