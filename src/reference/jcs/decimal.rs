//! Decimals of at most 19 digits to doubles, quickly, in all but a few cases: those are left to the standard library.
//!
//! # Why it is right
//!
//! For digits w > 0 and an exponent e the number is w·10^e = w·5^e·2^e. With w shifted left until its top bit is set,
//! and 5^e known as t·2^x where t has 64 bits with its top bit set and falls short of the true factor by less than
//! [`ERROR`] units, the 128-bit product w·t falls short of the true one by less than `ERROR`·2^64. So the true upper
//! half lies from h to h + `ERROR`, h being the computed one. A double keeps the upper 53 bits of it; those below
//! tell how to round. Where h and h + `ERROR` lie on the same side of the half-way point, and neither reaches the
//! point nor carries, the rounding is decided; elsewhere [`to_double`] declines, as it does for results that are not
//! normal doubles.
//!
//! Depends on nothing.

/// The exponents for which factors are kept.
const LEAST: i32 = -330;
const MOST: i32 = 310;

/// The factors fall short by less than this many units in their last place: less than one since they are cut off at
/// 64 bits, and far less than another by what adds up in the 128 bits in which they are worked out (each of at most
/// 330 steps loses less than 8 units of the 128-bit number's last place, together less than 2^12).
const ERROR: u64 = 2;

/// 5^e ≈ `mantissa`·2^`exponent`, from below; the top bit of `mantissa` is set.
#[derive(Clone, Copy)]
struct Factor {
    mantissa: u64,
    exponent: i16,
}

static FACTORS: [Factor; (MOST - LEAST + 1) as usize] = factors();

const fn factors() -> [Factor; (MOST - LEAST + 1) as usize] {
    let one = Factor { mantissa: 1 << 63, exponent: -63 };
    let mut factors = [one; (MOST - LEAST + 1) as usize];
    let zero = -LEAST as usize;
    // `wide`·2^`exponent` is the current power of five.
    let (mut wide, mut exponent) = (1u128 << 127, -127i16);
    let mut i = zero + 1;
    while i < factors.len() {
        // Times five: cut off two or three bits first, whichever keeps it within 128 bits with the top one set.
        let cut = if wide / 4 < u128::MAX / 5 { 2 } else { 3 };
        wide = (wide >> cut) * 5;
        exponent += cut;
        factors[i] = upper(wide, exponent);
        i += 1;
    }
    (wide, exponent) = (1u128 << 127, -127i16);
    let mut i = zero;
    while i > 0 {
        i -= 1;
        // Through five: shift the quotient back up, with the bits that the remainder has for it.
        let (quotient, remainder) = (wide / 5, wide % 5);
        let shift = quotient.leading_zeros();
        wide = (quotient << shift) | ((remainder << shift) / 5);
        exponent -= shift as i16;
        factors[i] = upper(wide, exponent);
    }
    factors
}

const fn upper(wide: u128, exponent: i16) -> Factor {
    Factor { mantissa: (wide >> 64) as u64, exponent: exponent + 64 }
}

/// Powers of ten up to the greatest below 2^64.
const TENS: [u64; 20] = {
    let mut tens = [1; 20];
    let mut i = 1;
    while i < tens.len() {
        tens[i] = tens[i - 1] * 10;
        i += 1;
    }
    tens
};

/// Whether `number` written in decimal has more than `count` digits.
#[inline]
pub(super) fn has_more_digits(number: u64, count: usize) -> bool {
    TENS.get(count).is_some_and(|&ten| number >= ten)
}

/// The double nearest to `digits` times ten to `exponent`, ties to even; `None` where that takes more care.
#[inline]
pub(super) fn to_double(digits: u64, exponent: i32) -> Option<f64> {
    if digits == 0 {
        return Some(0.0);
    }
    let index = usize::try_from(exponent - LEAST).ok()?;
    let factor = FACTORS.get(index)?;
    let shift = digits.leading_zeros();
    let product = u128::from(digits << shift) * u128::from(factor.mantissa);
    let mut high = (product >> 64) as u64;
    // The number is `high`·2^`power`, `high` having 63 or 64 bits; with 64, 11 of them do not fit a double.
    let mut power = i32::from(factor.exponent) + exponent - shift as i32 + 64;
    let mut error = ERROR;
    if high >> 63 == 0 {
        high <<= 1;
        power -= 1;
        // The bit shifted in may be either, and the error is twice as large.
        error = 2 * ERROR + 1;
    }
    const BELOW: u32 = 64 - 53;
    const HALF: u64 = 1 << (BELOW - 1);
    let below = high & ((1 << BELOW) - 1);
    let up = if below + error < HALF {
        0
    } else if below > HALF && below + error < 2 * HALF {
        1
    } else {
        return None;
    };
    let mut mantissa = (high >> BELOW) + up;
    power += BELOW as i32;
    if mantissa >> 53 != 0 {
        mantissa >>= 1;
        power += 1;
    }
    // `mantissa` has 53 bits: the value is 1.m·2^(power + 52).
    let biased = power + 52 + 1023;
    if !(1..=2046).contains(&biased) {
        return None;
    }
    let fraction = mantissa & ((1 << 52) - 1);
    Some(f64::from_bits((biased as u64) << 52 | fraction))
}

/// The number that the first eight bytes of a text spell, if they are all digits.
#[inline]
pub(super) fn eight_digits(text: &[u8]) -> Option<u64> {
    let word = u64::from_le_bytes(*text.first_chunk::<8>()?);
    // Every upper half is 3, and stays so when 6 is added: the lower half is at most 9.
    const UPPER: u64 = 0xF0F0_F0F0_F0F0_F0F0;
    let carried = word.wrapping_add(0x0606_0606_0606_0606);
    if (word & UPPER) | ((carried & UPPER) >> 4) != 0x3333_3333_3333_3333 {
        return None;
    }
    // Join neighbours, three times: the earlier one is in the lower half and counts for more.
    let ones = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = (ones.wrapping_mul(10) + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    Some((fours.wrapping_mul(10_000) + (fours >> 32)) & 0xFFFF_FFFF)
}
