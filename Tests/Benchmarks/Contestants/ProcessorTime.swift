import Foundation

/// How long a process has had a processor, in its own code and in the system's, in seconds.
///
/// Unlike requests a second it hardly depends on what else the machine is doing.
struct ProcessorTime {
    var own: Double
    var system: Double

    /// Nil where the system does not tell it in `/proc`.
    init?(of process: Int32) {
        guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = line.lastIndex(of: ")")
        else { return nil }
        // The name, in parentheses, may hold spaces; user and system time are the 12th and 13th field behind it.
        let fields = line[end...].split(separator: " ").dropFirst()
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > 13, let own = Double(fields[fields.startIndex + 11]),
            let system = Double(fields[fields.startIndex + 12])
        else { return nil }
        self.own = own / ticks
        self.system = system / ticks
    }
}
