//! Runtime adapters that are wrong in one thing each: is each caught by what the servers saw?

use std::collections::BTreeSet;

use crate::Named;
use crate::judged::{failed, judged};

pub const TRIALS: &[Named] = &[
    ("an adapter of its own, without a fault: conformant", honest),
    ("offers whatever a server lists", || caught(&OFFERS_ALL)),
    ("matches tools by their bare names", || caught(&BARE_NAMES)),
    ("trusts the later list", || caught(&LATER_LIST)),
    ("sends one server's credential to all", || caught(&ONE_CREDENTIAL)),
    ("tries every credential where its own won't do", || caught(&EVERY_CREDENTIAL)),
    ("follows redirects with its credential", || caught(&FOLLOWS_REDIRECTS)),
    ("drops all calls for one server's error", || caught(&ALL_OR_NOTHING)),
    ("gives a capability the whole manifest's tools", || caught(&WHOLE_MANIFEST)),
    ("initialises a server of 2026-07-28", || caught(&ALWAYS_INITIALISES)),
    ("never initialises", || caught(&NEVER_INITIALISES)),
    ("knows the later revision alone: conformant, with shoulds missed", later_alone),
    ("calls servers whose version it lacks", || caught(&ANY_VERSION)),
    ("obeys descriptions", || caught(&OBEYS_DESCRIPTIONS)),
    ("obeys results", || caught(&OBEYS_RESULTS)),
];

const ROLE: &str = "brick/runtime-adapter";

/// A fault and how it must be caught.
struct Caught {
    fault: &'static str,
    /// The requirement that it is about.
    about: &'static str,
    /// Others of which a case may fail: cases about something else that have such a tool, such a call
    /// or such a server in them as well.
    also: &'static [&'static str],
    /// Cases that must fail, each with what the servers saw, as the report says it.
    seen: &'static [(&'static str, &'static str)],
}

const NOT_TO_BE_CALLED: &str = "`ledger` got a call of a tool that is not to be called there";
const FOREIGN_CREDENTIAL: &str = "got a credential that was not given for it";

const OFFERS_ALL: Caught = Caught {
    fault: "offers-all",
    about: "BRK-RT-5",
    also: &["BRK-RT-6", "BRK-RT-7", "BRK-RT-8", "BRK-RES-6"],
    seen: &[
        ("live-calls/not-in-the-allowlist", NOT_TO_BE_CALLED),
        ("live-calls/in-the-allowlist-of-no-capability", NOT_TO_BE_CALLED),
        ("live-calls/tool-in-another-case", NOT_TO_BE_CALLED),
        ("live-lists/stranger-on-a-later-page", NOT_TO_BE_CALLED),
    ],
};

const BARE_NAMES: Caught = Caught {
    fault: "bare-names",
    about: "BRK-RT-5",
    also: &["BRK-RT-6", "BRK-RT-7", "BRK-RT-8", "BRK-RES-6"],
    seen: &[
        ("live-calls/allowed-on-another-server", NOT_TO_BE_CALLED),
        ("live-calls/one-name-each-to-its-server", "the server archive: "),
        ("live-calls/one-name-the-later-server-only", "(find, in this order"),
        ("live-calls/missing-at-one-called-there", NOT_TO_BE_CALLED),
        ("live-calls/server-that-is-not-declared", NOT_TO_BE_CALLED),
    ],
};

const LATER_LIST: Caught = Caught {
    fault: "later-list",
    about: "BRK-RT-5",
    also: &[],
    seen: &[
        ("live-lists/tools-added-later", NOT_TO_BE_CALLED),
        ("live-lists/tool-renamed-later", NOT_TO_BE_CALLED),
        ("live-lists/change-announced-2025-11-25", NOT_TO_BE_CALLED),
        ("live-lists/change-announced-2026-07-28", NOT_TO_BE_CALLED),
        ("live-lists/two-invocations-of-a-growing-list", NOT_TO_BE_CALLED),
    ],
};

const ONE_CREDENTIAL: Caught = Caught {
    fault: "one-credential",
    about: "BRK-RT-7",
    also: &["BRK-RT-6"],
    seen: &[
        ("live-credentials/for-one-of-two", FOREIGN_CREDENTIAL),
        ("live-credentials/for-the-other-of-two", FOREIGN_CREDENTIAL),
        ("live-credentials/wanted-and-not-given", FOREIGN_CREDENTIAL),
        ("live-credentials/ids-that-begin-alike", FOREIGN_CREDENTIAL),
        ("live-failures/is-no-mcp-server", "which must not reach it"),
    ],
};

const EVERY_CREDENTIAL: Caught = Caught {
    fault: "every-credential",
    about: "BRK-RT-7",
    also: &["BRK-RT-6"],
    seen: &[
        ("live-credentials/wanted-and-not-given", FOREIGN_CREDENTIAL),
        ("live-credentials/wrong-at-one", FOREIGN_CREDENTIAL),
        ("live-failures/forbids-everything", "which must not reach it"),
    ],
};

