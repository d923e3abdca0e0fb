//! Carries messages and open files between engine and guardian.
//!
//! A frame is a length (u32, little endian) and a body: one tag byte and the fields. Both ends are the
//! same binary, so there is no version. Open files ride on the first byte of a frame.

use std::{
    ffi::OsStr,
    io::{self, IoSlice, IoSliceMut, Read},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, net::UnixStream},
    },
};

use rustix::{
    cmsg_space,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    },
};

use super::{Bounds, Exceeded, Network};

/// How many open files one frame carries at most.
const FILES_MAX: usize = 4;

/// How large a frame may be: well above what a system takes as arguments and environment.
const FRAME_BYTES_MAX: usize = 64 << 20;

/// How many names of leftover processes are told; the rest is only counted.
pub(crate) const STRAY_NAMES_MAX: usize = 16;

/// What the engine says on the control socket.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request<'a> {
    /// The first message: the lock to hold, the command to run when the engine is gone, and which network to be in.
    Setup { lock: &'a OsStr, after: Vec<&'a OsStr>, network: Network },
    /// Start a child; comes with its link, stdin, stdout and stderr.
    Spawn(Spawn<'a>),
    /// The run ended in order: end everything and do not run the after command.
    Dismiss,
}

/// A child to start.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spawn<'a> {
    pub(crate) program: &'a OsStr,
    pub(crate) name: &'a OsStr,
    pub(crate) key: &'a OsStr,
    pub(crate) directory: &'a OsStr,
    pub(crate) arguments: Vec<&'a OsStr>,
    pub(crate) environment: Vec<(&'a OsStr, &'a OsStr)>,
    pub(crate) kind: Kind,
    pub(crate) rules: Option<Rules<'a>>,
}

/// What a child is to the guardian that starts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A step, which may leave processes behind.
    Step,
    /// Another guardian, which sees to its own.
    Guardian,
}

/// What a child may touch and use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rules<'a> {
    pub(crate) hidden: Vec<&'a OsStr>,
    pub(crate) readable: Vec<&'a OsStr>,
    pub(crate) writable: Vec<&'a OsStr>,
    pub(crate) bounds: Bounds,
}

/// What the engine says on a child's link: end it, and kill it when the grace is over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) grace_ms: u64,
}

/// What the guardian says, on the control socket or on a child's link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Ready { landlock: u32 },
    Refused { why: String },
    Started { pid: i32 },
    NotStarted { errno: i32 },
    Exited { status: Status, strays: Strays, exceeded: Option<Exceeded> },
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

/// A message that can be put in a frame and taken out of it.
pub(crate) trait Message<'a>: Sized {
    fn write(&self, out: &mut Fields);
    fn read(fields: &mut Parser<'a>) -> Option<Self>;
}

/// One received frame: the bytes of a message and the open files that came with it.
#[derive(Debug)]
pub(crate) struct Frame {
    body: Vec<u8>,
    pub(crate) files: Vec<OwnedFd>,
}

impl Frame {
    /// Reads the message, which borrows from the frame.
    pub(crate) fn message<'a, M: Message<'a>>(&'a self) -> io::Result<M> {
        let mut parser = Parser(&self.body);
        M::read(&mut parser)
            .filter(|_| parser.0.is_empty())
            .ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// Sends one message with the given open files.
pub(crate) fn send<'a, M: Message<'a>>(
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
        match sendmsg(socket, &[IoSlice::new(&frame[sent..])], &mut control, SendFlags::NOSIGNAL) {
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

/// Receives one frame; `None` when the other end has closed.
pub(crate) fn receive(socket: &UnixStream) -> io::Result<Option<Frame>> {
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
    Ok(Some(Frame { body, files }))
}

fn receive_with_files(socket: &UnixStream, into: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(FILES_MAX))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    #[cfg(target_os = "linux")]
    let flags = RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = RecvFlags::empty();
    let received = rustix::io::retry_on_intr(|| {
        recvmsg(socket.as_fd(), &mut [IoSliceMut::new(into)], &mut control, flags)
    })?;
    let mut files = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            files.extend(rights);
        }
    }
    Ok((received.bytes, files))
}

impl<'a> Message<'a> for Request<'a> {
    fn write(&self, out: &mut Fields) {
        match self {
            Self::Setup { lock, after, network } => {
                out.byte(b'S');
                out.text(lock);
                out.list(after, |out, text| out.text(text));
                out.byte(match network {
                    Network::Open => b'o',
                    Network::Own => b'n',
                });
            }
            Self::Spawn(spawn) => {
                out.byte(b'C');
                out.text(spawn.program);
                out.text(spawn.name);
                out.text(spawn.key);
                out.text(spawn.directory);
                out.list(&spawn.arguments, |out, text| out.text(text));
                out.list(&spawn.environment, |out, (name, value)| {
                    out.text(name);
                    out.text(value);
                });
                out.byte(match spawn.kind {
                    Kind::Step => b's',
                    Kind::Guardian => b'g',
                });
                out.list(spawn.rules.as_slice(), Rules::write);
            }
            Self::Dismiss => out.byte(b'D'),
        }
    }

