//! Loops over limbs, written out.

/// A loop over up to eight limbs, written out. The compiler leaves the rows of eight limbs in a loop, and then the
/// columns in memory, which costs twice the time.
macro_rules! unroll {
    ($i:ident in 0..$end:expr => $body:block) => {
        const { assert!($end <= 8, "at most eight turns") };
        unroll!(@ $i, $end, $body, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    ($i:ident in 1..$end:expr => $body:block) => {
        const { assert!($end <= 8, "at most eight turns") };
        unroll!(@ $i, $end, $body, 1, 2, 3, 4, 5, 6, 7);
    };
    ($j:ident in $i:ident + 1..$end:expr => $body:block) => {
        unroll!($j in 1..$end => {
            if $j > $i $body
        });
    };
    (columns $i:ident in 1..$end:expr => $body:block) => {
        unroll!(columns $i in 0..$end => {
            if $i > 0 $body
        });
    };
    (columns $i:ident in 0..$end:expr => $body:block) => {
        const { assert!($end <= 16, "at most sixteen columns") };
        unroll!(@ $i, $end, $body, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    };
    (@ $i:ident, $end:expr, $body:block, $($index:literal),*) => {
        // `if const`: of turns that are not taken nothing is compiled.
        $(if const { $index < $end } {
            let $i = $index;
            $body
        })*
    };
}

/// A loop over up to eight limbs or values, for builds with debug assertions, where functions are small.
#[cfg(debug_assertions)]
macro_rules! each {
    (columns $($turns:tt)*) => {
        each!($($turns)*)
    };
    ($i:ident in $start:literal..$end:expr => $body:block) => {
        for $i in $start..$end $body
    };
    ($j:ident in $i:ident + 1..$end:expr => $body:block) => {
        for $j in $i + 1..$end $body
    };
}
/// A loop over up to eight limbs or values, written out. The compiler would do that too. But it does it when all of a
/// kernel is one function: with thousands of loops there, each takes it milliseconds.
#[cfg(not(debug_assertions))]
macro_rules! each {
    ($($turns:tt)*) => {
        unroll!($($turns)*)
    };
}

#[cfg(test)]
mod tests {
    /// Checks the turns of each form of loop against those of a `for`.
    macro_rules! check {
        ($macro:ident: $($end:literal),*) => {
            $(for i in 0..9 {
                const END: usize = $end;
                let mut turns = [const { Vec::new() }; 4];
                $macro!(k in 0..END => { turns[0].push(k); });
                $macro!(k in 1..END => { turns[1].push(k); });
                $macro!(k in i + 1..END => { turns[2].push(k); });
                $macro!(columns k in 1..2 * END => { turns[3].push(k); });
                let expected = [0..END, 1..END, i + 1..END, 1..2 * END];
                assert_eq!(turns, expected.map(Vec::from_iter), "{END} {i}");
            })*
        };
    }

    #[test]
    #[allow(clippy::reversed_empty_ranges)] // for the end 1
    fn loops_written_out_take_the_turns_of_a_loop() {
        check!(unroll: 1, 2, 5, 7, 8);
        check!(each: 1, 2, 5, 7, 8);
    }
}
