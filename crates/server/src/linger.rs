//! The rest of a body whose request was answered before all of it was read.
//!
//! A socket that is closed over unread bytes resets its connection, and takes the answer from a client that still
//! sends. So the rest is read and thrown away first, within bounds (RFC 9112, section 9.6).

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body::{Body as _, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use zeroize::Zeroizing;

/// The bytes that a connection's latest body still has; [`UNKNOWN`] of one that did not tell its length.
#[derive(Clone, Default)]
pub struct Unread(Arc<AtomicU64>);

impl Unread {
    /// The body of the next request.
    pub fn watch(&self, body: Incoming) -> Body {
        let unread = match body.is_end_stream() {
            true => 0,
            false => body.size_hint().exact().unwrap_or(UNKNOWN),
        };
        self.0.store(unread, Relaxed);
        Body::new(Watched {
            body,
            unread: self.clone(),
        })
    }

    /// Ends a connection: no more is sent, and the rest of the body is read. A rest of more than `most` bytes, or of
    /// unknown length, is read up to [`USUAL`]. All of it takes at most `time`.
    pub async fn discard(
        &self,
        mut stream: impl AsyncRead + AsyncWrite + Unpin,
        most: u64,
        time: Duration,
    ) {
        let mut left = match self.0.load(Relaxed) {
            unread if unread <= most => unread,
            _ => USUAL,
        };
        let reading = async {
            // The client sees the end of the answer.
            if stream.shutdown().await.is_err() || left == 0 {
                return;
            }
            let mut buffer = Zeroizing::new(vec![0; BUFFER_BYTES]);
            while left > 0 {
                match timeout(SILENCE, stream.read(&mut buffer)).await {
                    Ok(Ok(read @ 1..)) => left = left.saturating_sub(read as u64),
                    _ => return,
                }
            }
        };
        let _ = timeout(time, reading).await; // however far it came
    }
}

/// A body that counts what is read of it.
struct Watched {
    body: Incoming,
    unread: Unread,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let unread = &self.unread.0;
        match &frame {
            Poll::Ready(None) => unread.store(0, Relaxed),
            Poll::Ready(Some(Ok(frame))) => {
                let left = unread.load(Relaxed);
                let read = frame.data_ref().map_or(0, Bytes::len) as u64;
                if left != UNKNOWN {
                    unread.store(left.saturating_sub(read), Relaxed);
                }
            }
            _ => {}
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

const UNKNOWN: u64 = u64::MAX;

/// Of a body that no circuit takes.
const USUAL: u64 = 1 << 20;

const BUFFER_BYTES: usize = 16 << 10;

/// A client that sends nothing for as long has its answer, or is gone.
const SILENCE: Duration = Duration::from_secs(5);
