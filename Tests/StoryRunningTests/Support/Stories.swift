import Basics
import StoryRunning
import TestSupport
import Testing

/// A small backend and stories over it, in memory.
enum Stories {
    static let backend = #"""
        {
          "backend": "Notes",
          "tokens": { "kinds": { "access": { "lifetime": "15m" }, "refresh": { "lifetime": "30d" } } },
          "routes": { "GET /notes": { "json": [] }, "GET /mine": { "requires": "access", "json": [] } }
        }
        """#

    /// A story that requires one `GET /notes`, or what is said instead.
    static func story(
        _ id: String = "N-1",
        expecting expectations: String = #"[{ "request": "GET /notes", "count": 1 }]"#,
        with more: String = ""
    ) -> String {
        #"{ "extends": "backend.json", "id": "\#(id)", "title": "A note", "expect": \#(expectations)\#(more) }"#
    }

    /// Selects stories by path, of files below `/project/Scenarios/notes`.
    static func selection(
        _ paths: [String] = ["story.json"],
        only ids: [String] = [],
        of texts: [String: String]
    ) -> StorySelection {
        var all = ["Scenarios/notes/backend.json": backend]
        for (name, text) in texts { all["Scenarios/notes/\(name)"] = text }
        return StorySelection(paths.map { "Scenarios/notes/\($0)" }, only: ids, files: MemoryFiles(all))
    }

    /// One story, ready to be played.
    static func one(
        expecting expectations: String = #"[{ "request": "GET /notes", "count": 1 }]"#,
        with more: String = ""
    ) throws -> RunnableStory {
        let selection = selection(of: ["story.json": story(expecting: expectations, with: more)])
        return try #require(selection.stories.first, "\(selection.problems)")
    }
}

extension StoryRunner {
    /// A runner of a shell script that waits for nothing long.
    ///
    /// The times are real, because another process is waited for; those that have to pass are short.
    ///
    /// - Parameter change: changes what is different about it.
    init(script: String, change: (inout CommandClient) -> Void = { _ in }) {
        var client = CommandClient(ClientCommand(["/bin/sh", "-c", script]), environment: ["PATH": "/usr/bin:/bin"])
        client.grace = .milliseconds(100)
        client.settling = .milliseconds(50)
        // No test waits for this long: a client that hangs gets a limit of its own.
        client.timeLimit = .seconds(600)
        change(&client)
        self.init(client)
    }

    /// A runner of a command that is no script.
    init(command: [String]) {
        self.init(CommandClient(ClientCommand(command), environment: ["PATH": "/usr/bin:/bin"]))
    }

    /// Plays a story once, the plain one unless told otherwise, and judges it.
    func judged(_ story: RunnableStory? = nil) async throws -> StoryResult {
        StoryResult(try await play(try story ?? Stories.one()))
    }
}

extension StoryResult {
    /// The ids of the checks that keep it from passing.
    var open: [String] { checks.filter(\.isOpen).map(\.id) }

    func message(of id: String) -> String? {
        checks.first { $0.id == id }?.finding?.message
    }
}
