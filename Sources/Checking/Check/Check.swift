package import Basics
package import OpenAPI
package import Reports
import ScenarioFormat

/// Checks contracts, scenarios and fixtures against each other, offline.
package struct Check: Sendable {
    private let files: any FileReading
    private let overlays: [String]
    private let mappings: [URLMapping]

    /// - Parameters:
    ///   - overlays: files of changes that are laid over every contract, in this order.
    ///   - mappings: the files that are read in place of URLs.
    package init(files: any FileReading, overlays: [String] = [], mappings: [URLMapping] = []) {
        self.files = files
        self.overlays = overlays
        self.mappings = mappings
    }

    /// Checks files and folders; with none, the `Contracts` and `Scenarios` folders of the project.
    ///
    /// Contracts come first, then backends, then the stories laid over them, so that what a backend does wrong is
    /// reported once, at the backend, and a story is judged for what it changes.
    ///
    /// - Throws: ``CheckProblem`` for a path that does not exist, and when there is nothing to check.
    package func run(_ paths: [String] = []) throws(CheckProblem) -> Report {
        let found = try CheckedFiles(files).find(paths)
        var run = CheckRun(files: files, overlays: overlays, mappings: mappings)
        let kinds: [DocumentKind?] = [.contract, .backend, .story, .other, nil]
        for kind in kinds {
            for file in found where file.kind == kind { run.check(file) }
        }
        return run.report()
    }
}

/// The reason why a check cannot begin.
package struct CheckProblem: Error, Hashable {
    /// The finding and what would be right, without a closing full stop.
    package var sentence: String
}
