import Basics
import ClientTesting
import OpenAPI
import Rules
import StoryRunning
import TestSupport
import Testing

extension Clients {
    @Suite struct `A client of Smeem in the matrix` {
        @Test func `does well without a bug`() async throws {
            let operations = Breadth.factor > 1 ? [] : Array(Set(Self.cases.map(\.operation))).sorted()
            let result = try await SmeemTwinAdapter().responses(ResponseCheckOptions(operations: operations))
            #expect(result.findings == [], "\(result)")
        }

        private static let cases: [(bug: SmeemBug, operation: String, id: String)] = [
            (SmeemBug.b1, "refresh", "responses/tokens-changed"), (.b2, "getMySummary", "responses/not-replayed"),
            (.b7, "testAlarm", "responses/refused-response"), (.b13, "signOut", "responses/not-replayed"),
            (.m3, "getMyPlan", "responses/refused-response"), (.m5, "getMe", "responses/refused-response"),
            (.m6, "getMe", "responses/refused-response"), (.m8, "changeDiary", "responses/refused-response"),
            (.m9, "deleteDiary", "responses/refused-response"), (.m9, "signOut", "responses/refused-response"),
            (.m9, "withdraw", "responses/refused-response"), (.m14, "changeMyPlan", "responses/request"),
            (.m17, "getGoal", "responses/refused-response"),
            (.m18, "visit", "responses/not-replayed"), (.m21, "getGoals", "responses/refused-response"),
        ]

        @Test(arguments: cases)
        func `is found out by its bug`(bug: SmeemBug, operation: String, id: String) async throws {
            let result = try await run([bug], operation)
            #expect(result.findings.contains { $0.id == id }, "smeem/\(bug.rawValue.uppercased()): \(result)")
        }

        @Test func `is found out by what it never tells of`() async throws {
            // Every success but this is one that it can decode.
            let result = try await run([.b5, .m8], "changeDiary")
            #expect(result.findings.contains { $0.id == "responses/hang" }, "smeem/B5: \(result)")
        }

        private func run(_ bugs: Set<SmeemBug>, _ operation: String) async throws -> ResponseCheckResult {
            try await SmeemTwinAdapter(bugs: bugs).responses(ResponseCheckOptions(operations: [operation]))
        }
    }
}

extension Clients {
    @Suite struct `A client of Smeem with response variants` {
        @Test func `does well without a bug`() async throws {
            let operations = Breadth.factor > 1 ? [] : Array(Set(Self.cases.map(\.operation))).sorted()
            let result = try await SmeemTwinAdapter().variants(VariantCheckOptions(operations: operations))
            #expect(result.findings == [], "\(result)")
        }

        private static let cases: [(bug: SmeemBug, operation: String, id: String)] = [
            (SmeemBug.m3, "getMyPlan", "variants/refused-variant"), (.m5, "getMe", "variants/refused-variant"),
            (.m6, "getMe", "variants/refused-variant"), (.m8, "changeDiary", "variants/refused-variant"),
            (.m16, "getDiaries", "variants/changed-value"),
            (.m17, "getGoal", "variants/refused-variant"), (.m21, "getGoals", "variants/refused-variant"),
        ]

        @Test(arguments: cases)
        func `is found out by its bug`(bug: SmeemBug, operation: String, id: String) async throws {
            let result = try await SmeemTwinAdapter(bugs: [bug]).variants(VariantCheckOptions(operations: [operation]))
            #expect(result.findings.contains { $0.id == id }, "smeem/\(bug.rawValue.uppercased()): \(result)")
        }
    }
}

extension Clients {
    @Suite struct `A client of Smeem in stories` {
        private func play(_ bugs: Set<SmeemBug>, _ story: String? = nil) async -> FlowRun.Outcome {
            var run = FlowRun()
            if let story { run.only = [story] }
            return await PlayedStories.play(SmeemTwinAdapter(bugs: bugs), in: run)
        }

        @Test func `passes without a bug`() async {
            let outcome = await play([])
            #expect(outcome.isPassed, "\(outcome.text)")
        }

        @Test(
            arguments: [
                (SmeemBug.b1, "SM-02", "B20"), (.b1, "SM-01/soon-again", "B20"), (.b2, "SM-04", "B1"),
                (.b2, "SM-05", "B1"),
                (.b3, "SM-03", "expect"), (.b4, "SM-07", "expect"), (.b4, "SM-08", "expect"), (.b5, "SM-13", "expect"),
                (.b5, "SM-13/web-page", "expect"), (.b6, "SM-11/not-owner", "expect"), (.m15, "SM-01", "expect"),
                (.b9, "SM-17/two-digits", "expect"), (.b9, "SM-17", "expect"), (.m2, "SM-09", "expect"),
                (.m3, "SM-10", "expect"), (.m5, "SM-16/no-goal", "expect"), (.m6, "SM-16", "expect"),
                (.m7, "SM-16", "expect"), (.m8, "SM-11", "expect"), (.m9, "SM-12", "expect"),
                (.m9, "SM-12/signed-out", "expect"), (.m11, "SM-18", "expect"), (.m12, "SM-14", "expect"),
                (.m13, "SM-15", "expect"), (.sm20, "SM-20", "expect"), (.sm20, "SM-20/no-lock", "expect"),
            ]
        )
        func `is found out by its bug`(bug: SmeemBug, story: String, rule: String) async {
            let outcome = await play([bug], story)
            #expect(outcome.problems.isEmpty, "\(outcome.text)")
            let broken = outcome.summary.results.flatMap(\.checks).filter { $0.status == .failed }.map(\.id)
            #expect(
                broken.contains { $0.hasPrefix(rule) },
                "smeem/\(bug.rawValue.uppercased()) breaks \(broken)\n\(outcome.text)"
            )
        }
    }
}
