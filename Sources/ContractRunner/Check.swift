package import ProjectFiles
package import Reports

/// Checks contracts, scenarios and fixtures against each other, offline.
package struct Check: Sendable {
    private let files: any FileReading

    package init(files: any FileReading) {
        self.files = files
    }

    /// Checks files and folders; with none, the `Contracts` and `Scenarios` folders of the project.
    package func run(_ paths: [String]) -> Report {
        Report(title: "check")
    }
}
