//! A network of one's own: nothing in it but a loopback device.

use std::{fs, io};

use rustix::{
    net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with},
    thread::UnshareFlags,
};

/// The number of the loopback device in every new network.
const LOOPBACK: u32 = 1;
/// `RTM_NEWLINK` of `linux/rtnetlink.h`: sets what a device is.
const NEW_LINK: u16 = 16;
/// `NLM_F_REQUEST | NLM_F_ACK` of `linux/netlink.h`.
const REQUEST_WITH_ANSWER: u16 = 1 | 4;
/// `IFF_UP` of `linux/if.h`.
const UP: u32 = 1;
/// `NLMSG_ERROR` of `linux/netlink.h`; its number is 0 where all went well.
const ANSWER: u16 = 2;

/// Leaves the machine's network for one with a loopback device only. The process must have one thread.
///
/// A user who is not root gets the right to do so in a user namespace, in which everybody else is nobody.
pub(super) fn leave_network() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if enter(UnshareFlags::NEWNET).is_err() {
        enter(UnshareFlags::NEWNET | UnshareFlags::NEWUSER)?;
        // Without this nobody may say which group is which.
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    raise_loopback()
}

#[expect(deprecated, reason = "what is unsafe about it is `FILES`, which is not among these flags")]
fn enter(spaces: UnshareFlags) -> io::Result<()> {
    Ok(rustix::thread::unshare(spaces)?)
}

fn raise_loopback() -> io::Result<()> {
    // Without a protocol it is the one of routes and devices.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    // A header of four fields, then `struct ifinfomsg`.
    let mut message = Vec::with_capacity(32);
    message.extend_from_slice(&32_u32.to_ne_bytes());
    message.extend_from_slice(&NEW_LINK.to_ne_bytes());
    message.extend_from_slice(&REQUEST_WITH_ANSWER.to_ne_bytes());
    message.extend_from_slice(&[0; 8]);
    message.extend_from_slice(&[0; 4]);
    for number in [LOOPBACK, UP, UP] {
        message.extend_from_slice(&number.to_ne_bytes());
    }
    send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 256];
    let (count, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    // The kind stands behind the length, the number behind the header.
    let kind = answer.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes);
    let number = answer.get(16..20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    match (kind, number) {
        (Some(ANSWER), Some(0)) if count >= 20 => Ok(()),
        (Some(ANSWER), Some(number)) if count >= 20 => Err(io::Error::from_raw_os_error(-number)),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}
