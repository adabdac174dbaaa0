#![forbid(unsafe_code)]
//! Rank-1 constraint systems, stored compactly: `⟨A, w⟩ · ⟨B, w⟩ = ⟨C, w⟩` for each constraint.
//!
//! A part that repeats is stored once. Coefficients are numbers in a [`Pool`] of distinct values. A term is two small
//! integers: a coefficient's number and the distance from the wire before.
//!
//! A *template* is a part of a circuit, for example a permutation of a hash function or a signature check. It has wires
//! of its own and *ports*, wires that it shares with what is around it. An *instance* of it stores which wires its
//! ports are and where its own wires begin. That takes some twenty bytes, however many constraints the template has.
//! Templates may contain instances of others.
//!
//! A [`Circuit`] is written in Rust, constraints and the computation of its witness together, from [`gadgets`];
//! [`SystemBuilder`] makes a system from bare constraints.
//!
//! Nothing is ever expanded: [`System::for_each_row`] streams the constraints of any range, decoded one at a time, to
//! whoever evaluates, sets up or checks.
//!
//! ```
//! # mod frumious { pub use ::frumious_curves as curves; pub use ::frumious_r1cs as r1cs; }
//! use frumious::curves::bn254::Fr;
//! use frumious::r1cs::{BodyBuilder, Interface, Label, SystemBuilder};
//!
//! let mut builder = SystemBuilder::<Fr>::new();
//! // out = x^4, with a wire of its own for the square
//! let mut power = BodyBuilder::template("fourth_power", 2);
//! let (x, out, square) = (power.port(0), power.port(1), power.own_wire());
//! builder.constrain(&mut power, &[(x, Fr::ONE)], &[(x, Fr::ONE)], &[(square, Fr::ONE)]);
//! builder.constrain(&mut power, &[(square, Fr::ONE)], &[(square, Fr::ONE)], &[(out, Fr::ONE)]);
//! let power = builder.add(power);
//!
//! let mut main = BodyBuilder::main();
//! let [x, y, z] = [(); 3].map(|()| main.own_wire());
//! builder.instance(&mut main, power, Label::new("once"), &[x, y]);
//! builder.instance(&mut main, power, Label::indexed("again", 7), &[y, z]);
//! let interface = Interface { public_outputs: 0, public_inputs: 2, private_inputs: 1 };
//! let system = builder.finish(main, interface);
//!
//! assert_eq!(system.n_constraints(), 4);
//! let mut witness = [1, 2, 16, 65536, 4, 256].map(Fr::from_u64); // one, x, y, z, the squares
//! assert_eq!(system.first_unsatisfied(&witness), None);
//! witness[5] += Fr::ONE;
//! let row = system.first_unsatisfied(&witness).expect("a wrong square");
//! assert_eq!(system.path(row), "again[7]: constraint 0 of fourth_power");
//! ```

mod body;
mod builder;
mod check;
mod circuit;
mod code;
mod content;
mod detect;
pub mod gadgets;
mod pool;
mod row;
mod source;
mod system;

pub use builder::{BodyBuilder, Label, SystemBuilder, TemplateId, Wire};
pub use circuit::{
    Circuit, Component, InputError, Inputs, InputsAndOutputs, LinearCombination, Names, Signal,
    Template, Unsatisfied,
};
pub use content::{Content, Part};
pub use pool::Pool;
pub use row::{PooledTerm, Row};
pub use source::{
    CONSTRAINTS_PER_BLOCK, ConstraintBlocks, ConstraintSource, ConstraintVisitor, SourceError, Term,
};
pub use system::{Interface, System};
