//! The endpoint policy (section 5) of `streamable-http` and `stdio` servers, and of the A2A endpoint.
//!
//! The draft asks for a policy and gives none. This one: an endpoint of `streamable-http` is an `http` or `https` URI by
//! RFC 3986 with a host, without user information and without a fragment; its port, if it has one, is at most 65535;
//! plain `http` goes to loopback only. An endpoint of `stdio` is a string without white space that is no http URL.
//!
//! Loopback is the name `localhost` (in any case, RFC 3986 section 3.2.2), an address of 127.0.0.0/8 in four decimal
//! parts, or the IPv6 address ::1 in any spelling. Nothing else is: not `localhost.`, a subdomain of `localhost`, an
//! IPv4-mapped address, or what some resolvers make of `0177.0.0.1`, `0x7f.1` and `2130706433`. Those, and names that
//! are percent-encoded, end in a dot or are punycode, are warned of. A host with characters outside ASCII and an
//! address with a zone id are not of RFC 3986 and refused.
//!
//! Depends on `fluent-uri`.

use fluent_uri::Uri;
use fluent_uri::component::Host;

use super::fault::Code;
use super::percent::decode;

/// What is odd about an endpoint that is not turned down.
pub(super) type Oddities = Vec<(Code, &'static str)>;

/// What an endpoint consists of.
pub(super) struct Endpoint<'a> {
    uri: Uri<&'a str>,
}

/// Reads an absolute `http` or `https` URI with a host, without user information and with a possible port.
///
/// # Errors
///
/// What is wrong, as the end of a sentence.
pub(super) fn read(endpoint: &str) -> Result<Endpoint<'_>, &'static str> {
    let uri = Uri::parse(endpoint).map_err(|_| "is no absolute URI by RFC 3986")?;
    let scheme = uri.scheme().as_str();
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return Err("is neither an http nor an https URL");
    }
    let authority = uri.authority().ok_or("has no host")?;
    if authority.host().is_empty() {
        return Err("has no host");
    }
    if authority.has_userinfo() {
        return Err("holds user information");
    }
    let digits = authority.port().map(|port| port.as_str().trim_start_matches('0'));
    if digits.is_some_and(|digits| !digits.is_empty() && digits.parse::<u16>().is_err()) {
        return Err("has a port beyond 65535");
    }
    Ok(Endpoint { uri })
}

impl Endpoint<'_> {
    /// The host, as spelled.
    pub fn host(&self) -> &str {
        self.uri.authority().map(|authority| authority.host()).unwrap_or_default()
    }

    /// Whether it is plain http to a host that is not loopback.
    pub fn is_plain(&self) -> bool {
        self.uri.scheme().as_str().eq_ignore_ascii_case("http") && !self.is_loopback()
    }

    fn is_loopback(&self) -> bool {
        match self.uri.authority().map(|authority| authority.host_parsed()) {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::RegName(name)) => name.as_str().eq_ignore_ascii_case("localhost"),
            _ => false,
        }
    }

    /// Whether a member of the query looks like a credential.
    pub fn has_credential(&self) -> bool {
        has_credential(self.uri.as_str())
    }

    /// What a reader should look at twice.
    pub fn oddities(&self) -> Oddities {
        let mut odd = Vec::new();
        let mut warn = |is: bool, text| {
            if is {
                odd.push((Code::OddEndpoint, text));
            }
        };
        let host = self.host();
        let authority = self.uri.authority();
        let is_name = matches!(
            authority.map(|authority| authority.host_parsed()),
            Some(Host::RegName(_) | Host::IpvFuture { .. })
        );
        let undotted = host.strip_suffix('.').unwrap_or(host);
        let labels = || undotted.split('.');
        let last = labels().next_back().unwrap_or_default();
        let numeric = last.starts_with("0x")
            || last.starts_with("0X")
            || (!last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()));
        let puny =
            |label: &str| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
        warn(is_name && undotted.len() < host.len(), "has a host that ends in a dot");
        warn(is_name && numeric, "has a host that some readers take for an IPv4 address");
        warn(is_name && host.contains('%'), "has a percent-encoded host");
        warn(
            is_name && labels().any(puny),
            "has an internationalised host, which can look like another",
        );
        let port = authority.and_then(|authority| authority.port());
        let is_zero = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte == b'0');
        warn(port.is_some_and(|port| is_zero(port.as_str())), "has port 0");
        odd.extend(credential(self.uri.as_str()));
        odd
    }
}

