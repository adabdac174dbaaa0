//! Times each way to a witness: module and inputs as arguments.
use frumious_curves::Bn254;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = Instant::now();
    let c = frumious_witness::WitnessCalculator::from_wasm(&std::fs::read(&a[1]).unwrap()).unwrap();
    println!("compiled {:?}", t.elapsed());
    let inputs = frumious_witness::parse_inputs(&std::fs::read_to_string(&a[2]).unwrap()).unwrap();
    let t = Instant::now();
    let r = c.record_over::<Bn254>(&inputs, None);
    let (w, run) = match r {
        Ok(x) => x,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    println!("record {:?} {}", t.elapsed(), run.is_some());
    let t = Instant::now();
    let w2 = c.calculate(&inputs).unwrap();
    println!("native {:?}", t.elapsed());
    assert!(w.to_values().iter().eq(w2.to_values().iter()));
    let mut kept = None;
    if let Some(run) = run {
        println!(
            "tape: {} steps, {} guards, {} bytes",
            run.tape().len(),
            run.tape().guards(),
            run.to_bytes().len()
        );
        let mut tapes = frumious_witness::Tapes::<Bn254>::default();
        tapes.add(run);
        for _ in 0..5 {
            let t = Instant::now();
            let w3 = tapes.replay(&inputs, &mut |_| {}).unwrap().unwrap();
            println!("replay {:?}", t.elapsed());
            assert!(w.to_values().iter().eq(w3.to_values().iter()));
        }
        kept = Some(tapes);
    }
    let tapes = kept;
    if let Some(tapes) = tapes {
        let many = vec![inputs.clone(); 8];
        for _ in 0..4 {
            let t = Instant::now();
            let all = tapes.replay_batch(&many);
            println!("eight {:?}", t.elapsed());
            for w4 in all {
                assert!(
                    w.to_values()
                        .iter()
                        .eq(w4.unwrap().unwrap().to_values().iter())
                );
            }
        }
    }
    if a.len() > 3 {
        w.write(std::fs::File::create(&a[3]).unwrap()).unwrap();
    }
}
