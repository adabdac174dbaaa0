//! Bodies: read to their end, within a length and a time, into memory that is wiped.

use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::{HeaderMap, StatusCode};
use http_body::Body as _;
use zeroize::Zeroizing;

use super::Problem;

/// The length that a request announces; `most` if it does not. To be asked before anything is read.
///
/// # Errors
/// A [`Problem`] with status 413 if it is more than `most`, 415 if the body is compressed.
pub fn announced(headers: &HeaderMap, most: u64) -> Result<u64, Problem> {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    if encodings.any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        let message = "Content-Encoding: the body is to be sent as it is";
        return Err(Problem::new(status, "usage", message));
    }
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let length = length.unwrap_or(most);
    match length <= most {
        true => Ok(length),
        false => Err(too_large(most)),
    }
}

/// The whole body, of at most `most` bytes.
///
/// Room for all of it is taken at first, so that no copy of a part is left behind.
///
/// # Errors
/// A [`Problem`] with status 413 if it is longer, 408 if it takes longer than `time`, 400 if it is cut off.
pub async fn read(body: Body, most: u64, time: Duration) -> Result<Zeroizing<Vec<u8>>, Problem> {
    let length = usize::try_from(most).map_err(|_| too_large(most))?;
    let mut bytes = Zeroizing::new(Vec::new());
    bytes.try_reserve_exact(length).map_err(|_| {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "memory_limit",
            "no memory for the body",
        )
    })?;
    let reading = async {
        let mut body = body;
        loop {
            let frame =
                std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
            let Some(frame) = frame else { return Ok(()) };
            let frame = frame.map_err(|_| Problem::usage("the body was cut off"))?;
            let Some(data) = frame.data_ref() else {
                continue;
            };
            if data.len() > length - bytes.len() {
                return Err(too_large(most));
            }
            bytes.extend_from_slice(data);
        }
    };
    match tokio::time::timeout(time, reading).await {
        Ok(read) => read.map(|()| bytes),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "time_limit",
            "the body took too long to come",
        )),
    }
}

fn too_large(most: u64) -> Problem {
    let message = format!("the body has more than the {most} bytes that are expected at most");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
}
