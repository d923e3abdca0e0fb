//! One record on disk: a header of fixed width, the payload, a line end.
//!
//! ```text
//! 9b1f8c02a1b2c3d4 0000027 000000000042 0001/0002 5f3a…64 hexadecimal digits…c0 {"fact":"phase-started","n":3}
//! checksum         length  sequence     place/of  hash of the record before     payload
//! ```
//!
//! The checksum covers every byte after itself, the line end included. The records of one append are
//! written together and numbered `place/of`: they are read together or not at all.

use std::ops::Range;

use crate::{
    checksum::{self, CHECKSUM_BYTES},
    digits,
    error::Defect,
    ids::{RecordHash, Sequence},
    limits::{APPEND_BYTES_MAX, RECORD_BYTES_MAX},
};

/// How many bytes come before the payload.
pub(crate) const HEADER_BYTES: usize = HASH.end + 1;

/// The shortest frame: a header, no payload, the line end.
pub(crate) const FRAME_BYTES_MIN: usize = HEADER_BYTES + 1;

const CHECKSUM: Range<usize> = 0..CHECKSUM_BYTES;
const LENGTH: Range<usize> = 17..24;
const SEQUENCE: Range<usize> = 25..37;
const PLACE: Range<usize> = 38..42;
const OF: Range<usize> = 43..47;
const HASH: Range<usize> = 48..112;

/// A header before its fields are filled in, with everything that is the same in each.
const BLANK: [u8; HEADER_BYTES] = {
    let mut blank = [b' '; HEADER_BYTES];
    blank[PLACE.end] = b'/';
    blank
};

/// A record that fits its checksum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) sequence: Sequence,
    /// Its place in its append, from 1.
    pub(crate) place: u64,
    /// How many records that append has.
    pub(crate) of: u64,
    /// The whole frame.
    pub(crate) bytes: &'a [u8],
}

impl Frame<'_> {
    /// Gives the first record of the append that this one is part of.
    pub(crate) fn append_start(&self) -> Sequence {
        Sequence::new((self.sequence.get() + 1).saturating_sub(self.place))
    }
}

/// Where a new record stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) sequence: Sequence,
    pub(crate) place: u64,
    pub(crate) of: u64,
    pub(crate) previous: RecordHash,
}

/// Adds one frame to `into` and gives its hash; the limits have been checked.
pub(crate) fn encode(into: &mut Vec<u8>, at: Place, payload: &[u8]) -> RecordHash {
    let start = into.len();
    let mut header = BLANK;
    digits::put_decimal(&mut header[LENGTH], payload.len() as u64);
    digits::put_decimal(&mut header[SEQUENCE], at.sequence.get());
    digits::put_decimal(&mut header[PLACE], at.place);
    digits::put_decimal(&mut header[OF], at.of);
    header[HASH].copy_from_slice(&at.previous.to_hex());
    into.extend_from_slice(&header);
    into.extend_from_slice(payload);
    into.push(b'\n');
    let frame = &mut into[start..];
    let checksum = checksum::of(&frame[CHECKSUM.end..]);
    frame[CHECKSUM].copy_from_slice(&checksum);
    RecordHash::of(frame)
}

/// Reads the frame at the start of `bytes`.
#[inline]
pub(crate) fn decode(bytes: &[u8]) -> Result<Frame<'_>, Defect> {
    let header: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(Defect::Short)?;
    let payload = digits::decimal(&header[LENGTH]).ok_or(Defect::Header)? as usize;
    if payload > RECORD_BYTES_MAX {
        return Err(Defect::Header);
    }
    let frame = bytes.get(..FRAME_BYTES_MIN + payload).ok_or(Defect::Short)?;
    if checksum::of(&frame[CHECKSUM.end..]) != frame[CHECKSUM] {
        return Err(Defect::Checksum);
    }
    let number = |field| digits::decimal(&header[field]).ok_or(Defect::Header);
    Ok(Frame {
        sequence: Sequence::new(number(SEQUENCE)?),
        place: number(PLACE)?,
        of: number(OF)?,
        bytes: frame,
    })
}

/// Gives the header of a good frame.
pub(crate) fn header(frame: &[u8]) -> [u8; HEADER_BYTES] {
    frame.first_chunk().copied().unwrap_or(BLANK)
}

/// Gives the sequence that a header names.
pub(crate) fn sequence(header: &[u8; HEADER_BYTES]) -> Option<Sequence> {
    digits::decimal(&header[SEQUENCE]).map(Sequence::new)
}

/// Gives the hash that a good frame carries, in the digits it is written with.
pub(crate) fn previous(frame: &[u8]) -> &[u8] {
    &frame[HASH]
}

/// A record of an append that does not follow from what was read so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BadFrame {
    /// Where it starts, counted from the start of its append.
    pub(crate) offset: usize,
    pub(crate) sequence: Sequence,
    pub(crate) defect: Defect,
}