/// What a text names as an address, whether it is a URI or not.
pub(super) struct Address<'t> {
    /// What stands behind the scheme and its slashes and the user information.
    pub place: &'t str,
    /// The host, as far as one can be told.
    pub host: &'t str,
    /// The user and the password, where there are any.
    pub user: Option<(&'t str, &'t str)>,
}

/// The address in an endpoint of whatever transport, also one that [`read`] refuses; none without a scheme and slashes.
pub(super) fn address(endpoint: &str) -> Option<Address<'_>> {
    let (_, behind) = endpoint.split_once("://")?;
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    let authority = behind.get(..end).unwrap_or_default();
    let (user, at) = match authority.rfind('@') {
        Some(at) => (authority.get(..at), at + 1),
        None => (None, 0),
    };
    let host = authority.get(at..).unwrap_or_default();
    let port = host.rfind(':').filter(|&colon| {
        host.get(colon + 1..).unwrap_or_default().bytes().all(|byte| byte.is_ascii_digit())
    });
    Some(Address {
        place: behind.get(at..).unwrap_or_default(),
        host: host.get(..port.unwrap_or(host.len())).unwrap_or_default(),
        user: user.map(|user| user.split_once(':').unwrap_or((user, ""))),
    })
}

/// The members of an endpoint's query, whatever its transport: names and values, percent-encoding undone.
pub(super) fn query(endpoint: &str) -> impl Iterator<Item = (String, String)> {
    let before = endpoint.split_once('#').map_or(endpoint, |(before, _)| before);
    let query = before.split_once('?').map_or("", |(_, query)| query);
    query.split(['&', ';']).filter(|member| !member.is_empty()).map(|member| {
        let (name, value) = member.split_once('=').unwrap_or((member, ""));
        (decode(name).into_owned(), decode(value).into_owned())
    })
}

fn has_credential(endpoint: &str) -> bool {
    query(endpoint).any(|(name, _)| is_credential_name(&name))
}

/// The oddity of an endpoint whose query has what looks like a credential.
pub(super) fn credential(endpoint: &str) -> Oddities {
    let odd = (Code::CredentialInEndpoint, "has what looks like a credential in its query");
    has_credential(endpoint).then_some(odd).into_iter().collect()
}

/// Judges the endpoint of a `streamable-http` server.
///
/// # Errors
///
/// What is wrong, as the end of a sentence.
pub(super) fn streamable_http(endpoint: &str) -> Result<Oddities, &'static str> {
    let read = read(endpoint)?;
    if read.uri.has_fragment() {
        return Err("has a fragment");
    }
    if read.is_plain() {
        return Err("is plain http to a host that is not loopback");
    }
    Ok(read.oddities())
}

/// Judges the endpoint of a `stdio` server.
///
/// # Errors
///
/// What is wrong, as the end of a sentence.
pub(super) fn stdio(endpoint: &str) -> Result<Oddities, &'static str> {
    let is_http = ["http:", "https:"].iter().any(|scheme| {
        endpoint.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    if endpoint.is_empty() {
        return Err("is empty");
    }
    if endpoint.chars().any(char::is_whitespace) {
        return Err("holds white space");
    }
    if is_http {
        return Err("is an http URL, which stdio has no use for");
    }
    Ok(credential(endpoint))
}

/// Whether a name is one under which credentials are given in a query.
pub(super) fn is_credential_name(name: &str) -> bool {
    // In a query these say enough; elsewhere a `code` may be that of a currency and a `key` that of a cache.
    const NAMES: [&str; 5] = ["auth", "code", "key", "sig", "signature"];
    NAMES.contains(&bare(name).as_str()) || is_secret_name(name)
}

/// A name's letters and digits, in lower case.
fn bare(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|character| character.to_ascii_lowercase()).collect()
}

