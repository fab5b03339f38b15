//! Tests of splitting and slicing.
