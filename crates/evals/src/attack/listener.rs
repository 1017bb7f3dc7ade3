//! A port that nobody may reach. It records every connection, every datagram and the first bytes of each connection,
//! and answers HTTP requests so that an attack that gets through also has its effect.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, UdpSocket},
    task::JoinHandle,
    time::timeout,
};

/// How long the first bytes of a connection are waited for.
const FIRST_BYTES: Duration = Duration::from_secs(2);
/// The answer to every request. Any origin may read it.
const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\
    Content-Length: 24\r\n\r\n<title>Elsewhere</title>";

/// A listening port. It ends when this is dropped.
pub(super) struct Listener {
    pub(super) port: u16,
    contacts: Arc<Mutex<Vec<String>>>,
    tasks: Vec<JoinHandle<()>>,
}

impl Listener {
    /// Listens on a free port, for TCP and UDP, at 127.0.0.1, 127.0.0.2 and ::1.
    pub(super) async fn start() -> io::Result<Listener> {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = first.local_addr()?.port();
        let contacts = Arc::new(Mutex::new(Vec::new()));
        let mut listener = Listener { port, contacts, tasks: Vec::new() };
        listener.serve(first);
        for ip in [IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2)), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
            // The machine may have no IPv6, and another program may use the port there.
            if let Ok(tcp) = TcpListener::bind((ip, port)).await {
                listener.serve(tcp);
            }
        }
        for ip in [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
            if let Ok(udp) = UdpSocket::bind((ip, port)).await {
                listener.receive(udp);
            }
        }
        Ok(listener)
    }

    /// Listens at another address with a given port, to find out whether a rule for a host holds for its neighbours.
    pub(super) async fn beside(ip: Ipv4Addr, port: u16) -> io::Result<Listener> {
        let tcp = TcpListener::bind((ip, port)).await?;
        let mut listener = Listener { port, contacts: Arc::default(), tasks: Vec::new() };
        listener.serve(tcp);
        Ok(listener)
    }

    /// Everything that reached the port since the last call, one line for each connection and datagram.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.contacts.lock())
    }

    fn serve(&mut self, tcp: TcpListener) {
        let contacts = self.contacts.clone();
        self.tasks.push(tokio::spawn(async move {
            while let Ok((stream, _)) = tcp.accept().await {
                let place = {
                    let mut contacts = contacts.lock();
                    contacts.push("a connection".to_owned());
                    contacts.len() - 1
                };
                tokio::spawn(answer(stream, contacts.clone(), place));
            }
        }));
    }

    fn receive(&mut self, udp: UdpSocket) {
        let contacts = self.contacts.clone();
        self.tasks.push(tokio::spawn(async move {
            let mut bytes = [0; 2048];
            while let Ok((length, _)) = udp.recv_from(&mut bytes).await {
                contacts.lock().push(format!("a datagram of {length} bytes"));
            }
        }));
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// Reads the first bytes of a connection, adds them to its record, and answers.
async fn answer(mut stream: TcpStream, contacts: Arc<Mutex<Vec<String>>>, place: usize) {
    let mut bytes = vec![0; 4096];
    let read = match timeout(FIRST_BYTES, stream.read(&mut bytes)).await {
        Ok(Ok(read)) => read,
        _ => 0,
    };
    if read == 0 {
        return;
    }
    let text = String::from_utf8_lossy(&bytes[..read]);
    let first: String = text.lines().next().unwrap_or_default().chars().take(200).collect();
    // The record may have been taken in the meantime.
    if let Some(contact) = contacts.lock().get_mut(place) {
        *contact = format!("a connection with {read} bytes: {first:?}");
    }
    let _ = stream.write_all(ANSWER.as_bytes()).await;
    let _ = stream.shutdown().await;
}
