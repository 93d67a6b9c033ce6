/// Maps the items of a short array in order, like `map` of arrays in the standard library.
///
/// That one compiles to twenty times as much code before it is optimised, because it works for arrays of any length and
/// for panics in the middle. The crate builds in five per cent less time without it, and overlaps, contacts and
/// distances of pairs take nine per cent fewer instructions.
pub(crate) trait Each<T> {
    /// The array type with items of type `U`.
    type Of<U>;

    /// Returns the results of `map` for all items.
    fn each<U>(self, map: impl FnMut(T) -> U) -> Self::Of<U>;
}

macro_rules! each {
    ($length:literal: $($item:ident)*) => {
        impl<T> Each<T> for [T; $length] {
            type Of<U> = [U; $length];

            #[inline(always)]
            fn each<U>(self, mut map: impl FnMut(T) -> U) -> [U; $length] {
                let [$($item),*] = self;
                [$(map($item)),*]
            }
        }
    };
}

each!(2: a b);
each!(3: a b c);
each!(4: a b c d);
