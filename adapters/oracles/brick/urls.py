"""URIs by RFC 3986, and what may be an endpoint by RFC 9110, section 4.2."""

import ipaddress
import re
from urllib.parse import unquote

UNRESERVED, DELIMS, PCT = r"A-Za-z0-9\-._~", r"!$&'()*+,;=", r"%[0-9A-Fa-f]{2}"
PCHAR = rf"(?:[{UNRESERVED}{DELIMS}:@]|{PCT})"
USER = rf"(?:[{UNRESERVED}{DELIMS}:]|{PCT})*"
NAME = rf"(?:[{UNRESERVED}{DELIMS}]|{PCT})*"
FUTURE = rf"[vV][0-9A-Fa-f]+\.[{UNRESERVED}{DELIMS}:]+"
AUTHORITY = rf"(?:(?P<user>{USER})@)?(?P<host>\[(?P<literal>[0-9A-Fa-f:.]+|{FUTURE})\]|{NAME})(?::(?P<port>[0-9]*))?"
URI = re.compile(
    rf"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):"
    rf"(?:(?P<slashes>//){AUTHORITY}(?P<path>(?:/{PCHAR}*)*)|/(?:{PCHAR}+(?:/{PCHAR}*)*)?|{PCHAR}+(?:/{PCHAR}*)*|)"
    rf"(?:\?(?P<query>(?:{PCHAR}|[/?])*))?(?:#(?P<fragment>(?:{PCHAR}|[/?])*))?", re.A)
CREDENTIAL = re.compile(r"token|api[_-]?key|password|passwd|secret|credential|authorization", re.I)


def uri(text):
    """The parts of a URI, or None."""
    found = URI.fullmatch(text)
    if found and found["literal"] and found["literal"][0] not in "vV":
        try:
            ipaddress.IPv6Address(found["literal"])
        except ValueError:
            return None
    return found


def endpoint(text):
    """What kind of endpoint a streamable-http server would have: a fault, or the open questions that it raises."""
    parts = uri(text)
    if parts is None:
        return "no URL", set()
    if parts["scheme"].lower() not in ("http", "https"):
        return "another scheme", set()
    if not parts["slashes"] or not parts["host"]:
        return "no host", set()
    if parts["user"] is not None:
        return "user information", set()
    open_questions = set()
    if parts["scheme"].lower() == "http":
        open_questions.add("loopback" if loopback(parts["host"]) else "plain")
    elif near(parts["host"]):
        open_questions.add("near")
    if parts["fragment"] is not None:
        open_questions.add("fragment")
    return None, open_questions


PRIVATE = [ipaddress.ip_network(net) for net in ("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
                                                 "172.16.0.0/12", "192.168.0.0/16", "::/127", "fc00::/7", "fe80::/10")]


def near(host):
    """Whether a host is this machine or one of a private network, as far as its name or address shows."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
        return any(address in net for net in PRIVATE if net.version == address.version)
    except ValueError:
        return "." not in host.rstrip(".") or host.lower().rstrip(".").rsplit(".", 1)[-1] in ("localhost", "local", "internal")


def loopback(host):
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def credentials(text):
    """The (name, value) pairs of a query whose names say that the value is a credential."""
    query = text.partition("#")[0].partition("?")[2]
    pairs = [member.partition("=") for member in query.split("&")]
    return [(name, value) for name, _, value in pairs if CREDENTIAL.search(unquote(name))]


def leaves_folder(reference):
    """Whether a resource's uri leads out of the manifest's folder, or to an absolute place on this machine."""
    path = unquote(re.split(r"[?#]", reference)[0])
    path = path.replace("\\", "/")
    if re.match(r"file:", path, re.I) or path.startswith("/") or re.match(r"[A-Za-z]:/", path):
        return True
    if re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", path):
        return False  # somewhere else altogether, and not in any folder
    depth = 0
    for segment in path.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(segment, 1)
        if depth < 0:
            return True
    return False
