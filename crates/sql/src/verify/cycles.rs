//! Cycles among nested groups.

use std::collections::{BTreeMap, HashMap};

use uuid::Uuid;

/// The nesting of groups.
#[derive(Default)]
pub(super) struct Nesting {
    children: HashMap<Uuid, Vec<Uuid>>,
    parents: HashMap<Uuid, Vec<Uuid>>,
    /// The groups that may be on a cycle, each with the number of its children that may be, too.
    open: BTreeMap<Uuid, usize>,
}

impl Nesting {
    pub(super) fn add(&mut self, group: Uuid, child: Uuid) {
        self.children.entry(group).or_default().push(child);
        self.parents.entry(child).or_default().push(group);
        *self.open.entry(group).or_default() += 1;
        self.open.entry(child).or_default();
    }

    /// Returns disjoint cycles; every other cycle shares a group with one of them. Each begins with a group and
    /// continues with a child of the previous one.
    pub(super) fn cycles(mut self) -> Vec<Vec<Uuid>> {
        let childless = self.open.iter().filter(|(_, children)| **children == 0);
        let childless = childless.map(|(group, _)| *group).collect();
        self.remove(childless);
        let mut found = Vec::new();
        while let Some((start, _)) = self.open.first_key_value() {
            let cycle = self.cycle_from(*start);
            self.remove(cycle.clone());
            found.push(cycle);
        }
        found
    }

    /// Removes groups, and then all groups without remaining children.
    fn remove(&mut self, mut groups: Vec<Uuid>) {
        while let Some(group) = groups.pop() {
            if self.open.remove(&group).is_none() {
                continue;
            }
            for parent in self.parents.get(&group).into_iter().flatten() {
                if let Some(children) = self.open.get_mut(parent) {
                    *children -= 1;
                    if *children == 0 {
                        groups.push(*parent);
                    }
                }
            }
        }
    }

    /// Every open group has an open child, so following children ends in a cycle.
    fn cycle_from(&self, start: Uuid) -> Vec<Uuid> {
        let mut path = Vec::new();
        let mut places = HashMap::new();
        let mut next = Some(start);
        while let Some(group) = next {
            if let Some(place) = places.insert(group, path.len()) {
                return path.split_off(place);
            }
            path.push(group);
            let mut children = self.children.get(&group).into_iter().flatten();
            next = children
                .find(|child| self.open.contains_key(child))
                .copied();
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(edges: &[(u128, u128)]) -> Vec<Vec<u128>> {
        let mut nesting = Nesting::default();
        for (group, child) in edges {
            nesting.add(Uuid::from_u128(*group), Uuid::from_u128(*child));
        }
        let cycles = nesting.cycles().into_iter();
        cycles
            .map(|cycle| cycle.iter().map(Uuid::as_u128).collect())
            .collect()
    }

    #[test]
    fn diamonds_and_chains_are_not_cycles() {
        assert!(cycles(&[]).is_empty());
        assert!(cycles(&[(1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (1, 5)]).is_empty());
        let chain: Vec<_> = (0..50_000).map(|link| (link, link + 1)).collect();
        assert!(cycles(&chain).is_empty());
    }

    #[test]
    fn each_cycle_is_found_once_without_paths_to_it() {
        assert_eq!(cycles(&[(7, 7)]), [[7]]);
        assert_eq!(cycles(&[(9, 1), (1, 2), (2, 1), (2, 8)]), [[1, 2]]);
        assert_eq!(
            cycles(&[(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 4)]),
            [vec![1, 2, 3], vec![4, 5]]
        );
        let mut ring: Vec<_> = (0..50_000).map(|link| (link, link + 1)).collect();
        ring.push((50_000, 0));
        assert_eq!(cycles(&ring)[0].len(), 50_001);
    }

    #[test]
    fn duplicate_memberships_are_ignored() {
        assert_eq!(cycles(&[(1, 2), (1, 2), (2, 1)]), [[1, 2]]);
        assert!(cycles(&[(1, 2), (1, 2)]).is_empty());
    }
}