const FOLLOWS_REDIRECTS: Caught = Caught {
    fault: "follows-redirects",
    about: "BRK-RT-7",
    // The call that is sent on arrives as one of a tool that nobody allowed there.
    also: &["BRK-RT-5"],
    seen: &[
        ("live-redirects/at-once-307", FOREIGN_CREDENTIAL),
        ("live-redirects/to-another-name", FOREIGN_CREDENTIAL),
        ("live-redirects/of-a-call", FOREIGN_CREDENTIAL),
        ("live-redirects/of-a-call-2025-11-25", FOREIGN_CREDENTIAL),
        ("live-redirects/into-a-tool-that-is-not-allowed-there", "the server archive: "),
    ],
};

const ALL_OR_NOTHING: Caught = Caught {
    fault: "all-or-nothing",
    about: "BRK-RT-7",
    also: &["BRK-RT-5", "BRK-RT-6", "BRK-RT-8"],
    seen: &[
        ("live-failures/closes-every-connection", "must reach `archive`"),
        ("live-failures/call-fails-with-a-status", "must reach `archive`"),
        ("live-failures/no-transport-for-one", "must reach `archive`"),
        ("live-credentials/wanted-and-not-given", "must reach `archive`"),
    ],
};

const WHOLE_MANIFEST: Caught = Caught {
    fault: "whole-manifest",
    about: "BRK-RT-5",
    also: &["BRK-RT-7"],
    seen: &[
        ("live-calls/of-another-capability", NOT_TO_BE_CALLED),
        ("live-offers/allowed-for-another-capability", "/offered"),
        ("live-offers/server-of-another-capability", "/offered"),
        ("live-offers/capability-without-tools", "/offered"),
    ],
};

const ALWAYS_INITIALISES: Caught = Caught {
    fault: "always-initialises",
    about: "BRK-RT-8",
    also: &["BRK-RT-5"],
    seen: &[
        ("live-protocol/2026-07-28", "exactly 2 tool calls must reach `ledger`"),
        ("live-protocol/one-of-each", "must reach `archive`"),
    ],
};

const NEVER_INITIALISES: Caught = Caught {
    fault: "never-initialises",
    about: "BRK-RT-8",
    also: &["BRK-RT-5", "BRK-RT-6", "BRK-RT-7"],
    seen: &[
        ("live-protocol/2025-11-25-never-without-initialize", "before it was initialised"),
        ("live-protocol/2025-11-25", "exactly 2 tool calls must reach `ledger`"),
        ("live-protocol/one-of-each", "must reach `ledger`"),
    ],
};

const ANY_VERSION: Caught = Caught {
    fault: "any-version",
    about: "BRK-RT-8",
    also: &[],
    seen: &[
        ("live-protocol/version-long-gone", "`ledger` must never get `tools/call`, and did"),
        ("live-protocol/version-yet-to-come", NOT_TO_BE_CALLED),
        ("live-protocol/unknown-version-beside-a-known-one", "must never get `tools/call`"),
    ],
};

const OBEYS_DESCRIPTIONS: Caught = Caught {
    fault: "obeys-descriptions",
    about: "BRK-RT-6",
    also: &[],
    seen: &[("live-hostile-text/description-asks-for-a-tool", NOT_TO_BE_CALLED)],
};

const OBEYS_RESULTS: Caught = Caught {
    fault: "obeys-results",
    about: "BRK-RT-6",
    also: &[],
    seen: &[
        ("live-hostile-text/result-asks-for-a-tool", NOT_TO_BE_CALLED),
        ("live-hostile-text/failed-result-grants-a-tool", NOT_TO_BE_CALLED),
    ],
};

/// The client is not the reference's: what it is blamed for is its fault alone.
fn honest() {
    judged(&[ROLE], &["runtime-adapter", "honest"], 0).is("conformant");
}

/// The draft's normative references have the revision 2026-07-28 alone.
fn later_alone() {
    let report = judged(&[ROLE], &["runtime-adapter", "later-alone"], 0);
    report.is("conformant");
    let failures = failed(&report);
    assert!(!failures.is_empty());
    for case in failures {
        assert_eq!(case.requirements, ["BRK-RT-10"], "{}", case.id);
    }
}

fn caught(caught: &Caught) {
    let report = judged(&[ROLE], &["runtime-adapter", caught.fault], 1);
    report.is("non-conformant");
    let failures = failed(&report);
    let mut found = BTreeSet::new();
    for case in &failures {
        // Some cases of `brick.invoke` need no server to tell that a call was not refused.
        let invoked = ["live-", "invoke-nothing/"]
            .iter()
            .any(|topic| case.id.starts_with(&format!("{ROLE}/{topic}")));
        assert!(invoked, "{} {}", case.id, case.reason);
        if case.level == "must" {
            found.extend(case.requirements.iter().copied());
        }
    }
    assert!(found.remove(caught.about), "{found:?}");
    let strange: Vec<_> = found.iter().filter(|id| !caught.also.contains(id)).collect();
    assert!(strange.is_empty(), "{strange:?}");
    for (id, words) in caught.seen {
        let case = failures.iter().find(|case| case.id == format!("{ROLE}/{id}"));
        let case = case.unwrap_or_else(|| panic!("{id} did not fail"));
        assert!(case.reason.contains(words), "{id}: {}", case.reason);
    }
    let shown = |case: &&crate::judged::Failed<'_>| case.reason.contains("the server ");
    let shown = failures.iter().filter(shown).filter(|case| case.requirements[0] == caught.about);
    assert!(shown.count() > 0, "nothing of {} says what a server saw", caught.about);
}
