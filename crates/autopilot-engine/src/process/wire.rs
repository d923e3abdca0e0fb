//! Carries messages and open files between engine and guardian.
//!
//! A frame is a length (u32, little endian) and a body: one tag byte and the fields. Both ends are the
//! same binary, so there is no version. Open files ride on the first byte of a frame.

use std::{
    ffi::{OsStr, OsString},
    io::{self, IoSlice, IoSliceMut, Read},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, ffi::OsStringExt, net::UnixStream},
    },
};

use rustix::{
    cmsg_space,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    },
};

/// How many open files one frame carries at most.
const FILES_MAX: usize = 4;

/// How large a frame may be: well above what a system takes as arguments and environment.
const FRAME_BYTES_MAX: usize = 64 << 20;

/// How many names of leftover processes are told; the rest is only counted.
pub(crate) const STRAY_NAMES_MAX: usize = 16;

/// What the engine says on the control socket.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The first message: the lock to hold and the command to run when the engine is gone.
    Setup {
        lock: OsString,
        after: Vec<OsString>,
    },
    /// Start a child; comes with its link, stdin, stdout and stderr.
    Spawn(Spawn),
    /// The run ended in order: end everything and do not run the after command.
    Dismiss,
}

/// A child to start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spawn {
    pub(crate) program: OsString,
    pub(crate) name: OsString,
    pub(crate) key: OsString,
    pub(crate) directory: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

/// What the engine says on a child's link: end it, and kill it when the grace is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) grace_ms: u64,
}

/// What the guardian says, on the control socket or on a child's link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Ready,
    Refused { why: OsString },
    Started { pid: i32 },
    NotStarted { errno: i32 },
    Exited { status: Status, strays: Strays },
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Code(i32),
    Signal(i32),
}

/// Processes that a child left behind and that were killed for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strays {
    /// How many there were.
    pub count: u32,
    /// Names of the first few.
    pub names: Vec<String>,
}

