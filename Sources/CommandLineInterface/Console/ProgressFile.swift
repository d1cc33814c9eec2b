import EventLoops

/// A file in which a program notes what it is about to do, so that whoever started it knows what it died of.
package struct ProgressFile: Sendable {
    /// The environment variable that names the file.
    package static let variable = "BACKLOT_UNDER_WAY"
    /// So many things may have been under way at the same time.
    private static let most = 8

    private let file: Descriptor?

    /// - Parameter path: the file; with `nil`, or where it cannot be written, nothing is noted.
    package init(_ path: String?) {
        do {
            file = try path.map { path throws(SystemError) in try Platform.openFile(path, for: .writing) }
        } catch {
            file = nil
        }
    }

    /// Notes what begins, on a line of its own.
    package func note(_ what: String) {
        guard let file else { return }
        // In one call, so that two threads do not mix their lines.
        Platform.write(Array((what.split { $0.isNewline }.joined(separator: " ") + "\n").utf8), to: file)
    }

    /// Forgets what was noted, because the program ends by itself.
    package static func clear(_ path: String?) {
        // Opening a file for writing empties it.
        _ = ProgressFile(path)
    }

    /// What began last, the latest first.
    package static func latest(in text: String) -> [String] {
        text.split { $0.isNewline }.suffix(most).reversed().map(String.init)
    }
}
