import Foundation

/// Where the project keeps its own scenarios.
enum ScenarioFolder {
    static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Scenarios").path
}
