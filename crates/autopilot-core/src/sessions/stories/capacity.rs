//! How many loops a machine can bear.

use crate::sessions::resources::Snapshot;

/// Below this part of memory free of pressure there is one loop.
const PRESSURE_MIN_PCT: f64 = 15.0;

/// What a loop needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Loops at most, however large the machine.
    pub most: f64,
    /// Memory of a loop.
    pub ram_per_loop_gb: f64,
    /// Loops' worth of memory that is left to others.
    pub reserve: f64,
}

impl Default for Capacity {
    fn default() -> Self {
        Self { most: 3.0, ram_per_loop_gb: 4.0, reserve: 1.0 }
    }
}

impl Capacity {
    /// Loops at once. A machine that is not known can bear one.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of loops is small and at least one"
    )]
    pub fn cap(self, snapshot: &Snapshot) -> u32 {
        let is_tight =
            snapshot.memory_pressure_pct_free.is_some_and(|free| free < PRESSURE_MIN_PCT);
        match snapshot.ram_free_gb {
            Some(free) if !is_tight => {
                let fit = (free / self.ram_per_loop_gb).floor() - self.reserve;
                fit.max(1.0).min(self.most) as u32
            }
            Some(_) | None => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_needs_memory_and_leaves_some() {
        let cap = |gb, pressure| {
            let snapshot = Snapshot {
                ram_free_gb: gb,
                memory_pressure_pct_free: pressure,
                ..Snapshot::default()
            };
            Capacity::default().cap(&snapshot)
        };
        let cases = [
            (None, None, 1),
            (Some(3.9), None, 1),
            (Some(12.0), None, 2),
            (Some(64.0), None, 3),
            (Some(64.0), Some(14.0), 1),
            (Some(64.0), Some(15.0), 3),
        ];
        for (gb, pressure, expected) in cases {
            assert_eq!(cap(gb, pressure), expected, "{gb:?} {pressure:?}");
        }
    }
}
