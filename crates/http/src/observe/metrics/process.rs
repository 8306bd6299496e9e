//! Metrics of this process from the system. Only a few are available on systems other than Linux.

use std::{fmt, fs};

use formalize_core::{Clock, SystemClock};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

use super::collectors::{gauge, real};

/// The unit in which Linux reports process times, independent of its internal clock.
const TICKS_PER_SECOND: u32 = 100;

/// The resources that the process uses.
#[derive(Debug)]
pub(super) struct ProcessMetrics {
    /// In seconds since 1970.
    started: f64,
}

impl ProcessMetrics {
    /// The current process, which has just started.
    pub(super) fn new() -> Self {
        let millis = u64::try_from(SystemClock.now().as_millis());
        Self {
            started: real(millis.unwrap_or_default()) / 1000.0,
        }
    }
}

impl Collector for ProcessMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        let name = "process_start_time_seconds";
        let help = "Start of the process, in seconds since 1970.";
        let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        ConstGauge::new(self.started).encode(metric)?;
        if let Some(seconds) = processor_seconds() {
            let name = "process_cpu_seconds";
            let help = "CPU time of the process.";
            let metric = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            ConstCounter::new(seconds).encode(metric)?;
        }
        if let Some(bytes) = resident_bytes() {
            let memory = (
                "process_resident_memory_bytes",
                "Resident memory of the process.",
            );
            gauge(encoder, memory, bytes)?;
        }
        if let Some(files) = open_files() {
            let files_open = ("process_open_fds", "Open files and sockets.");
            gauge(encoder, files_open, files)?;
        }
        Ok(())
    }
}

fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let user: u32 = times.next()?.parse().ok()?;
    let system: u32 = times.next()?.parse().ok()?;
    let ticks = f64::from(user) + f64::from(system);
    Some(ticks / f64::from(TICKS_PER_SECOND))
}

fn open_files() -> Option<u64> {
    u64::try_from(fs::read_dir("/proc/self/fd").ok()?.count()).ok()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn linux_provides_all_metrics() {
        assert!(resident_bytes().unwrap() > 1 << 20);
        assert!(processor_seconds().unwrap() < 1e6);
        assert!(open_files().unwrap() > 2);
    }
}
