//! Coordinates of eight points as rows for lanes.

/// The words of one coordinate of each of eight points: `words!(points.x)` or `words!(points.x.c0)` for
/// `points: &[_; 8]`.
///
/// By name: `array::map` leaves a call.
macro_rules! words {
    ($points:ident $(.$coordinate:ident)+) => {{
        let [p0, p1, p2, p3, p4, p5, p6, p7] = $points;
        [
            p0$(.$coordinate)+.as_words(),
            p1$(.$coordinate)+.as_words(),
            p2$(.$coordinate)+.as_words(),
            p3$(.$coordinate)+.as_words(),
            p4$(.$coordinate)+.as_words(),
            p5$(.$coordinate)+.as_words(),
            p6$(.$coordinate)+.as_words(),
            p7$(.$coordinate)+.as_words(),
        ]
    }};
}

/// As [`words!`], to be written, for `points: &mut [_; 8]`.
macro_rules! words_mut {
    ($points:ident $(.$coordinate:ident)+) => {{
        let [p0, p1, p2, p3, p4, p5, p6, p7] = &mut *$points;
        [
            p0$(.$coordinate)+.as_words_mut(),
            p1$(.$coordinate)+.as_words_mut(),
            p2$(.$coordinate)+.as_words_mut(),
            p3$(.$coordinate)+.as_words_mut(),
            p4$(.$coordinate)+.as_words_mut(),
            p5$(.$coordinate)+.as_words_mut(),
            p6$(.$coordinate)+.as_words_mut(),
            p7$(.$coordinate)+.as_words_mut(),
        ]
    }};
}

pub(crate) use {words, words_mut};
