//! Interpolants.

pub mod colour;
mod equality;
mod farkas;
mod partial;

/// Which labelled interpolation system, from strongest to weakest interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Labelling {
    McMillan,
    Pudlak,
    InverseMcMillan,
}

/// Which part of a Farkas sum becomes the interpolant of a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FarkasSide {
    Primal,
    Dual,
}

#[cfg(test)]
mod tests;
