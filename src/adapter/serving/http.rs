//! `proofmark serve --http ADDR`: the same objects as bodies of `POST`, any path, status 200.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;

use crate::adapter::in_process::Offer;

/// A request body may be this long: 1 GiB.
const MAX_REQUEST: usize = 1024 * 1024 * 1024;

/// Listens on `address` and serves until the process ends. `ready` is told the address that was
/// bound (the port may have been 0).
///
/// # Errors
/// Where the address can't be bound, or the runtime not started.
pub fn serve(offer: Offer, address: SocketAddr, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        let router = Router::new()
            .route("/", post(answer))
            .route("/{*path}", post(answer))
            .layer(DefaultBodyLimit::max(MAX_REQUEST))
            .with_state(Arc::new(offer));
        axum::serve(listener, router).await
    })
}

async fn answer(State(offer): State<Arc<Offer>>, body: Bytes) -> Response {
    let mut reply = Vec::new();
    // An operation may take long: it must not hold up the threads that read and write.
    let done = tokio::task::spawn_blocking(move || {
        super::answer(&offer, &body, &mut reply);
        reply
    });
    match done.await {
        Ok(mut reply) => {
            reply.pop();
            ([(CONTENT_TYPE, "application/json")], reply).into_response()
        }
        Err(_) => axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
