//! The operations of the self-test: one of each kind that has its own code for lanes.

use frumious_curves::bandersnatch;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective};
use frumious_fft::Domain;
use frumious_field::{Integer, vector};
use frumious_msm::fixed::{Banderwagon, Budget, FixedBase};
use frumious_msm::msm_vartime;
use frumious_verkle::Crs;

use frumious_app::failure::Failure;

/// Something to compute again and again.
pub trait Work {
    /// Computes it.
    fn run(&mut self);
    /// The results, in a form that does not depend on the backend.
    fn result(&self) -> Vec<[u8; 32]>;
}

/// The kinds, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Products,
    Fft,
    Msm,
    Commitments,
}

/// Number of kinds.
pub const COUNT: usize = Kind::ALL.len();

impl Kind {
    pub const ALL: [Self; 4] = [Self::Products, Self::Fft, Self::Msm, Self::Commitments];

    /// The operation's name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Products => "4,096 products, BN254 Fr",
            Self::Fft => "FFT of 2^16, BN254 Fr",
            Self::Msm => "MSM of 2^14, BN254 G1",
            Self::Commitments => "8 commitments to 256, Verkle",
        }
    }

    /// The word for it in JSON results.
    pub fn key(self) -> &'static str {
        match self {
            Self::Products => "products",
            Self::Fft => "fft",
            Self::Msm => "msm",
            Self::Commitments => "commitments",
        }
    }

    /// The work, with its tables as the backend in use wants them. The same values every time.
    pub fn prepare(self) -> Result<Box<dyn Work>, Failure> {
        Ok(match self {
            Self::Products => Box::new(Products::new()),
            Self::Fft => Box::new(Fft::new()?),
            Self::Msm => Box::new(Msm::new()),
            Self::Commitments => Box::new(Commitments::new()?),
        })
    }
}

/// Element by element.
struct Products {
    a: Vec<Fr>,
    b: Vec<Fr>,
    out: Vec<Fr>,
}

impl Products {
    fn new() -> Self {
        let (a, b) = (elements(2, 1 << 12), elements(3, 1 << 12));
        let out = vec![Fr::ZERO; a.len()];
        Self { a, b, out }
    }
}

impl Work for Products {
    fn run(&mut self) {
        vector::multiply(&self.a, &self.b, &mut self.out);
    }

    fn result(&self) -> Vec<[u8; 32]> {
        self.out.iter().map(Fr::to_le_bytes).collect()
    }
}

/// Coefficients to values.
struct Fft {
    domain: Domain<Fr>,
    coefficients: Vec<Fr>,
    values: Vec<Fr>,
}

impl Fft {
    fn new() -> Result<Self, Failure> {
        let domain = Domain::new(16).map_err(|error| Failure::bad_input(error.to_string()))?;
        let coefficients = elements(2, domain.size());
        Ok(Self {
            domain,
            values: coefficients.clone(),
            coefficients,
        })
    }
}

impl Work for Fft {
    fn run(&mut self) {
        self.values.copy_from_slice(&self.coefficients);
        self.domain
            .fft(&mut self.values)
            .expect("a vector of the domain's size");
    }

    fn result(&self) -> Vec<[u8; 32]> {
        self.values.iter().map(Fr::to_le_bytes).collect()
    }
}

/// A sum over points that change from call to call.
struct Msm {
    points: Vec<G1Affine>,
    scalars: Vec<Integer<Fr>>,
    sum: G1Projective,
}

impl Msm {
    fn new() -> Self {
        let scalars: Vec<Integer<Fr>> = elements(2, 1 << 14)
            .into_iter()
            .map(Integer::from)
            .collect();
        // P, 2P + G, 2(2P + G) + G, …: no two differ by what two others do, as in a progression.
        let mut point = G1Projective::GENERATOR.mul_vartime(&Fr::from_u64(0x5eed));
        let next = |_| {
            point = point.double() + G1Projective::GENERATOR;
            point
        };
        let points: Vec<G1Projective> = (0..scalars.len()).map(next).collect();
        Self {
            points: G1Projective::batch_to_affine_vartime(&points),
            scalars,
            sum: G1Projective::IDENTITY,
        }
    }
}

impl Work for Msm {
    fn run(&mut self) {
        self.sum = msm_vartime(&self.points[..], &self.scalars).expect("as many points as scalars");
    }

    fn result(&self) -> Vec<[u8; 32]> {
        let sum = self.sum.to_affine();
        vec![sum.x.to_le_bytes(), sum.y.to_le_bytes()]
    }
}

/// Tables of commitments, of which each backend has its own while they are measured in turns.
const MIB: usize = 16;

/// Sums over points that are always the same.
struct Commitments {
    tables: FixedBase<Banderwagon>,
    vectors: Vec<Vec<bandersnatch::Fr>>,
    sums: Vec<bandersnatch::Element>,
}

impl Commitments {
    fn new() -> Result<Self, Failure> {
        let tables = FixedBase::new_vartime(Crs::standard().basis(), Budget::mib(MIB))
            .map_err(|error| Failure::bad_input(format!("tables: {error}")))?;
        let mut value = bandersnatch::Fr::from_u64(2);
        let mut next = || {
            value = value.square() + bandersnatch::Fr::ONE;
            value
        };
        let mut vector = || (0..256).map(|_| next()).collect();
        let vectors = (0..8).map(|_| vector()).collect();
        Ok(Self {
            tables,
            vectors,
            sums: Vec::new(),
        })
    }
}

impl Work for Commitments {
    fn run(&mut self) {
        let commit = |vector: &Vec<_>| {
            self.tables
                .commit_vartime(vector)
                .expect("as many scalars as points")
        };
        self.sums = self.vectors.iter().map(commit).collect();
    }

    fn result(&self) -> Vec<[u8; 32]> {
        self.sums
            .iter()
            .map(bandersnatch::Element::to_bytes)
            .collect()
    }
}

/// `n` elements, `x ↦ x² + 1` from `seed`: all but the first few of full length.
fn elements(seed: u64, n: usize) -> Vec<Fr> {
    let mut value = Fr::from_u64(seed);
    let next = |_| {
        value = value.square() + Fr::ONE;
        value
    };
    (0..n).map(next).collect()
}
