import Basics
import Checking
import Foundation
import StoryRunning
import StubServing
import TestSupport
import Testing

/// All of Smeem's stories, played to a client that is not Swift, to two bugs of it, and to one that does nothing.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `Smeem's stories` {
    /// As `Scenarios/smeem/*.json` in a shell, the backend among them.
    private static let files = Project.stories(of: "smeem").map { "Scenarios/smeem/\($0)" }
    private static let client = "Tests/StoryRunningTests/Clients/smeem.py"

    /// What a run says of each story that has not passed, by the story's id.
    private struct Outcome {
        var status: Int32
        var output: String
        var open: [String: String] = [:]
        var passed: [String] = []

        init(_ command: [String], files: [String], bug: String? = nil) async throws {
            let environment = ["BUG": bug ?? "", "PYTHONDONTWRITEBYTECODE": "1"]
            let end = try await SpawnedCommand.run(["run"] + files + ["--"] + command, environment: environment)
            (status, output) = (end.status, end.output)
            var story: String?
            for line in output.split(separator: "\n") where !line.starts(with: "  again:") {
                if line.starts(with: " ") {
                    story.map { open[$0, default: ""] += line + "\n" }
                    continue
                }
                let words = line.split(separator: " ")
                guard words.count > 2, ["✓", "✗", "?"].contains(words[0]) else { continue }
                let id = String(words[1])
                story = id
                if words[0] == "✓" { passed.append(id) } else { open[id] = "" }
            }
        }
    }

    private func outcome(in files: [String] = files, with bug: String? = nil) async throws -> Outcome {
        try await Outcome([try #require(Programs.python), Self.client, "{url}"], files: files, bug: bug)
    }

    private static let stories = StorySelection(["\(Project.scenarios)/smeem"]).stories
    private static let all = Set(stories.map(\.id))

    /// The files of some stories, and every fifth of the others; all of them with `BACKLOT_SCHEDULES`.
    private static func files(of ids: Set<String>) -> [String] {
        let meant = Set(stories.filter { ids.contains($0.id) }.map { FilePath.name(of: $0.file) })
        return files.enumerated().filter { number, file in
            Breadth.factor > 1 || number % 5 == 0 || meant.contains(FilePath.name(of: file))
        }
        .map(\.element)
    }

    // What is missing where these are skipped is python3, in which the client is written.
    @Test(.enabled(if: Programs.python != nil, "there is no python3 here"))
    func `are passed by a client that does it right`() async throws {
        let outcome = try await outcome()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(Set(outcome.passed) == Self.all && Self.all.count >= 43)
    }

    // Whoever keeps the access token as the refresh token is found out by the next refresh, and only there.
    @Test(.enabled(if: Programs.python != nil, "there is no python3 here"))
    func `with a refresh after the first one are failed by a client that keeps the wrong token`() async throws {
        let failing: Set = [
            "SM-01/soon-again", "SM-02", "SM-02/sliding", "SM-04", "SM-05", "SM-09", "SM-11/unauthorized",
        ]
        let outcome = try await outcome(in: Self.files(of: failing), with: "access-as-refresh")
        #expect(outcome.status == 1)
        #expect(Set(outcome.open.keys) == failing, "\(outcome.output)")
        for (story, words) in outcome.open { #expect(words.contains("B20 token-of-wrong-kind"), "\(story): \(words)") }
    }

    @Test(.enabled(if: Programs.python != nil, "there is no python3 here"))
    func `in which a token expires on the way are failed by a client that refreshes at its launch only`() async throws {
        let failing: Set = ["SM-04", "SM-05"]
        let outcome = try await outcome(in: Self.files(of: failing), with: "no-refresh")
        #expect(outcome.status == 1)
        #expect(Set(outcome.open.keys) == failing, "\(outcome.output)")
        for (story, words) in outcome.open { #expect(words.contains("B1 no-refresh-after-401"), "\(story): \(words)") }
    }

    @Test func `are failed by a client that sends nothing, unless it is to be silent`() async throws {
        let files = Self.files(of: Set(Self.stories.filter(\.isSilent).map(\.id)))
        let played = Self.stories.filter { story in files.contains { $0.hasSuffix("/\(FilePath.name(of: story.file))") }
        }
        let outcome = try await Outcome(["true"], files: files)
        #expect(outcome.status == 1)
        #expect(Set(outcome.open.keys) == Set(played.filter { !$0.isSilent }.map(\.id)))
        #expect(Set(outcome.passed) == Set(played.filter(\.isSilent).map(\.id)))
        for (story, words) in outcome.open { #expect(words.contains("the client sent nothing"), "\(story): \(words)") }
    }
}
