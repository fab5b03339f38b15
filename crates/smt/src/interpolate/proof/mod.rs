//! Interpolants read off a refutation: what each leaf contributes, and how partial interpolants combine.

pub mod colour;
pub(super) mod equality;
pub(super) mod farkas;
pub(super) mod fold;
pub(super) mod mixed;
pub(super) mod mixed_lemma;
pub(super) mod partial;
