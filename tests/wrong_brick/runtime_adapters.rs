use crate::Named;
use crate::harness::{Run, subject};
use crate::judged::{failed, judged};
use crate::adapter::Fault;

pub const TRIALS: &[Named] = &[("explore", explore)];

fn explore() {
    for (name, _) in Fault::ALL {
        let t = std::time::Instant::now();
        let command = ["run", "--format", "json", "--role", "brick/runtime-adapter"];
        let report = Run::of(&command, subject(&["runtime-adapter", name])).go().report();
        eprintln!("=== {name} {:?}", t.elapsed());
        for case in failed(&report) {
            eprintln!("{} {} {:?}\n      {}", case.level, case.id, case.requirements, case.reason);
        }
    }
    let _ = judged;
}
