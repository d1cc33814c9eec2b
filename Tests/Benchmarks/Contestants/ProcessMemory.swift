import Foundation

/// How much memory a process has resident, in megabytes.
struct ProcessMemory {
    var resident: Double
    /// The most that it ever was; nil where the system does not tell.
    var peak: Double?

    init?(of process: Int32) {
        if let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) {
            guard let resident = Self.kilobytes("VmRSS:", in: status) else { return nil }
            self.resident = resident / 1024
            peak = Self.kilobytes("VmHWM:", in: status).map { $0 / 1024 }
            return
        }
        guard let ps = ChildProcess.find("ps"),
            let text = try? ChildProcess(ps, ["-o", "rss=", "-p", "\(process)"], readsOutput: true).wholeOutput(),
            let resident = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return nil }
        self.resident = resident / 1024
    }

    private static func kilobytes(_ name: String, in status: String) -> Double? {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
    }
}
