/// Returns the position of a cell along the Hilbert curve that fills a grid of 65,536 by 65,536 cells.
///
/// Source: J. Skilling, *Programming the Hilbert curve* (2004), in the two-dimensional form of H. Warren, *Hacker's
/// Delight*, 2nd ed., §16-2.
pub(super) fn hilbert_code(x: u16, y: u16) -> u32 {
    let (mut x, mut y) = (u32::from(x), u32::from(y));
    let mut code = 0;
    let mut side = 1 << 15;
    while side > 0 {
        let (right, upper) = (u32::from(x & side > 0), u32::from(y & side > 0));
        code += side * side * ((3 * right) ^ upper);
        if upper == 0 {
            if right == 1 {
                x = !x;
                y = !y;
            }
            core::mem::swap(&mut x, &mut y);
        }
        side >>= 1;
    }
    code
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::hilbert_code;

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
