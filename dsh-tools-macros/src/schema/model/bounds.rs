//! What a generic type needs of its parameters.

use std::collections::BTreeSet;

use syn::{Generics, Ident, TypeParam, parse_quote};

use super::Schema;
use crate::support::tokens::{Name, names};

/// Adds a bound for each parameter that a described type is made of, as serde does: one that only
/// stands in skipped fields or in `PhantomData` needs none.
pub(super) fn bounded(generics: &Generics, schema: &Schema) -> Generics {
    let mut generics = generics.clone();
    let parameters: Vec<Ident> = generics.type_params().map(|param| param.ident.clone()).collect();
    if parameters.is_empty() {
        return generics;
    }
    let mut types = Vec::new();
    schema.types(&mut types);
    let used: Vec<Name> = types.into_iter().flat_map(names).collect();
    for parameter in generics.type_params_mut() {
        bound_parameter(parameter, &used);
    }
    bound_associated(&mut generics, &parameters, &used);
    generics
}

fn bound_parameter(parameter: &mut TypeParam, used: &[Name]) {
    let is_itself =
        |name: &Name| name.ident == parameter.ident && name.first.is_none() && name.next.is_none();
    if used.iter().any(is_itself) {
        parameter.bounds.push(parse_quote!(__schema::Schema));
    }
}

/// Of `T::Item`, the associated type is described and not `T`.
fn bound_associated(generics: &mut Generics, parameters: &[Ident], used: &[Name]) {
    let mut seen = BTreeSet::new();
    for Name { ident: parameter, first, next } in used {
        let (None, Some(associated)) = (first, next) else { continue };
        if parameters.contains(parameter)
            && seen.insert((parameter.to_string(), associated.to_string()))
        {
            let clause = generics.make_where_clause();
            clause.predicates.push(parse_quote!(#parameter::#associated: __schema::Schema));
        }
    }
}
