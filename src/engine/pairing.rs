//! Pairing what was expected of a set with what came: each with one of its own.

use std::collections::HashMap;

use serde_json::Value;

/// Beyond so many comparisons only elements that are equal as they stand are paired.
const MAX_COMPARED: usize = 1_000_000;

/// Pairs as many `wanted` with `elements` as can be, each with one of its own. `fits` says whether the
/// wanted value at an index is met by an element. Gives the indices of the wanted ones without an
/// element, and of the elements that are left.
pub(super) fn pair(
    wanted: &[Value],
    elements: &[Value],
    fits: impl Fn(usize, &Value) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let mut pairs = Pairs { of_element: vec![None; elements.len()], fitting: Vec::new() };
    let mut unpaired = equal_ones(wanted, elements, &mut pairs.of_element);
    if !unpaired.is_empty() && wanted.len().saturating_mul(elements.len()) <= MAX_COMPARED {
        pairs.fitting = (0..wanted.len())
            .map(|index| {
                let met = |place: &usize| elements.get(*place).is_some_and(|one| fits(index, one));
                (0..elements.len()).filter(met).collect()
            })
            .collect();
        unpaired.retain(|index| !pairs.find_for(*index));
    }
    let left = pairs.of_element.iter().enumerate().filter(|(_, taken)| taken.is_none());
    (unpaired, left.map(|(place, _)| place).collect())
}

/// Pairs those that are the same as they stand; gives the wanted ones that are left.
fn equal_ones(wanted: &[Value], elements: &[Value], taken: &mut [Option<usize>]) -> Vec<usize> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, element) in elements.iter().enumerate() {
        places.entry(element.to_string()).or_default().push(place);
    }
    let mut unpaired = Vec::new();
    for (index, value) in wanted.iter().enumerate() {
        let place = places.get_mut(&value.to_string()).and_then(Vec::pop);
        match place.and_then(|place| taken.get_mut(place)) {
            Some(slot) => *slot = Some(index),
            None => unpaired.push(index),
        }
    }
    unpaired
}

/// A pairing that grows along augmenting paths (Kuhn's algorithm, breadth first).
struct Pairs {
    of_element: Vec<Option<usize>>,
    /// For each wanted one the elements that fit it.
    fitting: Vec<Vec<usize>>,
}

impl Pairs {
    fn find_for(&mut self, index: usize) -> bool {
        // For each element reached, the wanted one from which it was reached.
        let mut reached: Vec<Option<usize>> = vec![None; self.of_element.len()];
        let mut waiting = std::collections::VecDeque::from([index]);
        while let Some(wanted) = waiting.pop_front() {
            for place in self.fitting.get(wanted).into_iter().flatten().copied() {
                match reached.get_mut(place) {
                    Some(slot @ None) => *slot = Some(wanted),
                    _ => continue,
                }
                match self.of_element.get(place).copied().flatten() {
                    Some(holder) => waiting.push_back(holder),
                    None => {
                        self.turn_over(place, index, &reached);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Gives each element on the path from `start` to the free `place` to the one that reached it.
    fn turn_over(&mut self, mut place: usize, start: usize, reached: &[Option<usize>]) {
        while let Some(wanted) = reached.get(place).copied().flatten() {
            let before = self.of_element.iter().position(|holder| *holder == Some(wanted));
            if let Some(slot) = self.of_element.get_mut(place) {
                *slot = Some(wanted);
            }
            match before {
                Some(before) if wanted != start => place = before,
                _ => return,
            }
        }
    }
}
