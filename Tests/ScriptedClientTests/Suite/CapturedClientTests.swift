import Basics
import Checking
import Foundation
import JSON
import Rules
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// Every scripted client once more, judged by what a capture of its traffic shows and by nothing else.
///
/// A capture knows less than a journal: what it leaves open has to be named, and nothing may be made up.
@Suite struct `A captured client` {
    @Test func `breaks the rules that it broke when it was played, in nearly all plays`() async throws {
        let judged = try await withThrowingTaskGroup { group in
            for play in Self.sample(every: 4) { group.addTask { (play, try play.comparison()) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        var (total, unequal) = (0, [String]())
        for case (let play, let (played, comparison)?) in judged {
            total += 1
            switch comparison {
            case .nothingToJudge(let reason):
                #expect(played.isEmpty, "\(play.testDescription): \(reason)")
            case .judged(let found, let open, let excused):
                let blamed = found.subtracting(excused)
                #expect(blamed.isSubset(of: played), "\(play.testDescription) is blamed for what it did not do")
                #expect(
                    played.subtracting(found).isSubset(of: open),
                    "\(play.testDescription) is not blamed, and that is not said to be open: \(open)"
                )
                if blamed != played {
                    unequal.append("\(play.testDescription): \(played.sorted()), captured \(found.sorted())")
                }
            }
        }
        #expect(unequal.count * 100 <= total * 5, "\(unequal.count) of \(total): \(unequal.joined(separator: "; "))")
    }

    /// One play of so many, or all of them with `BACKLOT_SCHEDULES`.
    private static func sample(every step: Int) -> [ScriptedPlay] {
        ScriptedPlay.all(in: .shared).enumerated().filter { Breadth.factor > 1 || $0.offset % step == 0 }.map(\.element)
    }

    @Test(arguments: sample(every: 16))
    func `becomes a backend that can be served, without a token of the capture`(_ play: ScriptedPlay) throws {
        guard let text = try play.capture() else { return }
        var options = CapturedSession.Options()
        options.requiresTokens = false
        let capture = try Capture(har: Array(text.utf8), file: "capture.har")
        guard !capture.entries.isEmpty else { return }
        let backend = try BackendDraft(try CapturedSession(capture, options), named: "Captured", schemaPath: nil)
        let tokens = Set(text.matches(of: /recorded\.[A-Za-z0-9_-]*\.[0-9a-f]{16}/).map { String($0.0) })
        var files: [String: [UInt8]] = [:]
        for file in backend.files {
            files["/p/app/\(file.path)"] = file.bytes
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(!tokens.contains { text.contains($0) }, "a token is in \(file.path)")
        }
        let memory = MemoryFiles(files)
        let loader = ScenarioLoader(files: memory, project: try #require(ProjectRoot("/p", files: memory)))
        for name in ["backend.json", "captured-session.json"] {
            do {
                _ = try loader.load("/p/app/\(name)")
            } catch {
                Issue.record("\(name): \(error.findings)")
            }
        }
    }
}

enum CapturedComparison {
    case nothingToJudge(String)
    /// The rules that were broken, those that are open, and those that the story excuses.
    case judged(Set<String>, open: Set<String>, excused: Set<String>)
}

extension ScriptedPlay {
    /// What a proxy would have written of it; `nil` for a script without a story.
    func capture() throws -> String? {
        guard case .success(let (script, block)) = content, let story = ScriptCache.shared.story(story),
            let run = try ScriptCache.shared.runs.runs(of: story.heading.file).run(of: variant)
        else { return nil }
        var player = ScriptPlayer(script, on: run)
        player.play(block)
        let recording = Recording(player.session, file: "story.json", in: run.loaded.sources, at: player.wire.now)
        return recording.har(version: "test").text(.compact)
    }

    /// The rules that were broken when it was played, and what a capture of it shows; `nil` for a script without a story.
    func comparison() throws -> (played: Set<String>, CapturedComparison)? {
        guard case .success(let (script, block)) = content, let story = ScriptCache.shared.story(story),
            let run = try ScriptCache.shared.runs.runs(of: story.heading.file).run(of: variant)
        else { return nil }
        var player = ScriptPlayer(script, on: run)
        player.play(block)
        var recording = Recording(player.session, file: "story.json", in: run.loaded.sources, at: player.wire.now)
        // What a client tells about itself stands in no capture.
        recording.evidence.statements = []
        let verdict = Verdict(on: run.loaded.scenario, by: recording.evidence, in: run.loaded.sources)
        let played = verdict.broken
        let text = recording.har(version: "test").text(.compact)
        var options = CapturedSession.Options()
        options.hosts = ["backlot.test"]
        do {
            let session = try CapturedSession(try Capture(har: Array(text.utf8), file: "capture.har"), options)
            let excused = verdict.rules.filter { $0.status == .excused }.map(\.number)
            let judged = session.recording(title: "capture").verdict
            return (
                played, .judged(judged.broken, open: Set(session.undecided.keys.map(\.number)), excused: Set(excused))
            )
        } catch {
            return (played, .nothingToJudge(error.finding.message))
        }
    }
}

extension Verdict {
    /// The numbers of the rules that were broken.
    fileprivate var broken: Set<String> {
        Set(rules.filter { $0.status == .failed }.map(\.number))
    }
}
