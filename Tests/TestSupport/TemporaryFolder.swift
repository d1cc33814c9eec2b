import Foundation

/// A folder of its own for one test, deleted with it.
///
/// A class, because it is deleted when nobody needs it any more.
package final class TemporaryFolder: Sendable {
    /// Without symbolic links.
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func write(_ text: String, to name: String) throws {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    package func link(_ name: String, to target: String) throws {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: url.path(), withDestinationPath: target)
    }
}