    fn read(fields: &mut Parser<'a>) -> Option<Self> {
        Some(match fields.byte()? {
            b'S' => Self::Setup {
                lock: fields.text()?,
                after: fields.list(Parser::text)?,
                network: match fields.byte()? {
                    b'o' => Network::Open,
                    b'n' => Network::Own,
                    _ => return None,
                },
            },
            b'C' => Self::Spawn(Spawn {
                program: fields.text()?,
                name: fields.text()?,
                key: fields.text()?,
                directory: fields.text()?,
                arguments: fields.list(Parser::text)?,
                environment: fields.list(|fields| Some((fields.text()?, fields.text()?)))?,
                kind: match fields.byte()? {
                    b's' => Kind::Step,
                    b'g' => Kind::Guardian,
                    _ => return None,
                },
                rules: fields.list(Rules::read)?.pop(),
            }),
            b'D' => Self::Dismiss,
            _ => return None,
        })
    }
}

impl<'a> Rules<'a> {
    fn write(out: &mut Fields, rules: &Rules<'_>) {
        for paths in [&rules.hidden, &rules.readable, &rules.writable] {
            out.list(paths, |out, text| out.text(text));
        }
        let Bounds { processes_max, memory_bytes_max, file_bytes_max } = rules.bounds;
        for number in [processes_max, memory_bytes_max, file_bytes_max] {
            out.number(number);
        }
    }

    fn read(fields: &mut Parser<'a>) -> Option<Self> {
        Some(Self {
            hidden: fields.list(Parser::text)?,
            readable: fields.list(Parser::text)?,
            writable: fields.list(Parser::text)?,
            bounds: Bounds {
                processes_max: fields.number()?,
                memory_bytes_max: fields.number()?,
                file_bytes_max: fields.number()?,
            },
        })
    }
}

impl Message<'_> for End {
    fn write(&self, out: &mut Fields) {
        out.number(self.grace_ms);
    }

    fn read(fields: &mut Parser<'_>) -> Option<Self> {
        Some(Self { grace_ms: fields.number()? })
    }
}

impl Message<'_> for Report {
    fn write(&self, out: &mut Fields) {
        match self {
            Self::Ready { landlock } => {
                out.byte(b'R');
                out.number(u64::from(*landlock));
            }
            Self::Refused { why } => {
                out.byte(b'N');
                out.text(why.as_ref());
            }
            Self::Started { pid } => {
                out.byte(b'P');
                out.signed(*pid);
            }
            Self::NotStarted { errno } => {
                out.byte(b'F');
                out.signed(*errno);
            }
            Self::Exited { status, strays, exceeded } => {
                out.byte(b'X');
                let (kind, value) = match status {
                    Status::Code(code) => (b'c', *code),
                    Status::Signal(signal) => (b's', *signal),
                };
                out.byte(kind);
                out.signed(value);
                out.number(u64::from(strays.count));
                out.list(&strays.names, |out, name| out.text(name.as_ref()));
                out.byte(match exceeded {
                    None => b'-',
                    Some(Exceeded::Processes) => b'p',
                    Some(Exceeded::Memory) => b'm',
                });
            }
        }
    }

    fn read(fields: &mut Parser<'_>) -> Option<Self> {
        Some(match fields.byte()? {
            b'R' => Self::Ready { landlock: u32::try_from(fields.number()?).ok()? },
            b'N' => Self::Refused { why: fields.text()?.to_string_lossy().into_owned() },
            b'P' => Self::Started { pid: fields.signed()? },
            b'F' => Self::NotStarted { errno: fields.signed()? },
            b'X' => Self::Exited {
                status: match fields.byte()? {
                    b'c' => Status::Code(fields.signed()?),
                    b's' => Status::Signal(fields.signed()?),
                    _ => return None,
                },
                strays: Strays {
                    count: u32::try_from(fields.number()?).ok()?,
                    names: fields.list(|fields| Some(fields.text()?.to_str()?.to_owned()))?,
                },
                exceeded: match fields.byte()? {
                    b'-' => None,
                    b'p' => Some(Exceeded::Processes),
                    b'm' => Some(Exceeded::Memory),
                    _ => return None,
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

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }
}

/// The fields of a received message that were not read yet.
pub(crate) struct Parser<'a>(&'a [u8]);

impl<'a> Parser<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
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

    fn text(&mut self) -> Option<&'a OsStr> {
        let length = usize::try_from(self.number()?).ok()?;
        Some(OsStr::from_bytes(self.take(length)?))
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
mod tests;
