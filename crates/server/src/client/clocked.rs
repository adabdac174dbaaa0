//! A stream that knows when it last wrote: a server that reads slowly is not silent.

use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The time of the last write.
#[derive(Clone)]
pub struct WriteClock(Arc<Mutex<Instant>>);

impl WriteClock {
    /// Starts now.
    pub fn start() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    /// The result of `work`; none once `bound` has passed since the last write.
    pub async fn within<T>(&self, bound: Duration, work: impl Future<Output = T>) -> Option<T> {
        let mut work = std::pin::pin!(work);
        loop {
            let until = self.last() + bound;
            if let Ok(done) = tokio::time::timeout_at(until.into(), work.as_mut()).await {
                return Some(done);
            }
            if self.last() + bound <= Instant::now() {
                return None;
            }
        }
    }

    fn last(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// A stream whose writes advance a clock.
pub struct ClockedStream<S> {
    stream: S,
    clock: WriteClock,
}

impl<S> ClockedStream<S> {
    /// Over another stream.
    pub fn new(stream: S, clock: WriteClock) -> Self {
        Self { stream, clock }
    }

    fn noting(&self, written: Poll<Result<usize>>) -> Poll<Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.clock.advance();
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClockedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClockedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noting(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.noting(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    /// True if four bytes are written to a reader that takes them one by one, after `pause` each.
    fn is_within(bound: Duration, pause: Duration) -> bool {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let (ours, mut theirs) = duplex(1);
            let clock = WriteClock::start();
            let mut writer = ClockedStream::new(ours, clock.clone());
            let reader = async {
                for _ in 0..4 {
                    tokio::time::sleep(pause).await;
                    theirs.read_u8().await.expect("a byte");
                }
            };
            let work = async { tokio::join!(writer.write_all(b"abcd"), reader).0 };
            let written = clock.within(bound, work).await;
            written.is_some_and(|written| written.is_ok())
        })
    }

    #[test]
    fn a_slow_reader_is_not_silent_and_one_that_stops_is() {
        let (bound, year) = (Duration::from_secs(1), Duration::from_secs(1 << 25));
        assert!(is_within(bound, Duration::from_millis(300)));
        assert!(!is_within(bound / 10, year));
    }
}
