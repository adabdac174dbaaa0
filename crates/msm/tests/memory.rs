//! Sums take as much memory as they say, with any settings, and are the same.

#![allow(unsafe_code)] // a counting allocator

use frumious_curves::bls12_381;
use frumious_curves::bn254::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use frumious_field::{Field, Integer, PrimeField};
use frumious_limbs::backend::{self, Backend};
use frumious_msm::{
    Pending, SETTINGS, ScaledPoint, memory_bytes, memory_bytes_together, msm_vartime,
    scalar_digits_vartime, scale_each_vartime, scale_vartime, together_vartime,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: everything is left to the system's allocator; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Scalars of full length; equal ones, which crowd buckets; and small ones of all lengths.
fn scalars(n: usize) -> [Vec<Integer<Fr>>; 3] {
    let mut value = Fr::from_u64(0xc0ffee);
    let full: Vec<Fr> = core::iter::repeat_with(|| {
        value = value.square() + Fr::ONE;
        value
    })
    .take(n)
    .collect();
    let short = |i: usize| Integer::from_u64(u64::MAX >> (i % 64));
    [
        full.iter().copied().map(Integer::from).collect(),
        vec![full.first().copied().map_or(Integer::ONE, Integer::from); n],
        (0..n).map(short).collect(),
    ]
}

/// One test, because the allocator and the backend are those of the whole process.
#[test]
fn sums_take_no_more_memory_than_they_say_and_full_ones_not_much_less() {
    let cache = SETTINGS.iter().find(|s| s.name() == "msm.cache_bytes");
    let cache = cache.expect("it is there");
    for backend in Backend::ALL {
        if backend::set(backend).is_err() {
            println!("SKIP {}: not on this CPU", backend.name());
            continue;
        }
        check_products::<G1Affine>(backend, 2_600_000);
        check_products::<G2Affine>(backend, 2_600_000);
        check_products::<bls12_381::G1Affine>(backend, 3_700_000);
        check_products::<bls12_381::G2Affine>(backend, 3_700_000);
        for threads in [1, 2] {
            frumious_parallel::with_threads(threads, || {
                for log_n in [4, 10, 12] {
                    check(backend, 1 << log_n, false);
                }
                // The bound has as many buckets as the cache holds, however few points there are.
                cache.set(512 << 10).expect("it is possible");
                check(backend, 1 << 14, true);
                if threads > 1 && backend == Backend::detect() {
                    check(backend, 1 << 16, true);
                }
                for extreme in [0, 1, 2, 3] {
                    set_to_extremes(extreme);
                    for n in [0, 1, 100, 5000] {
                        check(backend, n, false);
                    }
                }
                for setting in SETTINGS {
                    setting.set(setting.usual()).expect("it is possible");
                }
            })
            .expect("threads start");
        }
        // Side by side: a proof on one thread takes its sums one after another.
        for threads in [2, 5] {
            frumious_parallel::with_threads(threads, || {
                for log_n in [4, 10, 12] {
                    check_together(backend, 1 << log_n);
                }
                for extreme in [0, 1] {
                    set_to_extremes(extreme);
                    for n in [0, 1, 100, 5000] {
                        check_together(backend, n);
                    }
                }
                for setting in SETTINGS {
                    setting.set(setting.usual()).expect("it is possible");
                }
            })
            .expect("threads start");
        }
    }
}

/// Products of many points take as much memory as their documentation says, in bytes.
fn check_products<A: ScaledPoint<Scalar: PrimeField>>(backend: Backend, bound: usize) {
    let points = vec![A::GENERATOR; 3000];
    let digits = scalar_digits_vartime::<A>(&A::Scalar::from_u64(3).pow_vartime(&[1000]));
    let each = vec![digits; points.len()];
    let mut products = points.clone();
    let before = IN_USE.load(Ordering::Relaxed);
    for is_common in [true, false] {
        MOST.store(before, Ordering::Relaxed);
        match is_common {
            true => scale_vartime((&points).into(), &digits, &mut products),
            false => scale_each_vartime((&points).into(), &each, &mut products),
        }
        let most = MOST.load(Ordering::Relaxed) - before;
        println!("{}, common: {is_common}: {most} bytes", backend.name());
        assert!(most <= bound, "{}: {most} bytes", backend.name());
    }
}

/// Three sums side by side, of which one is shorter.
fn check_together(backend: Backend, n: usize) {
    let g1 = vec![G1Affine::GENERATOR; n];
    let g2 = vec![G2Affine::GENERATOR; n / 2];
    for scalars in scalars(n) {
        let expected_g1 = msm_vartime(&g1, &scalars);
        let expected_g2 = msm_vartime(&g2, &scalars[..n / 2]);
        let mut a = Pending::new(&g1, &scalars).expect("equal lengths");
        let mut b = Pending::new(&g2, &scalars[..n / 2]).expect("equal lengths");
        let mut c = Pending::new(&g1, &scalars).expect("equal lengths");
        let before = IN_USE.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        together_vartime(&mut [&mut a, &mut b, &mut c]);
        let taken = (MOST.load(Ordering::Relaxed) - before) as u64;
        let told = memory_bytes_together::<G1Affine, G2Affine>(3, n);
        println!(
            "{}, {n} points side by side: {taken} of {told} bytes",
            backend.name()
        );
        assert!(
            taken <= told,
            "{}, {n}: {taken} bytes, told {told}",
            backend.name()
        );
        assert_eq!(a.total(), expected_g1.ok());
        assert_eq!(b.total(), expected_g2.ok());
        assert_eq!(c.total(), expected_g1.ok());
    }
}

/// All settings at their least, all at their most, or by turns.
fn set_to_extremes(extreme: usize) {
    for (place, setting) in SETTINGS.iter().enumerate() {
        let is_least = [
            true,
            false,
            place.is_multiple_of(2),
            !place.is_multiple_of(2),
        ][extreme];
        let range = setting.range();
        let value = if is_least { range.start() } else { range.end() };
        setting.set(*value).expect("it is possible");
    }
}

/// The sums of `n` points are right, and take no more memory than they say; with `is_near`, not much less.
fn check(backend: Backend, n: usize, is_near: bool) {
    let g1 = vec![G1Affine::GENERATOR; n];
    let g2 = vec![G2Affine::GENERATOR; n.min(1 << 14)];
    for (kind, scalars) in scalars(n).iter().enumerate() {
        let factor = |scalars: &[Integer<Fr>]| -> Fr {
            let factors = scalars.iter().map(|scalar| scalar.to_element());
            factors.fold(Fr::ZERO, |sum, factor| sum + factor)
        };
        let expected_g1 = G1Projective::GENERATOR.mul_vartime(&factor(scalars));
        let expected_g2 = G2Projective::GENERATOR.mul_vartime(&factor(&scalars[..g2.len()]));
        let measure = |sum: &dyn Fn()| {
            let before = IN_USE.load(Ordering::Relaxed);
            MOST.store(before, Ordering::Relaxed);
            sum();
            MOST.load(Ordering::Relaxed) - before
        };
        let of_g1 = measure(&|| {
            assert_eq!(msm_vartime(&g1, scalars), Ok(expected_g1));
        });
        let of_g2 = measure(&|| {
            assert_eq!(msm_vartime(&g2, &scalars[..g2.len()]), Ok(expected_g2));
        });
        let told = [
            memory_bytes::<G1Affine>(n),
            memory_bytes::<G2Affine>(g2.len()),
        ];
        for (taken, told) in [of_g1, of_g2].into_iter().zip(told) {
            let case = format!("{}, {n} points, scalars {kind}", backend.name());
            println!("{case}: {taken} of {told} bytes");
            assert!(taken as u64 <= told, "{case}: {taken} bytes, told {told}");
            assert!(
                !is_near || kind > 0 || n < 1 << 14 || 4 * taken as u64 >= told,
                "{case}: told {told}, {taken} taken"
            );
        }
    }
}
