package import Basics
package import Reports

/// Checks contracts, scenarios and fixtures against each other, offline.
package struct Check: Sendable {
    private let files: any FileReading

    package init(files: any FileReading) {
        self.files = files
    }

    /// Checks files and folders; with none, the `Contracts` and `Scenarios` folders of the project.
    ///
    /// Contracts come first, then backends, then the stories laid over them, so that what a backend does wrong is told
    /// once, at the backend, and a story answers for what it changes.
    ///
    /// - Throws: ``CheckProblem`` for a path that leads nowhere, and when there is nothing to check.
    package func run(_ paths: [String] = []) throws(CheckProblem) -> Report {
        let found = try CheckedFiles(files).find(paths)
        var run = CheckRun(files: files)
        for kind in [CheckedFile.Kind.contract, .backend, .story, .other, .broken] {
            for file in found where file.kind == kind { run.check(file) }
        }
        return run.report()
    }
}

/// Why a check cannot begin.
package struct CheckProblem: Error, Hashable {
    /// What was found and what would be right, without a closing full stop.
    package var sentence: String
}
