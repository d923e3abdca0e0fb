//! Where pages are, and whether anything answers there.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream, ToSocketAddrs},
    time::Duration,
};

/// How long an answer may take.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// As much of an answer as says whether it is a good one.
const HEAD_BYTES: usize = 12;

/// Where pages are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    host: String,
    port: u16,
    path: String,
    /// Whether what is said there can be read without a key.
    is_plain: bool,
}

impl Address {
    /// The address that a URL names.
    pub(super) fn of(url: &str) -> Option<Self> {
        let (is_plain, rest) = match url.split_once("://")? {
            ("http", rest) => (true, rest),
            ("https", rest) => (false, rest),
            _ => return None,
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (place, path) = rest.split_at(end);
        let is_odd = |c: char| c.is_control() || c.is_whitespace();
        if place.contains('@') || url.chars().any(is_odd) {
            return None;
        }
        let usual = if is_plain { 80 } else { 443 };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()?),
            Some(_) | None => (place, usual),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let path = if path.starts_with('/') { path } else { "/" };
        (!host.is_empty()).then(|| Self {
            host: host.to_owned(),
            port,
            path: path.to_owned(),
            is_plain,
        })
    }

    /// Whether somebody listens there.
    pub(super) fn is_taken(&self) -> bool {
        self.connect().is_ok()
    }

    /// Whether whoever listens there has a page to show; why not, otherwise.
    pub(super) fn answers(&self) -> Result<(), String> {
        let mut stream = self.connect()?;
        if !self.is_plain {
            return Ok(());
        }
        let asked = format!(
            "GET {} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\nAccept: text/html\r\n\r\n",
            self.path, self.host, self.port
        );
        let mut head = [0; HEAD_BYTES];
        let read = stream
            .set_read_timeout(Some(ANSWER_MAX))
            .and_then(|()| stream.set_write_timeout(Some(ANSWER_MAX)))
            .and_then(|()| stream.write_all(asked.as_bytes()))
            .and_then(|()| stream.read_exact(&mut head));
        read.map_err(|error| error.to_string())?;
        let head = String::from_utf8_lossy(&head).into_owned();
        let code = head.split(' ').nth(1).unwrap_or_default();
        let is_good = head.starts_with("HTTP/") && (code.starts_with('2') || code.starts_with('3'));
        if is_good { Ok(()) } else { Err(format!("it answered `{code}`")) }
    }

    fn connect(&self) -> Result<TcpStream, String> {
        let places = (self.host.as_str(), self.port).to_socket_addrs();
        let places: Vec<SocketAddr> = places.map_err(|error| error.to_string())?.collect();
        let mut why = "the name leads nowhere".to_owned();
        for place in places {
            match TcpStream::connect_timeout(&place, ANSWER_MAX) {
                Ok(stream) => return Ok(stream),
                Err(error) => why = error.to_string(),
            }
        }
        Err(why)
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn c45_an_address_is_read_from_a_url() {
        let of = |url: &str| Address::of(url).map(|one| (one.host, one.port, one.path));
        let some = |host: &str, port, path: &str| Some((host.to_owned(), port, path.to_owned()));
        assert_eq!(of("http://localhost:3000"), some("localhost", 3000, "/"));
        assert_eq!(of("http://[::1]:80/app/?x=1"), some("::1", 80, "/app/?x=1"));
        assert_eq!(of("https://example.org/a"), some("example.org", 443, "/a"));
        for url in [
            "",
            "localhost:3000",
            "file:///etc/passwd",
            "http://",
            "http://a b",
            "http://me@x",
            "http://x:y",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }

    #[test]
    fn c45_only_a_good_answer_is_one() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its number").port();
        let address = Address::of(&format!("http://127.0.0.1:{port}/")).expect("an address");
        let server = std::thread::spawn(move || {
            for code in ["200 OK", "500 Oh", "302 Found"] {
                let (mut stream, _) = listener.accept().expect("somebody asks");
                let mut asked = [0; 512];
                let _ = stream.read(&mut asked).expect("a question");
                stream.write_all(format!("HTTP/1.1 {code}\r\n\r\n").as_bytes()).expect("an answer");
            }
        });
        assert_eq!(address.answers(), Ok(()));
        assert_eq!(address.answers(), Err("it answered `500`".to_owned()));
        assert_eq!(address.answers(), Ok(()));
        server.join().expect("no panic");
        assert!(!address.is_taken(), "nobody listens any more");
    }
}
