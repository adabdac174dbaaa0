//! The protocols as the papers have them. The basis is folded, each opening has a quotient of its own, every sum is
//! made term by term.

#![allow(dead_code)] // each test takes what it needs

use frumious_curves::bandersnatch::{AffineElement, Element, Fr};
use frumious_verkle::{Crs, IpaProof, Multiproof, Opening, Transcript, Values};

/// `Σ scalars[i]·elements[i]`.
pub fn sum(elements: &[Element], scalars: &[Fr]) -> Element {
    assert_eq!(elements.len(), scalars.len());
    let products = elements.iter().zip(scalars);
    products
        .map(|(element, scalar)| element.mul_vartime(scalar))
        .sum()
}

pub fn basis() -> Vec<Element> {
    let basis = Crs::standard().basis().iter();
    basis.copied().map(Element::from).collect()
}

pub fn commit(values: &[Fr]) -> Element {
    sum(&basis()[..values.len()], values)
}

fn inner(a: &[Fr], b: &[Fr]) -> Fr {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(Fr::ZERO, |sum, (a, b)| sum + *a * *b)
}

fn inverse(value: Fr) -> Fr {
    value.invert().unwrap()
}

/// `L_i(point) = Π (point - j)/(i - j)` over `j ≠ i`.
pub fn lagrange(point: Fr) -> Vec<Fr> {
    let node = |i: usize| Fr::from_u64(i as u64);
    (0..256)
        .map(|i| {
            let others = (0..256).filter(|j| *j != i);
            let (top, bottom) = others.fold((Fr::ONE, Fr::ONE), |(top, bottom), j| {
                (top * (point - node(j)), bottom * (node(i) - node(j)))
            });
            top * inverse(bottom)
        })
        .collect()
}

/// The argument by folding.
pub fn ipa_prove(
    transcript: &mut Transcript,
    commitment: &Element,
    values: &Values,
    point: Fr,
) -> IpaProof {
    let (mut a, mut b, mut g) = (values.to_vec(), lagrange(point), basis());
    transcript.domain_separator(b"ipa");
    transcript.append_element(b"C", commitment);
    transcript.append_scalar(b"input point", &point);
    transcript.append_scalar(b"output point", &inner(&a, &b));
    let q = Element::from(Crs::standard().q()).mul_vartime(&transcript.challenge(b"w"));
    let (mut l, mut r) = (Vec::new(), Vec::new());
    while a.len() > 1 {
        let half = a.len() / 2;
        let ((a_l, a_r), (b_l, b_r), (g_l, g_r)) =
            (a.split_at(half), b.split_at(half), g.split_at(half));
        let left = sum(g_l, a_r) + q.mul_vartime(&inner(a_r, b_l));
        let right = sum(g_r, a_l) + q.mul_vartime(&inner(a_l, b_r));
        transcript.append_element(b"L", &left);
        transcript.append_element(b"R", &right);
        let x = transcript.challenge(b"x");
        let fold = |low: &[Fr], high: &[Fr], x: Fr| -> Vec<Fr> {
            low.iter()
                .zip(high)
                .map(|(low, high)| *low + x * *high)
                .collect()
        };
        let folded = g_l
            .iter()
            .zip(g_r)
            .map(|(low, high)| *low + high.mul_vartime(&inverse(x)))
            .collect();
        (a, b) = (fold(a_l, a_r, x), fold(b_l, b_r, inverse(x)));
        g = folded;
        l.push(left.to_affine());
        r.push(right.to_affine());
    }
    IpaProof {
        l: l.try_into().unwrap(),
        r: r.try_into().unwrap(),
        a: a[0],
    }
}

/// The argument checked by folding.
pub fn ipa_verify(
    transcript: &mut Transcript,
    commitment: &Element,
    point: Fr,
    value: Fr,
    proof: &IpaProof,
) -> bool {
    let (mut b, mut g) = (lagrange(point), basis());
    transcript.domain_separator(b"ipa");
    transcript.append_element(b"C", commitment);
    transcript.append_scalar(b"input point", &point);
    transcript.append_scalar(b"output point", &value);
    let q = Element::from(Crs::standard().q()).mul_vartime(&transcript.challenge(b"w"));
    let mut folded = *commitment + q.mul_vartime(&value);
    for (l, r) in proof
        .l
        .iter()
        .copied()
        .map(Element::from)
        .zip(proof.r.iter().copied().map(Element::from))
    {
        transcript.append_element(b"L", &l);
        transcript.append_element(b"R", &r);
        let x = transcript.challenge(b"x");
        folded = folded + l.mul_vartime(&x) + r.mul_vartime(&inverse(x));
        let half = b.len() / 2;
        b = (0..half).map(|i| b[i] + inverse(x) * b[half + i]).collect();
        g = (0..half)
            .map(|i| g[i] + g[half + i].mul_vartime(&inverse(x)))
            .collect();
    }
    folded == g[0].mul_vartime(&proof.a) + q.mul_vartime(&(proof.a * b[0]))
}

/// The values of `(f - f(m))/(X - m)`, at `m` by evaluating the others' interpolation, which has degree 254 at most.
pub fn quotient(values: &Values, m: usize) -> Vec<Fr> {
    let node = |i: usize| Fr::from_u64(i as u64);
    let mut quotient: Vec<Fr> = (0..256)
        .map(|i| match i == m {
            true => Fr::ZERO,
            false => (values[i] - values[m]) * inverse(node(i) - node(m)),
        })
        .collect();
    for i in (0..256).filter(|i| *i != m) {
        let others = (0..256).filter(|j| *j != i && *j != m);
        let (top, bottom) = others.fold((Fr::ONE, Fr::ONE), |(top, bottom), j| {
            (top * (node(m) - node(j)), bottom * (node(i) - node(j)))
        });
        let term = quotient[i] * top * inverse(bottom);
        quotient[m] += term;
    }
    quotient
}

/// The proof of many openings, one after the other.
pub fn multiproof(transcript: &mut Transcript, openings: &[Opening<'_>]) -> Multiproof {
    transcript.domain_separator(b"multiproof");
    for opening in openings {
        transcript.append_element(b"C", &opening.commitment);
        transcript.append_scalar(b"z", &Fr::from_u64(opening.point.into()));
        transcript.append_scalar(b"y", &opening.polynomial[usize::from(opening.point)]);
    }
    let r = transcript.challenge(b"r");
    let (mut g, mut power) = ([Fr::ZERO; 256], Fr::ONE);
    for opening in openings {
        for (sum, value) in g
            .iter_mut()
            .zip(quotient(opening.polynomial, opening.point.into()))
        {
            *sum += power * value;
        }
        power *= r;
    }
    let d = commit(&g);
    transcript.append_element(b"D", &d);
    let t = transcript.challenge(b"t");
    let (mut h, mut power) = ([Fr::ZERO; 256], Fr::ONE);
    for opening in openings {
        let weight = power * inverse(t - Fr::from_u64(opening.point.into()));
        for (sum, value) in h.iter_mut().zip(opening.polynomial) {
            *sum += weight * *value;
        }
        power *= r;
    }
    let e = commit(&h);
    transcript.append_element(b"E", &e);
    let difference = core::array::from_fn(|i| h[i] - g[i]);
    let ipa = ipa_prove(transcript, &(e - d), &difference, t);
    Multiproof {
        d: AffineElement::from_bytes_vartime(&d.to_bytes()).unwrap(),
        ipa,
    }
}
