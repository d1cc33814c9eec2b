import Foundation

/// Texts that are kept in files, beside the tests that compare with them.
package enum Golden {
    /// Whether the files are to be written anew: `BACKLOT_UPDATE=1 swift test`.
    package static let isUpdated = ProcessInfo.processInfo.environment["BACKLOT_UPDATE"] == "1"

    package static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    package static func update(_ path: String, to text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
