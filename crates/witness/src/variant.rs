//! The ways to run a module.

/// A way to run a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Nothing replaced.
    AsItIs,
    /// With our field arithmetic, and loads that are watched.
    Native,
    /// The same, where all of ours in its memory are handles.
    Recorded,
    /// The same, where assertions are assumed to hold.
    Rehearsed,
}
