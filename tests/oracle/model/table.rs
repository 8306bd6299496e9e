use super::Id;

/// The records of one kind, in order of creation. A deleted record leaves a gap.
#[derive(Debug, Clone)]
pub(crate) struct Table<T>(Vec<Option<T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Table<T> {
    /// The number of records ever created.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn add(&mut self, record: T) -> Id {
        self.0.push(Some(record));
        self.0.len() - 1
    }

    pub(crate) fn get(&self, id: Id) -> Option<&T> {
        self.0.get(id)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        self.0.get_mut(id)?.as_mut()
    }

    /// The existing records.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Id, &T)> {
        let numbered = self.0.iter().enumerate();
        numbered.filter_map(|(id, record)| Some((id, record.as_ref()?)))
    }

    pub(crate) fn contains(&self, record: &T) -> bool {
        self.iter().any(|(_, it)| it == record)
    }

    pub(crate) fn delete(&mut self, id: Id) {
        if let Some(record) = self.0.get_mut(id) {
            *record = None;
        }
    }

    pub(crate) fn delete_where(&mut self, goes: impl Fn(&T) -> bool) {
        for record in &mut self.0 {
            if record.as_ref().is_some_and(&goes) {
                *record = None;
            }
        }
    }
}
