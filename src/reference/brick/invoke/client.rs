//! One server: connecting, listing and calling, within bounds.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, Implementation,
    InitializeRequestParams, PaginatedRequestParams, ProtocolVersion,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService, ServiceError,
};
use rmcp::transport::common::client_side_sse::NeverRetry;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::Call;

/// A server has so long for connecting, for each page of its list, and for each call.
const STEP: Duration = Duration::from_secs(3);

/// Ending a session may take so long; it is a courtesy.
const FAREWELL: Duration = Duration::from_millis(300);

/// An answer of a server may be so long.
const MAX_ANSWER: usize = 1024 * 1024;

/// So many pages of a list are read.
const MAX_PAGES: usize = 100;

/// The protocol versions that this client speaks, the preferred one first.
const VERSIONS: [ProtocolVersion; 4] = [
    ProtocolVersion::V_2026_07_28,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_03_26,
];

/// A connection, and the names that the server listed when it was made.
pub(super) struct Connection {
    service: RunningService<RoleClient, InitializeRequestParams>,
    listed: BTreeSet<String>,
}

impl Connection {
    /// Connects and lists. `token` goes to this endpoint only.
    ///
    /// # Errors
    /// In words: the endpoint can't be reached or wants another credential, the versions don't meet, the list can't be
    /// read, it has too many pages, or time is up.
    pub async fn open(endpoint: &str, token: Option<&str>, until: Instant) -> Result<Self, String> {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .connect_timeout(STEP)
            .build()
            .map_err(|error| format!("no HTTP client: {error}"))?;
        let mut config = StreamableHttpClientTransportConfig::with_uri(endpoint)
            .max_json_response_size(MAX_ANSWER)
            .max_sse_event_size(MAX_ANSWER)
            .max_error_response_size(1024)
            .reinit_on_expired_session(false);
        config.retry_config = Arc::new(NeverRetry::default());
        if let Some(token) = token {
            config = config.auth_header(token);
        }
        let transport = StreamableHttpClientTransport::with_client(http, config);
        let identity = Implementation::new("proofmark-reference", env!("CARGO_PKG_VERSION"));
        let about = InitializeRequestParams::new(ClientCapabilities::default(), identity);
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: VERSIONS.to_vec(),
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let service = within(until, about.serve_with_lifecycle(transport, lifecycle))
            .await?
            .map_err(|error| format!("the connection failed: {}", chain(&error)))?;
        let mut connection = Self { service, listed: BTreeSet::new() };
        let version = connection.service.peer_info().map(|info| info.protocol_version.clone());
        if !version.as_ref().is_some_and(|version| VERSIONS.contains(version)) {
            connection.close().await;
            return Err(format!(
                "the server speaks MCP {}, which this client does not",
                version.map_or_else(|| "of no version".to_owned(), |version| version.to_string())
            ));
        }
        if let Err(error) = connection.list(until).await {
            connection.close().await;
            return Err(error);
        }
        Ok(connection)
    }

    async fn list(&mut self, until: Instant) -> Result<(), String> {
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let page = within(until, self.service.list_tools(Some(params)))
                .await?
                .map_err(|error| format!("the tools can't be listed: {}", words(&error)))?;
            self.listed.extend(page.tools.iter().map(|tool| tool.name.to_string()));
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok(());
            }
        }
        Err(format!("the list of tools has more than {MAX_PAGES} pages"))
    }

    /// Whether the server listed this tool.
    pub fn lists(&self, tool: &str) -> bool {
        self.listed.contains(tool)
    }

    /// Calls a tool, and gives its result as MCP spells it.
    ///
    /// # Errors
    /// In words: what the server said instead, or that time is up.
    pub async fn call(&self, call: &Call, until: Instant) -> Result<Value, String> {
        let mut params = CallToolRequestParams::new(call.tool.clone());
        params.arguments = Some(call.arguments.clone());
        let response = within(until, self.service.call_tool_once(params))
            .await?
            .map_err(|error| words(&error))?;
        match response {
            CallToolResponse::Complete(result) => serde_json::to_value(result)
                .map_err(|error| format!("the result can't be written down: {error}")),
            // Nobody is here who could be asked, and what a server asks for is not to be had.
            _ => Err("the server wants something more before it answers".to_owned()),
        }
    }

    /// Ends the session, as far as the server lets that be done soon.
    pub async fn close(mut self) {
        // What is left is ended with the runtime.
        let _ = self.service.close_with_timeout(FAREWELL).await;
    }
}

/// `work`, for a step's time and not beyond `until`.
async fn within<T>(until: Instant, work: impl Future<Output = T>) -> Result<T, String> {
    let step = STEP.min(until.saturating_duration_since(Instant::now()));
    timeout(step, work).await.map_err(|_| "the server did not answer in time".to_owned())
}

fn words(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => {
            format!("the server answered with error {}: {}", error.code.0, error.message)
        }
        other => chain(other),
    }
}

/// An error with its causes, which say what really happened.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text.chars().take(2000).collect()
}
