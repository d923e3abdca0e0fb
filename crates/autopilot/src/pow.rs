//! The one function of the C mathematics library that the program needs, so that the library need not be loaded.
//!
//! Templates can raise to a power, which none of ours does; finding, mapping and relocating the library for it took
//! a tenth of a millisecond at each start, a twelfth of the time of `status` (`cargo xtask bench startup`).

/// Raises to a power, by the name that the linker looks for.
#[expect(
    unsafe_code,
    reason = "a name that is exported must be unique, and in one program `pow` is"
)]
#[unsafe(no_mangle)]
extern "C" fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

#[cfg(test)]
mod tests {
    use super::pow;

    #[test]
    fn powers_are_what_they_should_be() {
        let cases = [(2.0, 10.0, 1024.0), (9.0, 0.5, 3.0), (2.0, -2.0, 0.25), (0.0, 0.0, 1.0)];
        for (base, exponent, power) in cases {
            assert!((pow(base, exponent) - power).abs() < 1e-12, "{base} to the power {exponent}");
        }
        assert!(pow(-1.0, 0.5).is_nan());
    }
}
