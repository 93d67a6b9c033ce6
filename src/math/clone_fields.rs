/// Implements `Clone` field by field, with a `clone_from` that reuses the memory of every field. A derived `clone_from`
/// drops all memory and allocates it again.
///
/// Every field must be in one of the two lists, or the implementation does not compile. A clone has the default value
/// of a `scratch` field, and `clone_from` keeps the value that is there: its content influences no answer.
macro_rules! clone_fields {
    ($type:ident $(<$($parameter:ident),*>)? { $($field:ident),* $(; scratch: $($scratch:ident),*)? }) => {
        impl $(<$($parameter: Clone),*>)? Clone for $type $(<$($parameter),*>)? {
            fn clone(&self) -> Self {
                let Self { $($field,)* $($($scratch: _,)*)? } = self;
                Self { $($field: $field.clone(),)* $($($scratch: Default::default(),)*)? }
            }

            fn clone_from(&mut self, source: &Self) {
                let Self { $($field,)* $($($scratch: _,)*)? } = source;
                $(self.$field.clone_from($field);)*
            }
        }
    };
}
pub(crate) use clone_fields;
