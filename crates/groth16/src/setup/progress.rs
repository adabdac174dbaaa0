//! The phases of a setup, for an observer.

/// A part of a setup's work, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SetupPhase {
    /// The points of a ceremony, checked.
    Check,
    /// The circuit's columns, by wire; with a ceremony only their sizes.
    Columns,
    /// Part IC.
    PointsIc,
    /// The coefficients of A and B.
    Coefficients,
    /// Part A.
    PointsA,
    /// Part B1.
    PointsB1,
    /// Part B2.
    PointsB2,
    /// Part C.
    PointsC,
    /// Part H.
    PointsH,
    /// The hash of the circuit under a ceremony.
    Hash,
}

impl SetupPhase {
    /// All phases in their order, those of a setup from a ceremony.
    pub const ALL: [Self; 10] = [
        Self::Check,
        Self::Columns,
        Self::PointsIc,
        Self::Coefficients,
        Self::PointsA,
        Self::PointsB1,
        Self::PointsB2,
        Self::PointsC,
        Self::PointsH,
        Self::Hash,
    ];

    /// The phases of a setup without a ceremony.
    pub const DEVELOPMENT: [Self; 8] = [
        Self::Columns,
        Self::PointsIc,
        Self::Coefficients,
        Self::PointsA,
        Self::PointsB1,
        Self::PointsB2,
        Self::PointsC,
        Self::PointsH,
    ];

    /// A short name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Columns => "columns",
            Self::Check => "check powers",
            Self::PointsIc => "points IC",
            Self::Coefficients => "coefficients",
            Self::PointsA => "points A",
            Self::PointsB1 => "points B1",
            Self::PointsB2 => "points B2",
            Self::PointsC => "points C",
            Self::PointsH => "points H",
            Self::Hash => "hash",
        }
    }
}

/// Where a setup tells how far it is.
#[derive(Clone, Copy)]
pub(super) struct Progress<'a> {
    observer: Option<&'a dyn Fn(SetupPhase, f64)>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(observer: Option<&'a dyn Fn(SetupPhase, f64)>) -> Self {
        Self { observer }
    }

    pub(super) fn begin(self, phase: SetupPhase) {
        self.within(phase, 0.0);
    }

    /// `done` of the phase, from 0 to 1.
    pub(super) fn within(self, phase: SetupPhase, done: f64) {
        if let Some(observer) = self.observer {
            observer(phase, done);
        }
    }
}
