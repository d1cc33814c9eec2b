import Basics
import JSON
import ScenarioFormat
import Simulation

/// Notices that files have changed by looking at their stamps: the same code on every platform.
///
/// A change counts once the stamps are equal in two checks, so that a file is not read while an editor writes it.
struct FileWatch: Sendable {
    /// The interval of checks.
    ///
    /// Two looks and a reload stay well below a third of a second.
    static let interval = Duration.milliseconds(60)

    /// The stamp of each file; a missing file has none, and is watched for its arrival.
    private typealias Stamps = [String: FileStamp?]

    private let files = DiskFiles()
    private var known: Stamps = [:]
    private var unsettled: Stamps?

    init(_ paths: [String]) {
        add(paths)
    }

    /// Tells whether something changed since the last time that this was true.
    mutating func look() -> Bool {
        let current = Stamps(uniqueKeysWithValues: known.keys.map { ($0, files.stamp(of: $0)) })
        guard current != known else {
            unsettled = nil
            return false
        }
        guard current == unsettled else {
            unsettled = current
            return false
        }
        known = current
        unsettled = nil
        return true
    }

    /// Watches more files, taking them as they are now.
    mutating func add(_ paths: [String]) {
        for path in paths where known[path] == nil { known.updateValue(files.stamp(of: path), forKey: path) }
    }

    /// Watches these files and no others from now on.
    ///
    /// What was watched before keeps its stamp, since the file may have changed again while it was being loaded.
    mutating func follow(_ paths: [String]) {
        let wanted = Set(paths)
        known = known.filter { wanted.contains($0.key) }
        add(paths)
    }
}
