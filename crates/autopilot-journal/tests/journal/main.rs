//! The journal from outside, on real files and on a disk that fails.

#[cfg(test)]
mod appending;
#[cfg(test)]
mod crashes;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod following;
#[cfg(test)]
mod locking;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod support;
