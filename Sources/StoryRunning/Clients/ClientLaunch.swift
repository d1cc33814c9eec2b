package import Basics

/// One start of the client, from its beginning to its end, or to that of the last process of its group.
package struct ClientLaunch: Sendable, Hashable {
    package var end: ClientEnd
    /// Real time until the client itself had ended, or all that it was allowed.
    package var duration: Duration
    /// Whether it was ended because it had taken too long.
    package var isOverdue: Bool
    /// Whether it was ended because the whole run was.
    package var isInterrupted: Bool
    /// The processes that it has left running, by name as far as the system tells; `nil` for none.
    package var leftovers: [String]?
    /// What it wrote last on standard error; `nil` when it wrote nothing or too much to quote.
    package var lastWords: String?
    /// What was wrong with it, where whoever started it knows better than its end tells.
    package var finding: Finding?

    /// A launch of a client in this process.
    ///
    /// - Parameter isOverdue: whether it was given up, so that there are no further launches.
    package init(
        _ end: ClientEnd,
        duration: Duration,
        isOverdue: Bool = false,
        isInterrupted: Bool = false,
        finding: Finding? = nil
    ) {
        self.end = end
        self.duration = duration
        self.isOverdue = isOverdue
        self.isInterrupted = isInterrupted
        self.finding = finding
    }

    /// The exit code for the verdict; a client that was ended at its time limit has that of SIGTERM, whatever it made of
    /// the signal.
    var exitCode: Int { isOverdue ? max(end.code, 128 + 15) : end.code }

    init(_ sight: ClientWatch.Sight, lastWords: String?) {
        end = sight.end
        duration = sight.duration
        isOverdue = sight.isOverdue
        isInterrupted = sight.isInterrupted
        leftovers = sight.leftovers
        self.lastWords = lastWords
    }

    /// The last line of a short file, such as the one reason that a program gives for doing nothing.
    static func lastLine(of path: String) -> String? {
        let files = DiskFiles()
        guard let size = files.stamp(of: path)?.size, size <= 4_096, let bytes = try? files.read(path) else {
            return nil
        }
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }
}
