import Basics
import ClientTesting
import StoryRunning
import TestSupport
import Testing

extension Clients {
    /// Every bug of RunwithU's app is found by the check that is there for it, and a client without it passes.
    @Suite
    struct `RunwithU's twin` {
        /// A story that a bug fails, and the check that finds it.
        struct Row: Sendable, CustomTestStringConvertible {
            var bug: RunwithUBug
            var story: String
            var id: String

            init(_ bug: RunwithUBug, _ story: String, _ id: String) {
                (self.bug, self.story, self.id) = (bug, story, id)
            }

            var testDescription: String { "\(bug.testDescription) in \(story)" }
        }

        private static let rows = [
            Row(.b1, "W1", "B2 refresh-storm"),
            Row(.b2, "W4", "B21 account-switched-without-user"),
            Row(.b2, "W5", "B21 account-switched-without-user"),
            Row(.b3, "W6", "expect/count"),
            Row(.b3, "W7", "B3 refresh-loop"),
            Row(.b4, "W3", "B1 no-refresh-after-401"),
            Row(.b5, "W21", "expect/count"),
            Row(.b6, "W2", "B23 logout-though-fresh"),
            Row(.b7, "W10", "expect/client"),
            Row(.b8, "W20", "expect/count"),
            Row(.e1, "W8", "expect/count"),
            Row(.e2, "W16", "expect/count"),
            Row(.e3, "W12", "expect/count"),
            Row(.e4, "W9", "expect/count"),
            Row(.e5, "W11", "expect/count"),
            Row(.e6, "W13", "expect/count"),
            Row(.e7, "W15", "expect/count"),
            Row(.e10, "W14", "expect/count"),
            Row(.e11, "W19", "expect/client"),
            Row(.e15, "W18", "expect/count"),
            Row(.p20, "W17", "expect/count"),
            Row(.validatesAnything, "W22", "expect/count"),
            Row(.validatesAnything, "W22/no-number", "expect/count"),
            Row(.showsPast, "W23", "expect/count"),
            Row(.endsTaps, "W24", "expect/count"),
            Row(.endsTaps, "W24/taken", "expect/count"),
            Row(.fearsFollowed, "W25", "expect/count"),
            Row(.keepsTokens, "W20/opened-again", "expect/count"),
        ]

        /// All stories, each played by a twin with that story's bug.
        private static let played = Task {
            let bugs = Dictionary(uniqueKeysWithValues: rows.map { ($0.story, [$0.bug] as Set) })
            return await PlayedStories.outcome(of: RunwithUTwinAdapter(storyBugs: bugs), only: [])
        }

        /// The findings of a matrix with the twin, each with its operation and answer.
        private func responses(_ operations: [String], _ bugs: Set<RunwithUBug>) async throws -> Set<String> {
            let result = try await RunwithUTwinAdapter(bugs: bugs).responses(
                ResponseCheckOptions(operations: operations)
            )
            return Set(
                result.cells.flatMap { cell in cell.findings.map { "\($0.id) \(cell.operation) \(cell.answer)" } }
            )
        }

        @Test func `plays every story well without a bug`() async {
            let outcome = await PlayedStories.outcome(of: RunwithUTwinAdapter(), only: [])
            #expect(outcome.isPassed, "\(outcome.text)")
        }

        @Test(arguments: rows)
        func `fails a story with its bug, for the reason that the bug is one`(row: Row) async throws {
            let outcome = await Self.played.value
            try #require(outcome.problems.isEmpty && outcome.summary.problem == nil, "\(outcome.text)")
            let result = try #require(outcome.summary.results.first { $0.story.id == row.story })
            let found = result.checks.filter(\.isOpen).map(\.id)
            #expect(found.contains(row.id), "\(found)")
        }

        /// Bugs that one response shows.
        @Test(arguments: [
            (RunwithUBug.b3, "getMyProfile", "responses/wrong-operation getMyProfile 419"),
            (.b4, "getMyProfile", "responses/not-replayed getMyProfile 419 once"),
            (.b7, "logIn", "responses/wrong-success logIn 401"),
            (.e1, "validateEmail", "responses/wrong-success validateEmail 429"),
            (.e1, "validateEmail", "responses/wrong-success validateEmail 420"),
            (.e1, "validateEmail", "responses/wrong-success validateEmail 500"),
        ])
        func `has a finding in its matrix with a bug`(
            bug: RunwithUBug,
            operation: String,
            finding: String
        ) async throws {
            let found = try await responses([operation], [bug])
            #expect(found.contains(finding), "\(found.sorted())")
        }

        @Test func `has no finding in its matrix without a bug`() async throws {
            let operations = Breadth.factor > 1 ? [] : ["getMyProfile", "logIn", "validateEmail"]
            #expect(try await responses(operations, []).sorted() == [])
        }

        /// Bugs that only some values show.
        @Test(arguments: [
            (RunwithUBug.e2, "getPosts", "variants/refused-variant"),
            (.e2, "getPost", "variants/refused-variant"),
            (.e12, "getPost", "variants/changed-value"),
            (.e13, "getPost", "variants/changed-value"),
        ])
        func `has a finding with response variants with a bug`(bug: RunwithUBug, operation: String, id: String)
            async throws
        {
            let options = VariantCheckOptions(operations: [operation])
            let result = try await RunwithUTwinAdapter(bugs: [bug]).variants(options)
            #expect(Set(result.findings.map(\.id)) == [id], "\(result)")
        }

        @Test func `has no finding with response variants without a bug`() async throws {
            let options = VariantCheckOptions(operations: ["getPost", "getPosts", "getMyProfile"])
            let result = try await RunwithUTwinAdapter().variants(options)
            #expect(result.findings == [], "\(result)")
        }
    }
}
