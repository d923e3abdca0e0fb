//! Many seeds, many crashes: a resumed run must end like an uninterrupted one.

use super::{
    chance::Chance,
    play::{Played, play, play_story},
    scenario::Scenario,
};

/// What a sweep has covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Runs played, with and without a crash.
    pub runs: u64,
    /// Crashes survived.
    pub crashes: u64,
    /// Facts written.
    pub facts: u64,
}

impl Swept {
    fn add(&mut self, played: &Played, crashed: u64) {
        self.runs += 1;
        self.crashes += crashed;
        self.facts += u64::try_from(played.facts).unwrap_or(u64::MAX);
    }
}

/// Plays each seed without a crash and with one at a random place.
pub fn random_crashes(seeds: std::ops::Range<u64>) -> Result<Swept, String> {
    let mut swept = Swept::default();
    for seed in seeds {
        let whole = play(seed, None)?;
        swept.add(&whole, 0);
        let point = 1 + Chance::of(seed, "crash").below(whole.points);
        compare(seed, point, &whole, &mut swept)?;
    }
    Ok(swept)
}

/// Plays each seed without a crash and with one at every place there is.
pub fn every_crash(seeds: std::ops::Range<u64>) -> Result<Swept, String> {
    let mut swept = Swept::default();
    for seed in seeds {
        let whole = play(seed, None)?;
        swept.add(&whole, 0);
        for point in 1..=whole.points {
            compare(seed, point, &whole, &mut swept)?;
        }
    }
    Ok(swept)
}

/// Plays the run in which everything happens, and the same with a crash at every place there is.
pub fn story_with_every_crash() -> Result<Swept, String> {
    let mut swept = Swept::default();
    let whole = play_story(None)?;
    swept.add(&whole, 0);
    for point in 1..=whole.points {
        let resumed = play_story(Some(point))?;
        swept.add(&resumed, 1);
        if resumed.end != whole.end {
            let (whole, resumed) = (&whole.end, &resumed.end);
            return Err(format!(
                "interrupted at {point} it ends differently\n  whole:   {whole:?}\n  resumed: {resumed:?}"
            ));
        }
    }
    Ok(swept)
}

fn compare(seed: u64, point: u64, whole: &Played, swept: &mut Swept) -> Result<(), String> {
    let resumed = play(seed, Some(point))?;
    swept.add(&resumed, 1);
    // With tight limits a crash may cost the money for the next step, and the end may rightly differ.
    if !Scenario::of(seed).tight && resumed.end != whole.end {
        return Err(format!(
            "the resumed end differs from the uninterrupted one\n  whole:   {:?}\n  resumed: {:?}\n\
             replay: cargo xtask sim --seed {seed} --crash-at {point}",
            whole.end, resumed.end
        ));
    }
    Ok(())
}