/// A message that can be put in a frame.
pub(crate) trait Message: Sized {
    fn write(&self, out: &mut Fields);
    fn read(fields: &mut Parser<'_>) -> Option<Self>;
}

/// Sends one message with the given open files.
pub(crate) fn send<M: Message>(
    socket: &UnixStream,
    message: &M,
    files: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut fields = Fields(vec![0; 4]);
    message.write(&mut fields);
    let mut frame = fields.0;
    let length = u32::try_from(frame.len() - 4)
        .ok()
        .filter(|length| *length as usize <= FRAME_BYTES_MAX)
        .ok_or_else(|| io::Error::from(io::ErrorKind::ArgumentListTooLong))?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    send_whole(socket, &frame, files)
}

fn send_whole(socket: &UnixStream, frame: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(FILES_MAX))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() {
        let fits = control.push(SendAncillaryMessage::ScmRights(files));
        assert!(fits, "at most FILES_MAX open files ride on a frame");
    }
    let mut sent = 0;
    while sent < frame.len() {
        match sendmsg(
            socket,
            &[IoSlice::new(&frame[sent..])],
            &mut control,
            SendFlags::NOSIGNAL,
        ) {
            // The files went out with the first byte.
            Ok(count) => {
                sent += count;
                control.clear();
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Receives one message and the open files that came with it; `None` when the other end has closed.
pub(crate) fn receive<M: Message>(socket: &UnixStream) -> io::Result<Option<(M, Vec<OwnedFd>)>> {
    let mut header = [0; 4];
    let (count, files) = receive_with_files(socket, &mut header)?;
    if count == 0 {
        return Ok(None);
    }
    let mut socket = socket;
    socket.read_exact(&mut header[count..])?;
    let length = u32::from_le_bytes(header) as usize;
    if length > FRAME_BYTES_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body)?;
    let mut parser = Parser(&body);
    match M::read(&mut parser) {
        Some(message) if parser.0.is_empty() => Ok(Some((message, files))),
        Some(_) | None => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn receive_with_files(socket: &UnixStream, into: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(FILES_MAX))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    #[cfg(target_os = "linux")]
    let flags = RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = RecvFlags::empty();
    let received = rustix::io::retry_on_intr(|| {
        recvmsg(
            socket.as_fd(),
            &mut [IoSliceMut::new(into)],
            &mut control,
            flags,
        )
    })?;
    let mut files = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            files.extend(rights);
        }
    }
    Ok((received.bytes, files))
}

impl Message for Request {
    fn write(&self, out: &mut Fields) {
        match self {
            Self::Setup { lock, after } => {
                out.byte(b'S');
                out.text(lock);
                out.texts(after);
            }
            Self::Spawn(spawn) => {
                out.byte(b'C');
                out.text(&spawn.program);
                out.text(&spawn.name);
                out.text(&spawn.key);
                out.text(&spawn.directory);
                out.texts(&spawn.arguments);
                out.number(spawn.environment.len() as u64);
                for (name, value) in &spawn.environment {
                    out.text(name);
                    out.text(value);
                }
            }
            Self::Dismiss => out.byte(b'D'),
        }
    }

    fn read(fields: &mut Parser<'_>) -> Option<Self> {
        Some(match fields.byte()? {
            b'S' => Self::Setup {
                lock: fields.text()?,
                after: fields.texts()?,
            },
            b'C' => Self::Spawn(Spawn {
                program: fields.text()?,
                name: fields.text()?,
                key: fields.text()?,
                directory: fields.text()?,
                arguments: fields.texts()?,
                environment: fields.list(|fields| Some((fields.text()?, fields.text()?)))?,
            }),
            b'D' => Self::Dismiss,
            _ => return None,
        })
    }
}

impl Message for End {
    fn write(&self, out: &mut Fields) {
        out.number(self.grace_ms);
    }

    fn read(fields: &mut Parser<'_>) -> Option<Self> {
        Some(Self {
            grace_ms: fields.number()?,
        })
    }
}

impl Message for Report {
    fn write(&self, out: &mut Fields) {
        match self {
            Self::Ready => out.byte(b'R'),
            Self::Refused { why } => {
                out.byte(b'N');
                out.text(why);
            }
            Self::Started { pid } => {
                out.byte(b'P');
                out.signed(*pid);
            }
            Self::NotStarted { errno } => {
                out.byte(b'F');
                out.signed(*errno);
            }
            Self::Exited { status, strays } => {
                out.byte(b'X');
                let (kind, value) = match status {
                    Status::Code(code) => (b'c', *code),
                    Status::Signal(signal) => (b's', *signal),
                };
                out.byte(kind);
                out.signed(value);
                out.number(u64::from(strays.count));
                out.number(strays.names.len() as u64);
                for name in &strays.names {
                    out.text(name.as_ref());
                }
            }
        }
    }

    fn read(fields: &mut Parser<'_>) -> Option<Self> {
        Some(match fields.byte()? {
            b'R' => Self::Ready,
            b'N' => Self::Refused {
                why: fields.text()?,
            },
            b'P' => Self::Started {
                pid: fields.signed()?,
            },
            b'F' => Self::NotStarted {
                errno: fields.signed()?,
            },
            b'X' => Self::Exited {
                status: match fields.byte()? {
                    b'c' => Status::Code(fields.signed()?),
                    b's' => Status::Signal(fields.signed()?),
                    _ => return None,
                },
                strays: Strays {
                    count: u32::try_from(fields.number()?).ok()?,
                    names: fields.list(|fields| fields.text()?.into_string().ok())?,
                },
            },
            _ => return None,
        })
    }
}

/// The fields of a message under construction.
pub(crate) struct Fields(Vec<u8>);

impl Fields {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn signed(&mut self, number: i32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &OsStr) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn texts(&mut self, texts: &[OsString]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }
}

/// The fields of a received message that were not read yet.
pub(crate) struct Parser<'a>(&'a [u8]);

impl Parser<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn signed(&mut self) -> Option<i32> {
        Some(i32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<OsString> {
        let length = usize::try_from(self.number()?).ok()?;
        Some(OsString::from_vec(self.take(length)?.to_vec()))
    }

    fn texts(&mut self) -> Option<Vec<OsString>> {
        self.list(Self::text)
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        // The count is not trusted as a capacity: a list ends where the bytes end.
        let count = self.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Some(items)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn crossing<M: Message + PartialEq + std::fmt::Debug + Send + 'static>(message: M) {
        let (near, far) = UnixStream::pair().unwrap();
        let reader = thread::spawn(move || receive::<M>(&far).unwrap().unwrap().0);
        send(&near, &message, &[]).unwrap();
        assert_eq!(reader.join().unwrap(), message);
    }

    #[test]
    fn every_message_arrives_as_it_was_sent() {
        crossing(Request::Dismiss);
        crossing(Request::Setup {
            lock: "/l".into(),
            after: vec!["a".into(), OsString::from_vec(vec![0xff, b'\n'])],
        });
        crossing(End { grace_ms: u64::MAX });
        crossing(Report::Started { pid: 7 });
        crossing(Report::NotStarted { errno: 2 });
        crossing(Report::Exited {
            status: Status::Signal(9),
            strays: Strays {
                count: 3,
                names: vec!["sleep".into()],
            },
        });
    }

    #[test]
    fn a_request_larger_than_the_socket_buffer_arrives_whole() {
        crossing(Request::Spawn(Spawn {
            program: "/bin/true".into(),
            name: "true".into(),
            key: "k".into(),
            directory: "/".into(),
            arguments: vec![OsString::from_vec(vec![b'x'; 3 << 20])],
            environment: vec![("A".into(), OsString::from_vec(vec![b'y'; 2 << 20]))],
        }));
    }

    #[test]
    fn open_files_arrive_with_their_frame() {
        let (near, far) = UnixStream::pair().unwrap();
        let file = tempfile::tempfile().unwrap();
        send(&near, &Request::Dismiss, &[file.as_fd(), near.as_fd()]).unwrap();
        send(&near, &Request::Dismiss, &[]).unwrap();
        assert_eq!(receive::<Request>(&far).unwrap().unwrap().1.len(), 2);
        assert_eq!(receive::<Request>(&far).unwrap().unwrap().1.len(), 0);
        drop(near);
        assert!(receive::<Request>(&far).unwrap().is_none());
    }

    #[test]
    fn any_bytes_are_refused_or_read_but_never_panic() {
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..24)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 56) as u8 & 0x5f
                })
                .collect();
            drop(Request::read(&mut Parser(&bytes)));
            drop(Report::read(&mut Parser(&bytes)));
        }
    }
}
