//! The faults that a runtime adapter may have, by name.

use crate::mcp::Manner;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    Honest,
    /// Offers whatever a server lists, and calls what it offers.
    OffersAll,
    /// Forgets the server's part of a tool's name: calls the first server that has such a tool.
    BareNames,
    /// Lists again before it says no, and takes what has come since for allowed.
    LaterList,
    /// Has one credential for everybody: the first that it was given.
    OneCredential,
    /// Where its own credential does not open a server, tries the others.
    EveryCredential,
    /// Goes where a redirect leads, with everything it carries.
    FollowsRedirects,
    /// Gives up all that is left once anything went wrong.
    AllOrNothing,
    /// Gives each capability the tools of all of them.
    WholeManifest,
    /// Opens every connection with `initialize`.
    AlwaysInitialises,
    /// Opens none with it: a server that wants it is asked all the same.
    NeverInitialises,
    /// Knows the later revision alone, and says so where a server has none of it: nothing is wrong.
    LaterAlone,
    /// Speaks every version that a server names.
    AnyVersion,
    /// Before a call, makes those that the tool's description asks for.
    ObeysDescriptions,
    /// After a call, makes those that its result asks for.
    ObeysResults,
}

impl Fault {
    /// The faults with their names, in the order above.
    pub const ALL: [(&str, Fault); 15] = [
        ("honest", Fault::Honest),
        ("offers-all", Fault::OffersAll),
        ("bare-names", Fault::BareNames),
        ("later-list", Fault::LaterList),
        ("one-credential", Fault::OneCredential),
        ("every-credential", Fault::EveryCredential),
        ("follows-redirects", Fault::FollowsRedirects),
        ("all-or-nothing", Fault::AllOrNothing),
        ("whole-manifest", Fault::WholeManifest),
        ("always-initialises", Fault::AlwaysInitialises),
        ("never-initialises", Fault::NeverInitialises),
        ("later-alone", Fault::LaterAlone),
        ("any-version", Fault::AnyVersion),
        ("obeys-descriptions", Fault::ObeysDescriptions),
        ("obeys-results", Fault::ObeysResults),
    ];

    /// How the client behaves.
    pub fn manner(self) -> Manner {
        Manner {
            follows_redirects: self == Fault::FollowsRedirects,
            always_initialises: self == Fault::AlwaysInitialises,
            never_initialises: self == Fault::NeverInitialises,
            later_alone: self == Fault::LaterAlone,
            any_version: self == Fault::AnyVersion,
        }
    }
}
