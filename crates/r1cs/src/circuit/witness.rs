//! Values of all wires, instances of templates in parallel.

use core::mem::take;
use std::collections::HashMap;

use frumious_field::WordField;
use frumious_parallel::for_each_chunk_mut;
use zeroize::{Zeroize, Zeroizing};

use super::combination::LinearCombination;
use super::program::{Frame, Program, Step};

/// The steps of a circuit by level: those of one level need only what those of lower levels find.
pub(crate) struct Schedule {
    /// Numbers of steps.
    levels: Vec<Vec<u32>>,
}

impl Schedule {
    pub(crate) fn new<F: WordField>(main: &Program<F>, templates: &[Program<F>]) -> Self {
        let reads = ports_read(templates);
        let mut known_from = Levels::default();
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for (step, index) in main.steps.iter().zip(0..) {
            let level = step.reads(&reads, |wire| known_from.of(wire));
            for out in step.outputs() {
                known_from.0.insert(*out, level + 1);
            }
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push(index);
        }
        Self { levels }
    }

    /// Does all steps of `main`; `wires` are those after the constant one, of which the inputs have their values.
    pub(crate) fn run<F: WordField + Zeroize>(
        &self,
        main: &Program<F>,
        templates: &[Program<F>],
        wires: &mut [F],
    ) {
        for level in &self.levels {
            let steps = level.iter().map(|index| &main.steps[*index as usize]);
            let (instances, others): (Vec<_>, Vec<_>) =
                steps.partition(|step| matches!(step, Step::Instance { .. }));
            let mut frame = Frame {
                ports: &mut [],
                own: wires,
            };
            others.iter().for_each(|step| frame.step(step, templates));
            match instances[..] {
                [] => {}
                [step] => frame.step(step, templates),
                _ => run_instances(&instances, templates, wires),
            }
        }
    }
}

/// The first level at which a wire has its value: zero for those that are given.
#[derive(Default)]
struct Levels(HashMap<u32, usize>);

impl Levels {
    fn of(&self, wire: u32) -> usize {
        self.0.get(&wire).copied().unwrap_or(0)
    }
}

/// For each template, for each of its ports, whether the steps read it before they write it.
fn ports_read<F: WordField>(templates: &[Program<F>]) -> Vec<Vec<bool>> {
    let mut reads: Vec<Vec<bool>> = Vec::with_capacity(templates.len());
    for template in templates {
        let mut read = vec![false; template.n_ports as usize];
        for step in &template.steps {
            step.reads(&reads, |wire| {
                if let Some(read) = read.get_mut((wire as usize).wrapping_sub(1)) {
                    *read = true;
                }
                0
            });
        }
        reads.push(read);
    }
    reads
}

impl<F: WordField> Step<F> {
    /// The largest of what `see` says of the wires that it reads, zero if it reads none. `ports`: as [`ports_read`] has
    /// them.
    fn reads(&self, ports: &[Vec<bool>], mut see: impl FnMut(u32) -> usize) -> usize {
        let mut largest = 0;
        let mut see_terms = |combination: &LinearCombination<F>| {
            for (wire, _) in combination.terms() {
                largest = largest.max(see(wire.number()));
            }
        };
        match self {
            Self::Product { a, b, .. } => [a, b].into_iter().for_each(see_terms),
            Self::Linear { value, .. } => see_terms(value),
            Self::Native { inputs, .. } => inputs.iter().for_each(see_terms),
            Self::Instance {
                template,
                ports: wires,
                n_inputs,
                ..
            } => {
                for (wire, read) in wires[..*n_inputs].iter().zip(&ports[*template]) {
                    if *read {
                        largest = largest.max(see(*wire));
                    }
                }
            }
        }
        largest
    }

    fn outputs(&self) -> &[u32] {
        match self {
            Self::Product { out, .. } | Self::Linear { out, .. } => core::slice::from_ref(out),
            Self::Native { outputs, .. } => outputs,
            Self::Instance {
                ports, n_inputs, ..
            } => &ports[*n_inputs..],
        }
    }
}

/// An instance with the wires that are its own.
struct Job<'w, F: Zeroize> {
    program: &'w Program<F>,
    ports: Zeroizing<Vec<F>>,
    own: &'w mut [F],
}

/// Does steps that are instances, in the order of their own wires, none of which needs what another finds.
fn run_instances<F: WordField + Zeroize>(
    steps: &[&Step<F>],
    templates: &[Program<F>],
    wires: &mut [F],
) {
    let values: Vec<Zeroizing<Vec<F>>> = steps
        .iter()
        .map(|step| match step {
            Step::Instance { ports, .. } => {
                let values = ports.iter().map(|port| match port.checked_sub(1) {
                    None => F::ONE,
                    Some(place) => wires[place as usize],
                });
                Zeroizing::new(values.collect())
            }
            _ => unreachable!("only instances"),
        })
        .collect();
    let mut rest = &mut *wires;
    let mut jobs = Vec::with_capacity(steps.len());
    let mut place = 1;
    for (step, ports) in steps.iter().zip(values) {
        let Step::Instance {
            template,
            first,
            n_own,
            ..
        } = step
        else {
            unreachable!("only instances");
        };
        let (_, own) = take(&mut rest).split_at_mut((first - place) as usize);
        let (own, after) = own.split_at_mut(*n_own as usize);
        (place, rest) = (first + n_own, after);
        jobs.push(Job {
            program: &templates[*template],
            ports,
            own,
        });
    }
    for_each_chunk_mut(&mut jobs, 1, |_, jobs| {
        for job in jobs {
            let mut frame = Frame {
                ports: &mut job.ports,
                own: job.own,
            };
            frame.run(job.program, templates);
        }
    });
    let values: Vec<Zeroizing<Vec<F>>> = jobs.into_iter().map(|job| job.ports).collect();
    for (step, values) in steps.iter().zip(values) {
        if let Step::Instance {
            ports, n_inputs, ..
        } = step
        {
            for (port, value) in ports.iter().zip(values.iter()).skip(*n_inputs) {
                wires[*port as usize - 1] = *value;
            }
        }
    }
}
