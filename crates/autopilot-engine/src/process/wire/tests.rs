//! Messages cross a socket as they are.

use std::thread;

use super::*;

/// Sends a message in one thread and gives its frame to another.
fn crossing<'a>(message: &(impl Message<'a> + Sync)) -> Frame {
    let (near, far) = UnixStream::pair().unwrap();
    thread::scope(|scope| {
        let reader = scope.spawn(move || receive(&far).unwrap().unwrap());
        send(&near, message, &[]).unwrap();
        reader.join().unwrap()
    })
}

#[test]
fn every_message_arrives_as_it_was_sent() {
    let setup = Request::Setup {
        lock: OsStr::new("/l"),
        after: vec![OsStr::new("a"), OsStr::from_bytes(b"\xff\n")],
        network: Network::Own,
    };
    assert_eq!(crossing(&setup).message::<Request<'_>>().unwrap(), setup);
    let end = End { grace_ms: u64::MAX };
    assert_eq!(crossing(&end).message::<End>().unwrap(), end);
    for report in [
        Report::Ready { landlock: 7 },
        Report::Refused { why: "no".into() },
        Report::Started { pid: 7 },
        Report::NotStarted { errno: 2 },
        Report::Exited {
            status: Status::Signal(9),
            strays: Strays { count: 3, names: vec!["sleep".into()] },
            exceeded: Some(Exceeded::Memory),
        },
    ] {
        assert_eq!(crossing(&report).message::<Report>().unwrap(), report);
    }
}

#[test]
fn a_request_larger_than_the_socket_buffer_arrives_whole() {
    let (long, longer) = ("x".repeat(2 << 20), "y".repeat(3 << 20));
    let spawn = Request::Spawn(Spawn {
        program: OsStr::new("/bin/true"),
        name: OsStr::new("true"),
        key: OsStr::new("k"),
        directory: OsStr::new("/"),
        arguments: vec![OsStr::new(&long)],
        environment: vec![(OsStr::new("A"), OsStr::new(&longer))],
        kind: Kind::Step,
        rules: Some(Rules {
            hidden: vec![OsStr::new("/h")],
            readable: vec![],
            writable: vec![OsStr::new("/w"), OsStr::new("/x")],
            bounds: Bounds { processes_max: 1, memory_bytes_max: 2, file_bytes_max: 3 },
        }),
    });
    assert_eq!(crossing(&spawn).message::<Request<'_>>().unwrap(), spawn);
}

#[test]
fn open_files_arrive_with_their_frame() {
    let (near, far) = UnixStream::pair().unwrap();
    let file = tempfile::tempfile().unwrap();
    send(&near, &Request::Dismiss, &[file.as_fd(), near.as_fd()]).unwrap();
    send(&near, &Request::Dismiss, &[]).unwrap();
    assert_eq!(receive(&far).unwrap().unwrap().files.len(), 2);
    assert_eq!(receive(&far).unwrap().unwrap().files.len(), 0);
    drop(near);
    assert!(receive(&far).unwrap().is_none());
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