/// Reads the whole append at the start of `bytes`, which begins with record `first`.
///
/// `frames` gets where each of its frames lies, and nothing if it is not whole; the result is the
/// length of all of them.
#[inline]
pub(crate) fn decode_append(
    bytes: &[u8],
    first: Sequence,
    frames: &mut Vec<Range<usize>>,
) -> Result<usize, BadFrame> {
    frames.clear();
    let decoded = decode_frames(bytes, first, frames);
    if decoded.is_err() {
        frames.clear();
    }
    decoded
}

#[inline]
fn decode_frames(
    bytes: &[u8],
    first: Sequence,
    frames: &mut Vec<Range<usize>>,
) -> Result<usize, BadFrame> {
    let mut offset = 0;
    let mut place = 1;
    let mut of = 1;
    while place <= of {
        let sequence = first.plus(place - 1);
        let bad = |defect| BadFrame { offset, sequence, defect };
        let frame = decode(&bytes[offset..]).map_err(bad)?;
        if frame.sequence != sequence {
            return Err(bad(Defect::Sequence { found: frame.sequence }));
        }
        if place == 1 {
            of = frame.of;
        }
        let end = offset + frame.bytes.len();
        if frame.place != place || frame.of != of || of == 0 || end > APPEND_BYTES_MAX {
            return Err(bad(Defect::Place));
        }
        frames.push(offset..end);
        offset = end;
        place += 1;
    }
    Ok(offset)
}

/// Tells whether `bytes` hold, anywhere, a good record of a later append than the one that begins
/// with record `first`.
///
/// If so, that append was synced, because the next is only written then: damage to it is no torn
/// write. Every byte is tried as a start, since after damage nothing says where a record begins.
pub(crate) fn holds_later_append(bytes: &[u8], first: Sequence) -> bool {
    let last = first.plus((bytes.len() / FRAME_BYTES_MIN) as u64);
    (0..bytes.len()).any(|start| {
        let rest = &bytes[start..];
        looks_like_header(rest)
            && decode(rest)
                .is_ok_and(|frame| frame.append_start() > first && frame.sequence <= last)
    })
}

/// Sorts out nearly every wrong place before a checksum is computed over it.
fn looks_like_header(bytes: &[u8]) -> bool {
    bytes.first_chunk::<HEADER_BYTES>().is_some_and(|header| {
        [CHECKSUM.end, LENGTH.end, SEQUENCE.end, PLACE.end, OF.end, HASH.end]
            .iter()
            .all(|&between| header[between] == BLANK[between])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(first: u64, payloads: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (index, payload) in payloads.iter().enumerate() {
            let at = Place {
                sequence: Sequence::new(first + index as u64),
                place: index as u64 + 1,
                of: payloads.len() as u64,
                previous: RecordHash::GENESIS,
            };
            encode(&mut bytes, at, payload);
        }
        bytes
    }

    #[test]
    fn a_frame_is_one_readable_line() {
        let line = String::from_utf8(append(42, &[br#"{"n":3}"#])).unwrap();
        let fields: Vec<&str> = line.split(' ').collect();
        assert_eq!(fields[1..4], ["0000007", "000000000042", "0001/0001"]);
        assert_eq!(fields[4], "0".repeat(64));
        assert_eq!(fields[5], "{\"n\":3}\n");
        assert_eq!(line.find('{'), Some(HEADER_BYTES));
    }

    #[test]
    fn what_was_encoded_is_decoded() {
        let bytes = append(7, &[b"", b"one\ntwo", &[0xff; 300]]);
        let mut frames = Vec::new();
        assert_eq!(decode_append(&bytes, Sequence::new(7), &mut frames).unwrap(), bytes.len());
        let payloads: Vec<&[u8]> =
            frames.iter().map(|at| &bytes[at.start + HEADER_BYTES..at.end - 1]).collect();
        assert_eq!(payloads, [b"".as_slice(), b"one\ntwo", &[0xff; 300]]);
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let bytes = append(1, &[b"payload"]);
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_part_of_an_append_is_not_an_append() {
        let bytes = append(1, &[b"one", b"two"]);
        for cut in 0..bytes.len() {
            let bad = decode_append(&bytes[..cut], Sequence::FIRST, &mut Vec::new()).unwrap_err();
            assert_eq!(bad.defect, Defect::Short, "cut {cut}");
        }
    }

    #[test]
    fn records_of_the_same_append_are_no_later_append() {
        let first = append(5, &[b"one", b"two"]);
        let torn = [&[0; 64][..], &first[40..]].concat();
        assert!(!holds_later_append(&torn, Sequence::new(5)));
        let later = [&torn[..], &append(7, &[b"three"])].concat();
        assert!(holds_later_append(&later, Sequence::new(5)));
        assert!(!holds_later_append(&later, Sequence::new(7)), "an older record proves nothing");
    }
}
