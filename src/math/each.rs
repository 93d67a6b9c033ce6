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

impl<T> Each<T> for [T; 2] {
    type Of<U> = [U; 2];

    #[inline(always)]
    fn each<U>(self, mut map: impl FnMut(T) -> U) -> [U; 2] {
        let [a, b] = self;
        [map(a), map(b)]
    }
}

impl<T> Each<T> for [T; 3] {
    type Of<U> = [U; 3];

    #[inline(always)]
    fn each<U>(self, mut map: impl FnMut(T) -> U) -> [U; 3] {
        let [a, b, c] = self;
        [map(a), map(b), map(c)]
    }
}

impl<T> Each<T> for [T; 4] {
    type Of<U> = [U; 4];

    #[inline(always)]
    fn each<U>(self, mut map: impl FnMut(T) -> U) -> [U; 4] {
        let [a, b, c, d] = self;
        [map(a), map(b), map(c), map(d)]
    }
}
