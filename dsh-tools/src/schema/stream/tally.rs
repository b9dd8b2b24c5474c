//! What has been seen of a container: which members, how many items.

use super::Place;
use crate::schema::object::{self, Additional, ObjectRules};
use crate::schema::value::ArrayRules;

/// The items so far.
pub(super) struct Count<'s> {
    rules: &'s ArrayRules,
    place: Place<'s>,
    seen: u64,
}

impl<'s> Count<'s> {
    pub(super) fn new(rules: &'s ArrayRules, place: Place<'s>) -> Self {
        if rules.unique_items {
            place.unsure.set(true);
        }
        Self { rules, place, seen: 0 }
    }

    /// What is said about the next item.
    pub(super) fn place(&self) -> Place<'s> {
        let index = usize::try_from(self.seen).unwrap_or(usize::MAX);
        match self.rules.prefix.get(index).or(self.rules.items.as_deref()) {
            Some(schema) => Place::new(schema, false, self.place.unsure),
            None => Place::anything(self.place.unsure),
        }
    }

    /// Counts one more; tells whether there may be so many.
    pub(super) fn add(&mut self) -> bool {
        self.seen += 1;
        self.rules.max_items.is_none_or(|bound| self.seen <= bound)
    }

    /// Whether there were as many items as there have to be.
    pub(super) fn is_whole(&self) -> bool {
        self.rules.min_items.is_none_or(|bound| self.seen >= bound)
    }
}

/// The keys that were there so far.
pub(super) struct Tally<'s> {
    rules: &'s ObjectRules,
    place: Place<'s>,
    count: u64,
    /// How many required keys are still missing.
    missing: usize,
    /// Where the next key is likely to be declared.
    next: usize,
    /// The properties that were there, by their places.
    seen: u128,
}

impl<'s> Tally<'s> {
    pub(super) fn new(rules: &'s ObjectRules, place: Place<'s>) -> Self {
        // Names listed apart from their properties, and more names than can be counted here.
        if rules.listed.is_some() || rules.is_flattening() || rules.own().len() > 128 {
            place.unsure.set(true);
        }
        Self { rules, place, count: 0, missing: rules.required_count(), next: 0, seen: 0 }
    }

    /// Whether every required name was there, and as many members as there have to be.
    pub(super) fn is_whole(&self) -> bool {
        let Self { rules, place, count, missing, .. } = self;
        place.unsure.get()
            || (*missing == 0
                && rules.min_properties.is_none_or(|bound| *count >= bound)
                && rules.max_properties.is_none_or(|bound| *count <= bound))
    }

    /// What is said about the value of a key; none for a key that is not accepted.
    #[inline]
    pub(super) fn place_of(&mut self, key: &str) -> Option<Place<'s>> {
        self.count += 1;
        let unsure = self.place.unsure;
        if let Some((index, property)) = object::find(self.rules.own(), key, self.next) {
            self.next = index + 1;
            let bit = 1_u128.checked_shl(u32::try_from(index).unwrap_or(u32::MAX)).unwrap_or(0);
            if self.seen & bit == 0 {
                self.missing -= usize::from(property.required);
            } else {
                // Given twice: which of them counts is not decided here.
                unsure.set(true);
            }
            self.seen |= bit;
            return Some(Place::new(property.schema(), property.null_is_absent, unsure));
        }
        if self.rules.is_flattening() {
            return Some(Place::anything(unsure));
        }
        match self.rules.others() {
            Additional::Closed => None,
            Additional::Open | Additional::Unstated => Some(Place::anything(unsure)),
            Additional::Schema(schema) => Some(Place::new(schema, false, unsure)),
        }
    }
}
