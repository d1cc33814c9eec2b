import Basics
import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import StoryRunning
import TestSupport
import Testing

@testable import ReferenceClients

/// The reference clients explored: nothing here says when a token dies.
@Suite struct `Exploring the reference clients` {
    /// Bugs that no perturbation reaches: the first two need a server that contradicts itself or takes a minute to
    /// refresh, the third one that refuses to renew fresh tokens.
    private static let outOfReach: Set<ReferenceClients.Bug> = [
        .lifetimeFromAnswer, .laterOfExpiresInAndExp, .signedOutThoughFresh,
    ]

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ReferenceClients.Bug.allCases.filter { !outOfReach.contains($0) })
    func `finds each bug without a story for it`(_ bug: ReferenceClients.Bug) async throws {
        // Each design takes its turn; BACKLOT_SCHEDULES=5 takes them all.
        let all = ClientDesign.allCases
        let designs = Matrix.breadth > 1 ? all : [all[bug.rawValue % all.count]]
        for design in designs {
            let result = try await Day.explore(design, bug, on: bug)
            // What follows from another bug of the client is listed under that one.
            let found = result.found.filter { found in
                found.violation.number == bug.number
                    || found.violation.consequences.contains { $0.hasPrefix("follows from it: \(bug.number) ") }
            }
            #expect(!found.isEmpty, "\(bug) in \(design):\n\(result.lines().joined(separator: "\n"))")
            let first = try #require(found.first { $0.text != nil })
            #expect(first.isConfirmed, "\(bug) in \(design)")
            // A lead is too long for a lifetime, and a store cannot be read; nothing else shows these two.
            if bug == .refreshWithoutNeed { #expect(first.perturbation.kind == .lifetime) }
            if bug == .signedOutByUnreadableStore { #expect(first.perturbation.kind == .store) }
            let text = first.text ?? ""
            #expect(text.split(separator: "\n").count <= 12)
            // The story is the bug's: it fails with it, and passes without it; BACKLOT_SCHEDULES=100 tries 100 seeds.
            let story = try Day.story(first.name, text, on: bug)
            let seed = first.seed ?? 1
            for seed in seed..<(seed + UInt64(Matrix.breadth)) {
                let isShown = Day.rules(in: story, design, bug, on: bug, seed: seed).contains(bug.number)
                #expect(isShown, "\(bug) in \(design), seed \(seed):\n\(text)")
                #expect(Day.rules(in: story, design, nil, on: bug, seed: seed).isEmpty, "\(bug) in \(design), \(seed)")
            }
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `finds nothing in a client that does it right`(_ design: ClientDesign) async throws {
        let result = try await Day.explore(design, nil, on: nil)
        #expect(result.found.isEmpty, "\(result.lines().joined(separator: "\n"))")
        #expect(result.plays <= max(40, 6 * result.steps.count))
        #expect(result.runs.count { $0.outcome.word == "held" } > 40)
        // What its screen loads is sent at once, whichever comes first.
        #expect(result.runs.contains { $0.perturbation.detail == "in flight" })
        #expect(result.runs.contains { $0.perturbation.kind == .lateRefusal })
        // A store that is out of order has been reached.
        #expect(result.runs.count { $0.perturbation.kind == .store && $0.outcome.word == "held" } == 4)
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `finds nothing in an app and its extension that share a store`(_ design: ClientDesign) async throws {
        let result = try await Day.explore(design, nil, on: .winnerErased, runs: 8 * Int(Matrix.breadth))
        #expect(result.found.isEmpty, "\(result.lines().joined(separator: "\n"))")
        #expect(result.runs.contains { $0.outcome.refreshes == 1 })
    }
}

/// A day of a user, of which no story knows anything.
private enum Day {
    static let story = #"""
        {
          "extends": "backend.json", "id": "day", "title": "A day",
          "given": [{"signIn": "phone", "account": "ann", "ago": "5m"}],
          "origins": {"pictures": {"routes": {"GET /pictures/{id}": {"json": {}}}}},
          "expect": [{"request": "GET /me"}]
        }
        """#
    private static let morning: [BugCase.Action] = [
        .load(Backend.screen), .pass(.seconds(60)), .load([Backend.note]), .upload("/files/1", pieces: 3),
        .load([Request(origin: "pictures", http: .init(target: "/pictures/1"))]),
    ]
    /// Later than a client may wait after a refresh that failed.
    private static let noon: [BugCase.Action] = [.pass(.seconds(400)), .load(Backend.screen)]
    private static let evening: [BugCase.Action] = [
        .signOut, .signIn("bob"), .load([Backend.get("/me"), Backend.get("/notes")]),
    ]

    /// Most bugs show before noon; one that is about two users needs the evening, and one that does not try again a time
    /// after which it should.
    private static func actions(for bug: ReferenceClients.Bug?) -> [BugCase.Action] {
        switch bug {
        case nil, .tokenOfAnotherOwner: morning + evening
        case .refreshGivenUp: morning + noon
        default: morning
        }
    }

    /// Two bugs are about an app and its extension.
    private static func hasProcesses(_ bug: ReferenceClients.Bug?) -> Bool {
        bug == .refreshAcrossProcesses || bug == .winnerErased
    }

    private static func files(_ day: ReferenceClients.Bug?, _ more: [String: String] = [:]) -> MemoryFiles {
        let processes = #""processes": {"app": "start", "extension": "start"}, "expect""#
        let text = hasProcesses(day) ? story.replacing("\"expect\"", with: processes) : story
        return MemoryFiles(["backend.json": Backend.text, "day.json": text].merging(more) { $1 })
    }

    /// - Parameters:
    ///   - day: the bug whose day it is; `nil` for one of everything.
    ///   - runs: how many there are; the usual number when `nil`.
    @available(macOS 15, iOS 18, *)
    static func explore(
        _ design: ClientDesign,
        _ bug: ReferenceClients.Bug?,
        on day: ReferenceClients.Bug?,
        runs: Int? = nil
    ) async throws -> ExploreResult {
        do throws(ExploreProblem) {
            let base = try ExploreBase("/project/day.json", files: files(day))
            var exploration = Exploration(base) { story, seed throws(PlayProblem) in
                run(story, design, bug, on: day, seed: seed ?? 1)
            }
            exploration.abilities = [.order, .store]
            exploration.endsWith = bug?.number
            exploration.mostRuns = runs
            return try await exploration.run()
        } catch {
            throw BugCase.Unplayable(description: error.text)
        }
    }

    @available(macOS 15, iOS 18, *)
    private static func run(
        _ story: RunnableStory,
        _ design: ClientDesign,
        _ bug: ReferenceClients.Bug?,
        on day: ReferenceClients.Bug?,
        seed: UInt64
    ) -> ExploredRun {
        let scenario = story.loaded.scenario
        let actions = actions(for: day)
        let usual = VirtualTime(seconds: 1_772_355_600)
        let launches = scenario.timeline.compactMap { entry -> BugCase.Action? in
            guard case .launch(_, let fault) = entry.event.action else { return nil }
            return fault.map { .launchWith($0) } ?? .launch
        }
        let again = launches.flatMap { [$0] + actions }
        let bugCase = BugCase(
            bug: bug,
            title: "A day",
            story: "",
            actions: again.isEmpty ? actions : actions + [.pass(.seconds(600))] + again,
            clockError: usual - (scenario.clock.start ?? usual),
            processes: hasProcesses(day) ? ["app", "extension"] : [],
            tellsTime: day == .refreshGivenUp
        )
        let played = Play(loadedCase: .init(bugCase, in: story.loaded), design: design, bug: bug, seed: seed).perform()
        let recording = Recording(played.session, file: story.file, in: story.loaded.sources, at: played.now)
        let hung = Finding(.error, id: "client/hung", "the client had not ended")
        return ExploredRun(recording, clientFindings: played.outcomes == nil ? [hung] : [])
    }

    static func story(_ name: String, _ text: String, on day: ReferenceClients.Bug?) throws -> RunnableStory {
        let files = Self.files(day, ["\(name).json": text])
        let selection = StorySelection(["/project/\(name).json"], files: files)
        return try #require(selection.stories.first, "\(selection.problems)")
    }

    /// The numbers of the rules that a client violates in a story.
    @available(macOS 15, iOS 18, *)
    static func rules(
        in story: RunnableStory,
        _ design: ClientDesign,
        _ bug: ReferenceClients.Bug?,
        on day: ReferenceClients.Bug?,
        seed: UInt64
    ) -> [String] {
        run(story, design, bug, on: day, seed: seed).recording.verdict.rules.filter { $0.status == .failed }.map(
            \.number
        )
    }
}
