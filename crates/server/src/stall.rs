//! Connections whose reader stalls are given up, so that nobody holds a place by not reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes may wait for its reader only so long.
pub struct Unstalled<S> {
    stream: S,
    time: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Unstalled<S> {
    /// A write fails when nothing could be written for `time`.
    pub fn new(stream: S, time: Duration) -> Self {
        Self {
            stream,
            time,
            waiting: None,
        }
    }

    /// Ends a wait that is over, and notes one that begins.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.waiting = None;
            return poll;
        }
        let time = self.time;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(time)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Unstalled<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Unstalled<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, poll)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, poll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.expect("a runtime").block_on(test);
    }

    #[test]
    fn a_reader_that_stalls_ends_the_connection() {
        run(async {
            let (near, far) = duplex(16);
            let mut near = Unstalled::new(near, Duration::from_millis(50));
            let error = near.write_all(&[7; 64]).await.expect_err("nobody reads");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(far);
        });
    }

    #[test]
    fn a_slow_reader_gets_everything() {
        run(async {
            let (near, mut far) = duplex(16);
            let mut near = Unstalled::new(near, Duration::from_millis(200));
            let reading = async {
                let mut read = Vec::new();
                for _ in 0..10 {
                    tokio::time::sleep(Duration::from_millis(30)).await;
                    let mut bytes = [0; 16];
                    far.read_exact(&mut bytes).await.expect("bytes");
                    read.extend(bytes);
                }
                read
            };
            let (written, read) = tokio::join!(near.write_all(&[7; 160]), reading);
            written.expect("it was read");
            assert_eq!(read, [7; 160]);
        });
    }
}
