import ScenarioFormat

/// Notices that files have changed by looking at their stamps: the same code on every platform.
///
/// A change counts once the stamps have stood still for one look, so that a file is not read while an editor writes it.
struct FileWatch: Sendable {
    /// How often to look.
    ///
    /// Two looks and a reload stay well below a third of a second.
    static let interval = Duration.milliseconds(60)

    private let files = DiskFiles()
    private var paths: [String]
    private var known: [FileStamp?]
    private var unsettled: [FileStamp?]?

    init(_ paths: [String]) {
        self.paths = paths
        known = []
        known = stamps()
    }

    private func stamps() -> [FileStamp?] {
        paths.map(files.stamp(of:))
    }

    /// Tells whether something changed since the last time that this was true.
    mutating func look() -> Bool {
        let current = stamps()
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

    /// Goes on with other files, taking them as they are now.
    mutating func follow(_ paths: [String]) {
        guard paths != self.paths else { return }
        self = FileWatch(paths)
    }
}