/// Whether a name says, wherever it stands, that its value is secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    const NAMES: [&str; 9] = [
        "authorization",
        "bearer",
        "credential",
        "credentials",
        "jwt",
        "pass",
        "passwd",
        "pwd",
        "sessionid",
    ];
    const ENDS: [&str; 10] = [
        "accesskey",
        "apikey",
        "authkey",
        "password",
        "passphrase",
        "privatekey",
        "secret",
        "secretkey",
        "token",
        "tokens",
    ];
    let bare = bare(name);
    NAMES.contains(&bare.as_str()) || ENDS.iter().any(|end| bare.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(endpoint: &str) -> bool {
        streamable_http(endpoint).is_ok()
    }

    #[test]
    fn which_hosts_are_loopback() {
        for loopback in [
            "http://localhost:80/",
            "http://LOCALHOST/mcp",
            "http://127.0.0.1/",
            "http://127.255.255.254:8080",
            "http://[::1]/",
            "http://[0:0:0:0:0:0:0:1]:9/",
        ] {
            assert!(is_accepted(loopback), "{loopback}");
        }
        for other in [
            "http://localhost./",
            "http://localhost.example.com/",
            "http://x.localhost/",
            "http://127.0.0.1.example.com/",
            "http://0x7f.example/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.1/",
            "http://2130706433/",
            "http://127.1/",
            "http://0.0.0.0/",
            "http://[::ffff:127.0.0.1]/",
            "http://%6cocalhost/",
            "http://128.0.0.1/",
        ] {
            assert!(!is_accepted(other), "{other}");
            assert!(is_accepted(&other.replacen("http:", "https:", 1)), "{other}");
        }
    }

    #[test]
    fn what_is_no_endpoint_at_all() {
        for bad in [
            "",
            "mcp",
            "/mcp",
            "//example.org/mcp",
            "https:",
            "https:///mcp",
            "https:mcp",
            "https://",
            "https://:443/",
            "ftp://example.org/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://user@example.org/",
            "https://@example.org/",
            "https://user:secret@example.org/",
            "https://example.org/#x",
            "https://example.org:65536/",
            "https://example.org:99999999999999999999/",
            "https://example.org:8a/",
            "https://ex ample.org/",
            "https://example.org/a b",
            "https://example.org/%zz",
            "https://ex\u{e4}mple.org/",
            "https://[fe80::1%25eth0]/",
            "https://[::1/",
            "https://example.org\\@evil.example/",
            " https://example.org/",
        ] {
            assert!(!is_accepted(bad), "{bad:?}");
        }
    }

    #[test]
    fn what_is_warned_of() {
        let codes = |endpoint: &str| {
            let odd = streamable_http(endpoint).unwrap_or_else(|why| panic!("{endpoint}: {why}"));
            odd.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
        };
        let odd = vec![Code::OddEndpoint];
        assert_eq!(codes("https://example.org./mcp"), odd);
        assert_eq!(codes("https://017700000001/mcp"), odd);
        assert_eq!(codes("https://xn--e1afmkfd.example/"), odd);
        assert_eq!(codes("https://ex%61mple.org/"), odd);
        assert_eq!(codes("https://example.org:0/"), odd);
        assert_eq!(codes("https://example.org:/"), []);
        assert_eq!(codes("https://example.org:00443/"), []);
        assert_eq!(codes("HTTPS://192.0.2.1/mcp?tenant=a"), []);
        for query in ["token=x", "a=b&API_KEY=x", "access%5Ftoken=x", "x-api-key=1"] {
            let codes = codes(&format!("https://example.org/?{query}"));
            assert_eq!(codes, [Code::CredentialInEndpoint], "{query}");
        }
    }

    #[test]
    fn what_stdio_takes() {
        assert!(stdio("local-tools").is_ok());
        for bad in ["", "run me", "a\u{a0}b", "HTTPS://example.org/"] {
            assert!(stdio(bad).is_err(), "{bad:?}");
        }
    }
}
