//! The symbols of interpolants, for problems of [`testkit::partitions`].

use logic::{Pool, TermId};
pub use testkit::partitions::*;

/// Symbols of every interpolant occur inside and outside its subtree; where two arrays differ everybody may say.
pub fn vocabulary(
    pool: &Pool,
    parts: &[TermId],
    parent: &[usize],
    interpolants: &[TermId],
) -> Result<(), String> {
    let cuts = crate::interpolate::proof::colour::Cuts::of_tree(parent);
    for (cut, &i) in interpolants.iter().enumerate() {
        for s in pool.symbols_of(&[i]) {
            let occurs = |inside: bool| {
                (0..parts.len()).any(|p| {
                    cuts.inside[cut][p] == inside && pool.symbols_of(&[parts[p]]).contains(&s)
                })
            };
            let own = logic::is_array_diff(pool, s);
            if !own && (!occurs(true) || !occurs(false)) {
                return Err(format!(
                    "{} is not shared at cut {cut}",
                    pool.symbol_data(s).name
                ));
            }
        }
    }
    Ok(())
}
