//! The suites and the corpus are compiled into the program: a change in them is a change of it.

fn main() {
    println!("cargo::rerun-if-changed=suites");
    println!("cargo::rerun-if-changed=corpus");
}
