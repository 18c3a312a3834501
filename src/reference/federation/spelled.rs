//! Enums whose variants have one spelling each.
//!
//! Depends on nothing.

/// Declares such an enum, with its spellings both ways.
macro_rules! spelled {
    ($(#[$about:meta])* $name:ident { $($(#[$variant_about:meta])* $variant:ident = $spelling:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_about])* $variant,)+
        }

        impl $name {
            /// All variants.
            pub const ALL: &[$name] = &[$($name::$variant,)+];

            /// The variant's spelling in the profile.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $spelling,)+
                }
            }

            /// The variant of that spelling.
            pub fn from_name(name: &str) -> Option<Self> {
                $name::ALL.iter().copied().find(|variant| variant.name() == name)
            }
        }
    };
}

pub(super) use spelled;
