/// Returns the position of a cell along the Hilbert curve that fills a grid of 65,536 by 65,536 cells.
///
/// On the way from the largest quadrant down to the cell, each pair of coordinate bits maps the state of the curve
/// (swapped, mirrored) to the next one. A parallel prefix composes the maps of all sixteen levels in four steps, without
/// branches: bit `i` of each word belongs to level `i`.
///
/// Source: *2D Hilbert curves in O(1)*, threadlocalmutex.com (2016), in the public domain.
#[inline]
pub(super) fn hilbert_code(x: u16, y: u16) -> u32 {
    const ALL: u32 = u16::MAX as u32;
    let (x, y) = (u32::from(x), u32::from(y));
    let (unlike, neither, only_x) = (x ^ y, ALL ^ (x | y), x & (ALL ^ y));
    // The matrix (a, b) and the offset (c, d) of the map of each level, composed with that of the level above.
    let (mut a, mut b) = (unlike | ((ALL ^ unlike) >> 1), unlike ^ (unlike >> 1));
    let mut c = neither ^ (neither >> 1) ^ ((ALL ^ unlike) & (only_x >> 1));
    let mut d = only_x ^ (only_x >> 1) ^ (unlike & (neither >> 1));
    for levels in [2, 4, 8] {
        let above = |word: u32| word >> levels;
        let offset = ((a & above(c)) ^ (b & above(d)), (b & above(c)) ^ ((a ^ b) & above(d)));
        (a, b) = ((a & above(a)) ^ (b & above(b)), (a & above(b)) ^ (b & above(a ^ b)));
        (c, d) = (c ^ offset.0, d ^ offset.1);
    }
    let (swapped, mirrored) = (c ^ (c >> 1), d ^ (d >> 1));
    interleave(unlike) | (interleave(mirrored | (ALL ^ (unlike | swapped))) << 1)
}

/// Inserts a zero above each of sixteen bits.
#[inline]
fn interleave(mut bits: u32) -> u32 {
    bits = (bits | (bits << 8)) & 0x00ff_00ff;
    bits = (bits | (bits << 4)) & 0x0f0f_0f0f;
    bits = (bits | (bits << 2)) & 0x3333_3333;
    (bits | (bits << 1)) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::hilbert_code;

    /// The definition, quadrant by quadrant: H. Warren, *Hacker's Delight*, 2nd ed., §16-2.
    fn by_quadrants(x: u16, y: u16) -> u32 {
        let (mut x, mut y) = (u32::from(x), u32::from(y));
        (0..16).rev().fold(0, |code, level| {
            let (right, upper) = (x >> level & 1, y >> level & 1);
            if upper == 0 {
                (x, y) = if right == 1 { (!y, !x) } else { (y, x) };
            }
            code << 2 | (3 * right) ^ upper
        })
    }

    #[test]
    fn codes_match_the_descent_through_the_quadrants() {
        let edges = [0, 1, 2, 0x7fff, 0x8000, 0xaaaa, 0x5555, 0xfffe, 0xffff];
        let scrambled = |number: u32| number.wrapping_mul(0x9e37_79b9);
        let random = (0..20_000).map(|number| ((scrambled(number) >> 16) as u16, scrambled(scrambled(number)) as u16));
        for (x, y) in edges.into_iter().flat_map(|x| edges.map(|y| (x, y))).chain(random) {
            assert_eq!(hilbert_code(x, y), by_quadrants(x, y), "{x} {y}");
        }
    }

    #[test]
    fn consecutive_codes_belong_to_adjacent_cells() {
        let mut cells: Vec<(u32, i32, i32)> = Vec::new();
        for x in 0..64_u16 {
            for y in 0..64_u16 {
                cells.push((hilbert_code(x, y), i32::from(x), i32::from(y)));
            }
        }
        cells.sort_unstable();
        for pair in cells.windows(2) {
            assert_eq!(pair[1].0, pair[0].0 + 1, "the codes of the corner have no gaps");
            assert_eq!((pair[1].1 - pair[0].1).abs() + (pair[1].2 - pair[0].2).abs(), 1, "{pair:?}");
        }
    }
}
