import Findings
import ScenarioFormat
import Simulation
import TestSupport

/// A story and what the user does in it, made so that a class of bug shows.
struct Scene: Sendable, CustomStringConvertible {
    /// Something that the user does, or that happens to the user's device.
    enum Action: Sendable {
        case load([Request])
        /// Opens one screen after the other without waiting for any, at moments that the seed decides.
        case browse([Request], within: Duration)
        case upload(String, pieces: Int)
        case signIn(String)
        case signOut
        /// Signs out while requests are under way, at a moment that the seed decides.
        case signOutDuring([Request], within: Duration)
        /// Time passes while the app does nothing.
        case pass(Duration)
        /// The app is started again, with what it has stored.
        case launch
    }

    /// The bug that shows here; `nil` where only correct clients play.
    let bug: Bug?
    let title: String
    /// What the story changes in the backend, as a JSON object.
    let story: String
    let actions: [Action]
    /// How far the device's clock is ahead.
    var clockError = Duration.zero
    /// Whether the bug is a race, which is only there if requests were under way together when the token died.
    var isRace = false

    var description: String { bug.map { "\($0) \(title)" } ?? title }

    /// The devices on which the same is done at the same time, each with a client of its own.
    var devices = ["phone"]

    /// Loads the story.
    func load() throws -> LoadedScenario {
        let files = files
        let root = try requireRoot(files)
        do throws(ScenarioError) {
            return try ScenarioLoader(files: files, project: root).load("/project/story.json")
        } catch {
            throw Unplayable(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    var files: MemoryFiles { MemoryFiles(["backend.json": Backend.text, "story.json": storyText]) }

    private var storyText: String {
        let rest = story.isEmpty ? "" : ", \(story)"
        return "{\"extends\": \"backend.json\", \"id\": \"\(bug?.number ?? "scene")\", \"title\": \"\(title)\"\(rest)}"
    }

    struct Unplayable: Error, CustomStringConvertible {
        var description: String
    }
}
