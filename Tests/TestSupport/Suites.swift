import Foundation

/// Independent test data that is no part of the project.
package enum Suites {
    /// Where it lies: `BACKLOT_SUITES`, or the folder `shared/suites` beside the project.
    package static let folder: String = {
        if let named = ProcessInfo.processInfo.environment["BACKLOT_SUITES"], !named.isEmpty { return named }
        return URL(filePath: Project.folder).deletingLastPathComponent().appending(path: "shared/suites").path()
    }()

    /// Whether a file or folder of it is there.
    package static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(path)")
    }

    /// The paths below a folder of it that end so, sorted.
    package static func files(in path: String, endingIn suffix: String) -> [String] {
        let names = FileManager.default.subpaths(atPath: "\(folder)/\(path)") ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { "\(path)/\($0)" }
    }

    package static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
    }
}
