//! As much of HTTP/1.1 as agents need: one request for each connection.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    thread,
};

use super::wire::{Answer, Then};

/// A larger request is none of an agent's.
const BODY_BYTES_MAX: u64 = 64 << 20;

/// What was asked.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// Reads a request.
pub(super) fn read(stream: &TcpStream) -> io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let first = line(&mut reader)?;
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut chunked) = (0, false);
    loop {
        let header = line(&mut reader)?.to_lowercase();
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or_default();
        match (name, value.trim()) {
            ("content-length", value) => length = value.parse().map_err(io::Error::other)?,
            ("transfer-encoding", "chunked") => chunked = true,
            ("expect", "100-continue") => {
                let mut stream = stream;
                stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            }
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let size = line(&mut reader)?;
            let size = size.split(';').next().unwrap_or_default();
            let size = u64::from_str_radix(size, 16).map_err(io::Error::other)?;
            (&mut reader).take(size.min(BODY_BYTES_MAX)).read_to_end(&mut body)?;
            line(&mut reader)?;
            if size == 0 {
                break;
            }
        }
    } else {
        reader.take(u64::min(length, BODY_BYTES_MAX)).read_to_end(&mut body)?;
    }
    Ok(Request { method, path, body })
}

fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    Ok(line.trim_end().to_owned())
}

/// Sends an answer and closes the connection.
pub(super) fn send(mut stream: &TcpStream, answer: &Answer) -> io::Result<()> {
    match answer {
        Answer::Whole { status, headers, kind, body } => {
            let mut head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n",
                body.len()
            );
            for (name, value) in headers {
                head += &format!("{name}: {value}\r\n");
            }
            stream.write_all(format!("{head}\r\n{body}").as_bytes())
        }
        Answer::Stream { events, then } => {
            stream.write_all(
                b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\
                  request-id: req_1\r\nconnection: close\r\n\r\n",
            )?;
            for event in events {
                stream.write_all(event.as_bytes())?;
                stream.flush()?;
            }
            if let Then::Wait(time) = then {
                thread::sleep(*time);
            }
            Ok(())
        }
    }
}
