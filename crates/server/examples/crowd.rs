//! How many can look at once:
//! `cargo run --release -p legwork-server --example crowd [-- VIEWERS EVENTS_A_SECOND SECONDS]`.
//!
//! Viewers follow one run over server-sent events while its journal grows. Each must get every event, in order; told is
//! how long it took from the append to the last byte at the viewer. Then one viewer replays 10,000 events. Server and
//! viewers share this machine and this process.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    time::{Duration, Instant},
};

use legwork::{
    Runtime,
    protocol::{EventKind, RunId, RunStart, SessionState, Workflow},
    settings::{Settings, Sources},
    store::{NewEvent, RunLog},
};
use legwork_server::{Server, ServerOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::mpsc,
};

type Broken = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Broken> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [viewers, rate, seconds] =
        [(0, 1_000), (1, 50), (2, 10)].map(|(at, default)| numbers.get(at).copied().unwrap_or(default));
    let folder = tempfile::tempdir()?;
    let data = folder.path().display().to_string();
    let flags = [("data_dir", data.as_str()), ("server.port", "0"), ("server.requests_per_second", "100000")];
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let sources = Sources { flags, ..Sources::default() };
    let settings = Settings::load(&sources).map_err(|problems| problems[0].clone())?;
    let runtime = Runtime::open(settings).await?;
    let log = runtime.log();
    let server = Server::bind(runtime, ServerOptions { sources, ..ServerOptions::default() }).await?;
    let address = server.address();
    let token = std::fs::read_to_string(folder.path().join("server.token"))?.trim().to_owned();
    tokio::spawn(server.run(std::future::pending()));

    let run = begin(&*log).await?;
    let total = rate * seconds;
    let (sender, mut told) = mpsc::unbounded_channel();
    let base = Instant::now();
    for _ in 0..viewers {
        let (sender, token) = (sender.clone(), token.clone());
        tokio::spawn(async move {
            if let Err(error) = watch(address, &token, run, total, base, &sender).await {
                eprintln!("a viewer was lost: {error}");
            }
        });
    }
    drop(sender);
    // All are there when each has the first event.
    for _ in 0..viewers {
        told.recv().await.ok_or("all viewers are lost")?;
    }
    println!("{viewers} viewers, {rate} events/s, {seconds} s");
    let grow = tokio::spawn(grow(log.clone(), run, total, rate, base));
    let (mut times, mut gaps) = (Vec::new(), 0);
    while let Some(Told { latency, gap }) = told.recv().await {
        times.push(latency);
        gaps += u64::from(gap);
    }
    grow.await??;
    times.sort_unstable();
    let at = |share: f64| times.get(((times.len() as f64 - 1.0) * share) as usize).copied().unwrap_or_default();
    println!(
        "told {} of {}, gaps {gaps}, p50 {:?}, p99 {:?}, max {:?}",
        times.len(),
        viewers * total,
        at(0.5),
        at(0.99),
        at(1.0)
    );
    replay(&log, address, token).await
}

async fn begin(log: &dyn RunLog) -> Result<RunId, Broken> {
    let run = RunId::new();
    let start = RunStart {
        workflow: Workflow { name: "crowd".into(), ..Workflow::default() },
        task: false,
        inputs: Default::default(),
        options: Default::default(),
        playbook: None,
    };
    log.append(run, 0, vec![NewEvent::of_run(EventKind::WorkflowStarted(start))]).await?;
    Ok(run)
}

/// An event of an ordinary size that says when it was made.
fn event(at: u128) -> NewEvent {
    NewEvent::of_run(EventKind::WarningIssued { message: format!("at={at};{}", "x".repeat(600)) })
}

async fn grow(log: Arc<dyn RunLog>, run: RunId, total: u64, rate: u64, base: Instant) -> Result<(), Broken> {
    let mut clock = tokio::time::interval(Duration::from_secs(1) / u32::try_from(rate)?);
    for seq in 1..=total {
        clock.tick().await;
        log.append(run, seq, vec![event(base.elapsed().as_nanos())]).await?;
    }
    Ok(())
}

struct Told {
    latency: Duration,
    gap: bool,
}

async fn watch(
    address: SocketAddr,
    token: &str,
    run: RunId,
    total: u64,
    base: Instant,
    told: &mpsc::UnboundedSender<Told>,
) -> Result<(), Broken> {
    let mut socket = tokio::net::TcpStream::connect(address).await?;
    let request =
        format!("GET /api/stream/sse/{run} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let (mut text, mut piece, mut last) = (Vec::new(), vec![0; 64 * 1024], 0);
    loop {
        let read = socket.read(&mut piece).await?;
        if read == 0 {
            return Err("the stream ended".into());
        }
        let now = base.elapsed();
        text.extend_from_slice(&piece[..read]);
        let Some(end) = text.iter().rposition(|byte| *byte == b'\n') else { continue };
        for line in String::from_utf8_lossy(&text[..end]).lines() {
            if let Some(id) = line.strip_prefix("id: ") {
                let seq: u64 = id.parse()?;
                let gap = seq != last + 1;
                last = seq;
                if seq == 1 {
                    told.send(Told { latency: Duration::ZERO, gap })?;
                }
            } else if let Some((_, rest)) = line.split_once("\"message\":\"at=") {
                let made: u64 = rest.split(';').next().unwrap_or_default().parse()?;
                told.send(Told { latency: now.saturating_sub(Duration::from_nanos(made)), gap: false })?;
            }
        }
        text.drain(..=end);
        if last > total {
            return Ok(());
        }
    }
}

async fn replay(log: &Arc<dyn RunLog>, address: SocketAddr, token: String) -> Result<(), Broken> {
    const EVENTS: u64 = 10_000;
    let run = begin(&**log).await?;
    for heap in 0..EVENTS / 500 {
        log.append(run, 1 + heap * 500, (0..500).map(|_| event(0)).collect()).await?;
    }
    let status = EventKind::SessionStatus { status: SessionState::Completed, message: String::new() };
    log.append(run, EVENTS + 1, vec![NewEvent::of_run(status)]).await?;
    let taken = tokio::task::spawn_blocking(move || -> Result<Duration, Broken> {
        let began = Instant::now();
        let mut socket = TcpStream::connect(address)?;
        let request =
            format!("GET /api/stream/sse/{run} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n");
        socket.write_all(request.as_bytes())?;
        let (mut piece, mut tail) = (vec![0; 256 * 1024], Vec::new());
        loop {
            let read = socket.read(&mut piece)?;
            if read == 0 {
                return Err("the stream ended".into());
            }
            tail.extend_from_slice(&piece[..read]);
            if tail.windows(11).any(|part| part == b"event: end\n") {
                return Ok(began.elapsed());
            }
            tail.drain(..tail.len().saturating_sub(16));
        }
    });
    println!("{EVENTS} events replayed in {:?}", taken.await??);
    Ok(())
}
