/// The place of a cell on the Hilbert curve through a grid of 65,536 by 65,536.
///
/// Source: J. Skilling, *Programming the Hilbert curve* (2004), in the two-dimensional form of H. Warren, *Hacker's
/// Delight*, 2nd ed., §16-2.
pub(super) fn hilbert(x: u16, y: u16) -> u32 {
    let (mut x, mut y) = (u32::from(x), u32::from(y));
    let mut place = 0;
    let mut side = 1 << 15;
    while side > 0 {
        let (right, upper) = (u32::from(x & side > 0), u32::from(y & side > 0));
        place += side * side * ((3 * right) ^ upper);
        if upper == 0 {
            if right == 1 {
                x = !x;
                y = !y;
            }
            core::mem::swap(&mut x, &mut y);
        }
        side >>= 1;
    }
    place
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::hilbert;

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_the_plane() {
        let mut cells: Vec<(u32, i32, i32)> = Vec::new();
        for x in 0..64_u16 {
            for y in 0..64_u16 {
                cells.push((hilbert(x, y), i32::from(x), i32::from(y)));
            }
        }
        cells.sort_unstable();
        for pair in cells.windows(2) {
            assert_eq!(pair[1].0, pair[0].0 + 1, "the curve fills the corner without gaps");
            assert_eq!((pair[1].1 - pair[0].1).abs() + (pair[1].2 - pair[0].2).abs(), 1, "{pair:?}");
        }
    }
}
