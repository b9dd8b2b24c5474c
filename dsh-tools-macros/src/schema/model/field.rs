//! Fields, of structs and of variants.

use syn::{Ident, Type};

use super::super::attributes::FieldAttribute;
use super::super::check;
use super::super::parse::ParsedField;
use super::notes::{Notes, Refinement, is_on};
use super::{Element, Head, Property, Schema};
use crate::support::attribute::Given;
use crate::support::rename::RenameRule;
use crate::support::report::Report;
use crate::support::tokens::{Name, names};
use crate::support::value::{Switch, TypeName};

/// What a list of fields has in common.
pub(super) struct Fields<'a> {
    /// The type that is defined here.
    pub(super) owner: &'a Ident,
    pub(super) rename_all: RenameRule,
    pub(super) has_default: bool,
}

impl Fields<'_> {
    /// Decides named fields; one that serde skips is no property, but its mistakes count.
    pub(super) fn properties(
        &self,
        parsed: Vec<ParsedField<'_>>,
        report: &mut Report,
    ) -> Vec<Property> {
        parsed.into_iter().filter_map(|field| self.property(field, report)).collect()
    }

    fn property(&self, mut field: ParsedField<'_>, report: &mut Report) -> Option<Property> {
        let serde = std::mem::take(&mut field.serde);
        let name = field.name.clone();
        let is_exact = serde.read_with.is_some();
        check::own_form(&serde, &field.schema, report);
        let element = self.element(field, report);
        if serde.is_skipped {
            return None;
        }
        if let Some(flatten) = serde.flatten {
            check::flat(&flatten, &element, report);
            let may_be_omitted = serde.may_be_omitted.is_some();
            return Some(Property::Flattened { name, ty: element.ty, may_be_omitted });
        }
        let head = Head {
            name: serde.rename.unwrap_or_else(|| self.rename_all.field(&name)),
            aliases: serde.aliases,
            has_default: serde.has_default || self.has_default,
            may_be_omitted: serde.may_be_omitted.is_some(),
        };
        Some(if is_exact {
            Property::Exact(head, Schema::Same(Box::new(element)))
        } else {
            Property::Field(head, Box::new(element))
        })
    }

    /// Decides the only field of a newtype, which is the newtype.
    pub(super) fn newtype(
        &self,
        field: ParsedField<'_>,
        notes: Notes,
        report: &mut Report,
    ) -> Schema {
        check::newtype(&field, report);
        check::own_form(&field.serde, &field.schema, report);
        let mut element = self.element(field, report);
        element.refinement.notes = notes.over(element.refinement.notes);
        Schema::Same(Box::new(element))
    }

    /// Decides the fields of a tuple. Serde fills in a default where the array ends before.
    pub(super) fn tuple(
        &self,
        parsed: Vec<ParsedField<'_>>,
        notes: Notes,
        report: &mut Report,
    ) -> Schema {
        let mut elements = Vec::new();
        let mut required = 0;
        for field in parsed {
            check::tuple_field(&field, report);
            check::own_form(&field.serde, &field.schema, report);
            let is_skipped = field.serde.is_skipped;
            let has_default = field.serde.has_default || self.has_default;
            let element = self.element(field, report);
            if !is_skipped {
                elements.push(element);
                required = if has_default { required } else { elements.len() };
            }
        }
        Schema::Tuple { notes, elements, required }
    }

    /// Decides the type of a field and what is added to it.
    pub(super) fn element(&self, field: ParsedField<'_>, report: &mut Report) -> Element {
        let ParsedField { name: _, ty, attributes, mut schema, serde: _ } = field;
        let FieldAttribute { type_instead, recursive, .. } = &mut schema;
        let ty = match std::mem::take(type_instead).take(report) {
            Some(TypeName(instead)) => instead,
            None => ty.clone(),
        };
        let late_for = self.late_for(&ty, std::mem::take(recursive), report);
        Element { ty, late_for, refinement: Refinement::new(schema, attributes, report) }
    }

    /// Returns the type that is defined here, if `ty` may contain it. A needless yes changes
    /// nothing but where the rules are checked.
    pub(super) fn late_for(
        &self,
        ty: &Type,
        recursive: Given<Switch>,
        report: &mut Report,
    ) -> Option<String> {
        let is_own = |name: &Name| {
            let begins_here = match &name.first {
                None => true,
                Some(first) => first == "crate" || first == "self" || first == "super",
            };
            name.ident == "Self" || (name.ident == *self.owner && begins_here)
        };
        let is_late = is_on(recursive, report).unwrap_or(false) || names(ty).iter().any(is_own);
        is_late.then(|| self.owner.to_string())
    }
}
