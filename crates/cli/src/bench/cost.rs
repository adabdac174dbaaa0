//! `frumious bench cost`: the cost of a proof, in seconds, memory and dollars.

use std::fmt::Write;

use frumious_app::failure::Failure;
use frumious_app::key::AnyKey;
use frumious_app::places::Role;
use frumious_app::quantities::{bytes, count, duration, seconds};
use frumious_app::satisfied;
use frumious_app::witness::AnyWitness;
use serde_json::json;

use super::prove::{Measured, measure};
use crate::arguments::bench::Cost;
use crate::doctor::cpu::CpuKind;
use crate::output::Output;
use crate::progress::Progress;

/// Measures proofs; the shortest counts.
pub fn cost(arguments: &Cost, output: &Output) -> Result<(), Failure> {
    let Cost {
        r1cs,
        zkey,
        wtns,
        rounds,
        price,
        vcpus,
        instance,
    } = arguments;
    let places = (output.places().input("R1CS", Role::Circuit, r1cs))
        .input("KEY", Role::Key, zkey)
        .input("WITNESS", Role::Witness, wtns);
    output.check(&places)?;
    let progress = Progress::new(output, 3 + *rounds as usize);
    progress.begin("read key");
    let key = AnyKey::open(zkey)?;
    progress.begin("read witness");
    let witness = AnyWitness::open(wtns, key.curve())?;
    progress.begin("check");
    let constraints = satisfied::check(&witness, r1cs, &r1cs.with_extension("sym"))?.n_constraints;
    let measured = measure(&key, &witness, Some(wtns), *rounds, None, &progress)?;
    progress.finish();
    let Measured {
        timings,
        predicted,
        peak,
    } = measured;
    let threads = frumious_parallel::current_num_threads();
    let time = timings.total();
    let rate = Rate {
        constraints,
        threads: threads as f64,
        seconds: time.as_secs_f64().max(1e-9),
    };
    let priced = price
        .zip(*vcpus)
        .map(|(price, vcpus)| rate.priced(price, vcpus));
    let mut text = format!(
        "A proof of {} constraints takes {} on {threads} threads: {} constraints a second and core, {} of memory",
        count(u64::from(constraints)),
        duration(time),
        count(rate.each_second_and_core() as u64),
        bytes(predicted),
    );
    if let (Some(priced), Some(price), Some(vcpus)) = (&priced, price, vcpus) {
        let name = instance.as_deref().unwrap_or("an instance");
        let _ = write!(
            text,
            "\nComputed: {name} of {vcpus} virtual CPUs for ${price} an hour, as fast as these, makes {} proofs an hour, \
             1,000 for ${:.4}: {} constraints a dollar",
            count(priced.proofs_an_hour as u64),
            priced.thousand_proofs,
            count(priced.constraints_a_dollar as u64),
        );
    }
    output.answer(
        &text,
        json!({
            "constraints": constraints,
            "seconds": seconds(time),
            "threads": threads,
            "constraints_per_second_and_core": rate.each_second_and_core().round(),
            "predicted_memory_bytes": predicted,
            "peak_private_bytes": peak,
            "rounds": rounds,
            "cpu_kind": CpuKind::look().key(),
            "instance": instance,
            "vcpus": vcpus,
            "dollars_per_hour": price,
            "computed_proofs_per_hour": priced.as_ref().map(|priced| priced.proofs_an_hour),
            "computed_dollars_per_1000_proofs": priced.as_ref().map(|priced| priced.thousand_proofs),
            "computed_constraints_per_dollar": priced.as_ref().map(|priced| priced.constraints_a_dollar.round()),
        }),
    )
}

/// A measured proof.
struct Rate {
    constraints: u32,
    threads: f64,
    seconds: f64,
}

/// The cost on an instance.
#[derive(Debug, PartialEq)]
struct Priced {
    proofs_an_hour: f64,
    /// Dollars for so many proofs.
    thousand_proofs: f64,
    constraints_a_dollar: f64,
}

impl Rate {
    fn each_second_and_core(&self) -> f64 {
        f64::from(self.constraints) / (self.seconds * self.threads)
    }

    /// For an instance of `price` dollars an hour, all of whose CPUs prove.
    fn priced(&self, price: f64, vcpus: u32) -> Priced {
        let proofs_an_hour = 3600.0 / self.seconds * (f64::from(vcpus) / self.threads);
        Priced {
            proofs_an_hour,
            thousand_proofs: 1000.0 * price / proofs_an_hour,
            constraints_a_dollar: f64::from(self.constraints) * proofs_an_hour / price,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Priced, Rate};

    #[test]
    fn dollars_follow_from_seconds_threads_and_price() {
        let rate = Rate {
            constraints: 1_000_000,
            threads: 2.0,
            seconds: 4.0,
        };
        assert_eq!(rate.each_second_and_core(), 125_000.0);
        // Eight at once, each 900 times an hour.
        let expected = Priced {
            proofs_an_hour: 7200.0,
            thousand_proofs: 100.0,
            constraints_a_dollar: 1e7,
        };
        assert_eq!(rate.priced(720.0, 16), expected);
    }
}
