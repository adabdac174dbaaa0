//! Listeners: connections within a number, a time and a buffer, in the clear or under TLS.

use std::future::poll_fn;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use frumious_app::failure::Failure;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_rustls::TlsAcceptor;

use crate::config::{Address, Limits};
use crate::linger::Unread;
use crate::opening::cannot_listen;
use crate::stall::Unstalled;
use crate::unix::bind_unix;

/// A place where clients connect.
pub struct Listener {
    socket: Socket,
    tls: Option<TlsAcceptor>,
    router: Router,
    bounds: Bounds,
    places: Arc<Semaphore>,
}

/// Bounds of a connection.
#[derive(Clone, Copy)]
struct Bounds {
    head_time: Duration,
    /// For a body, for a reader that stalls, and for the rest of a body that nobody wants.
    body_time: Duration,
    /// The longest body that a circuit takes.
    body_bytes: u64,
}

enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

impl Listener {
    /// Binds an address for what `router` answers. `body_bytes` are the most that a circuit takes.
    ///
    /// # Errors
    /// A [`Failure`] that names the address.
    pub async fn bind(
        address: &Address,
        tls: Option<TlsAcceptor>,
        router: Router,
        limits: &Limits,
        body_bytes: u64,
    ) -> Result<Self, Failure> {
        let failed = |error| cannot_listen(address, &error);
        let socket = match address {
            Address::Ip(address) => Socket::Tcp(TcpListener::bind(address).await.map_err(failed)?),
            Address::Unix(path) => Socket::Unix(bind_unix(path).map_err(failed)?, path.clone()),
        };
        Ok(Self {
            socket,
            tls,
            router,
            bounds: Bounds {
                head_time: limits.head_seconds.duration(),
                body_time: limits.body_seconds.duration(),
                body_bytes,
            },
            places: Arc::new(Semaphore::new(limits.connections)),
        })
    }

    /// The address in words, with the port that was chosen where none was asked for.
    pub fn address(&self) -> String {
        match &self.socket {
            Socket::Tcp(listener) => match listener.local_addr() {
                Ok(address) if self.tls.is_some() => format!("https://{address}"),
                Ok(address) => format!("http://{address}"),
                Err(_) => "an address that is gone".into(),
            },
            Socket::Unix(_, path) => format!("unix:{}", path.display()),
        }
    }

    /// Takes connections until `closing` is true. Those that are open then end with the request that they are at.
    pub async fn serve(self, mut closing: watch::Receiver<bool>) {
        loop {
            // Before a connection is taken: those beyond wait in the queue of the system.
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
                return;
            };
            let connection = tokio::select! {
                _ = closing.wait_for(|is_closing| *is_closing) => return,
                connection = self.socket.accept() => connection,
            };
            match connection {
                Ok(connection) => self.spawn(connection, place, closing.clone()),
                // No descriptors, or the client is gone already.
                Err(_) => tokio::time::sleep(AFTER_AN_ERROR).await,
            }
        }
    }

    fn spawn(
        &self,
        connection: Connection,
        place: OwnedSemaphorePermit,
        closing: watch::Receiver<bool>,
    ) {
        let (tls, router, bounds) = (self.tls.clone(), self.router.clone(), self.bounds);
        let connection = Unstalled::new(connection, bounds.body_time);
        tokio::spawn(async move {
            let _place = place;
            match tls {
                None => talk(connection, router, bounds, closing).await,
                Some(tls) => {
                    let shaken =
                        tokio::time::timeout(bounds.head_time, tls.accept(connection)).await;
                    if let Ok(Ok(connection)) = shaken {
                        talk(connection, router, bounds, closing).await;
                    }
                }
            }
        });
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Of one type, so that what serves it is compiled once.
type Connection = Box<dyn Stream>;

impl Socket {
    async fn accept(&self) -> std::io::Result<Connection> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Answers are small, and are sent at once.
                stream.set_nodelay(true)?;
                Ok(Box::new(stream))
            }
            Self::Unix(listener, _) => Ok(Box::new(listener.accept().await?.0)),
        }
    }
}

async fn talk(
    connection: impl AsyncRead + AsyncWrite + Unpin + 'static,
    router: Router,
    bounds: Bounds,
    mut closing: watch::Receiver<bool>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.head_time)
        .max_buf_size(MOST_HEAD_BYTES);
    let unread = Unread::default();
    let watching = unread.clone();
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |request: Request<Incoming>| {
        Box::pin(router.call(request.map(|body| watching.watch(body))))
    });
    let mut serving = http.serve_connection(TokioIo::new(connection), service);
    let mut is_closing = false;
    loop {
        tokio::select! {
            // Whatever went wrong, the client is gone.
            _ = poll_fn(|context| serving.poll_without_shutdown(context)) => break,
            _ = closing.wait_for(|is_closing| *is_closing), if !is_closing => {
                is_closing = true;
                std::pin::Pin::new(&mut serving).graceful_shutdown();
            }
        }
    }
    let connection = serving.into_parts().io.into_inner();
    let discarding = unread.discard(connection, bounds.body_bytes, bounds.body_time);
    discarding.await;
}

/// The head of a request, and the buffer of a connection.
const MOST_HEAD_BYTES: usize = 32 << 10;

const AFTER_AN_ERROR: Duration = Duration::from_millis(50);
