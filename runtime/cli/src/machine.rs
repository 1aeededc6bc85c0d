//! What is known of the machine that Pelton runs on.

use pelton_compiler::parallel::thread_count;
use serde_json::{Value, json};
use std::fs::read_to_string;
use std::path::Path;

/// Vector extensions that matter to the kernels, and whether the CPU has them.
pub type MachineFeatures = Vec<(&'static str, bool)>;

/// The machine, as far as the system tells.
#[derive(Debug)]
pub struct Machine {
    /// `x86_64-linux`
    pub target: String,
    /// The CPU's own name for itself.
    pub cpu: Option<String>,
    /// Vector extensions.
    pub features: MachineFeatures,
    /// Cores that this process may use.
    pub n_cores: usize,
    /// Bytes of main memory.
    pub memory: Option<u64>,
    /// Caches of one core by name, with their bytes.
    pub caches: Vec<(String, u64)>,
}

impl Machine {
    /// Looks around.
    pub fn look() -> Self {
        use std::env::consts::{ARCH, OS};
        Machine {
            target: format!("{ARCH}-{OS}"),
            cpu: read_to_string("/proc/cpuinfo")
                .ok()
                .and_then(|text| field(&text, "model name")),
            features: features(),
            n_cores: thread_count(0),
            memory: memory(),
            caches: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
        }
    }

    /// The same for programs.
    pub fn to_json(&self) -> Value {
        let features = self.features.iter();
        let caches = self.caches.iter();
        json!({
            "target": self.target,
            "cpu": self.cpu,
            "features": features.cloned().collect::<Value>(),
            "cores": self.n_cores,
            "memory_bytes": self.memory,
            "cache_bytes": caches.cloned().collect::<Value>(),
        })
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> MachineFeatures {
    vec![
        ("sse4.1", is_x86_feature_detected!("sse4.1")),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ]
}

#[cfg(target_arch = "aarch64")]
fn features() -> MachineFeatures {
    vec![("neon", std::arch::is_aarch64_feature_detected!("neon"))]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> MachineFeatures {
    Vec::new()
}

fn memory() -> Option<u64> {
    let total = field(&read_to_string("/proc/meminfo").ok()?, "MemTotal")?;
    bytes(total.strip_suffix("kB")?, 1 << 10)
}

/// Bytes of main memory that this process has taken at most, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let peak = field(&read_to_string("/proc/self/status").ok()?, "VmHWM")?;
    bytes(peak.strip_suffix("kB")?, 1 << 10)
}

/// The text behind the colon of the first line that begins with `name`.
fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// Caches as Linux describes them, one folder each.
fn caches(folder: &Path) -> Vec<(String, u64)> {
    let cache = |index: usize| {
        let read = |file: &str| {
            let path = folder.join(format!("index{index}")).join(file);
            Some(read_to_string(path).ok()?.trim().to_string())
        };
        let suffix = match read("type")?.as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        let size = read("size")?;
        let size = match size.strip_suffix('K') {
            Some(number) => bytes(number, 1 << 10)?,
            None => bytes(size.strip_suffix('M')?, 1 << 20)?,
        };
        Some((format!("L{}{suffix}", read("level")?), size))
    };
    (0..8).map_while(cache).collect()
}

fn bytes(number: &str, unit: u64) -> Option<u64> {
    number.trim().parse::<u64>().ok()?.checked_mul(unit)
}

/// Bytes for people: `512 KiB`, `23.4 GiB`.
pub(crate) fn shown_bytes(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        b if b >= 1024f64.powi(3) => format!("{:.1} GiB", b / 1024f64.powi(3)),
        b if b >= 1024f64.powi(2) => format!("{:.0} MiB", b / 1024f64.powi(2)),
        b => format!("{:.0} KiB", b / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_sizes_are_read() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\n";
        assert_eq!(field(text, "model name").unwrap(), "Some CPU @ 3 GHz");
        assert_eq!(field(text, "cache"), None);
        assert_eq!(bytes(" 16 ", 1024), Some(16384));
        let shown = [32 << 10, 1 << 20, 3 << 29].map(shown_bytes);
        assert_eq!(shown, ["32 KiB", "1 MiB", "1.5 GiB"]);
    }

    #[test]
    fn caches_are_read_from_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        for (at, (level, kind, size)) in [("1", "Data", "32K"), ("3", "Unified", "32M")]
            .into_iter()
            .enumerate()
        {
            let own = folder.path().join(format!("index{at}"));
            std::fs::create_dir(&own).unwrap();
            for (file, text) in [("level", level), ("type", kind), ("size", size)] {
                std::fs::write(own.join(file), format!("{text}\n")).unwrap();
            }
        }
        let expected = [("L1d".to_string(), 32 << 10), ("L3".to_string(), 32 << 20)];
        assert_eq!(caches(folder.path()), expected);
    }
}
