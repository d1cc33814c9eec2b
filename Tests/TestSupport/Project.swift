import Basics

/// The folder of this package, found from this file's place.
package enum Project {
    package static let folder: String = {
        var path = FilePath.folder(of: #filePath)
        for _ in 0..<2 { path = FilePath.folder(of: path) }
        return path
    }()

    package static let scenarios = folder + "/Scenarios"

    /// The backend and the stories of one backend's folder, their names only.
    package static func stories(of backend: String) -> [String] {
        DiskFiles().entries(of: "\(scenarios)/\(backend)").filter { $0.hasSuffix(".json") }
    }
}
