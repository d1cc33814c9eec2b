import BacklotTesting
import EventLoops
import Foundation
import TestSupport
import Testing

/// The program of all tests; `nil` where they are a bundle.
private let program = Platform.executablePath.flatMap { $0.hasSuffix(".xctest") ? $0 : nil }

/// A client that crashes ends the test run, so the process prints what the client was doing.
///
/// The tests run themselves in another process. Swift Testing's own exit tests wait for any child that has ended, without a
/// pause, until their tasks continue: in a run of thousands of tests that takes a processor for minutes.
@Suite(.enabled(if: program != nil, "the tests are not a program"))
struct CrashTests {
    private static let variable = "BACKLOT_CRASHES_IN_TEST"

    private struct Crashing: Sendable {
        func list() -> [String] {
            let pets: [String] = []
            return [pets[0]]
        }
    }

    private static func client() -> ClientUnderTest<Crashing> {
        ClientUnderTest(
            "Crashing",
            contract: "Guide/Contracts/pets/openapi.json",
            stories: "Guide/Scenarios/pets"
        ) { _ in
            Crashing()
        } session: { _ in
            ObservedSession(tokens: [:])
        } calls: {
            Call("listPets") { $0.list() }
        } flows: {
            Flow("PET-01") { client, _ in _ = client.list() }
        }
    }

    /// Crashes where the process is started for it; elsewhere starts it, and returns what it prints to standard error.
    ///
    /// - Parameter filter: selects the calling test.
    private func errors(_ filter: String, in crash: () async throws -> Void) async throws -> String {
        var environment = ProcessInfo.processInfo.environment
        guard environment[Self.variable] == nil else {
            try await crash()
            return ""
        }
        (environment[Self.variable], environment["SWIFT_BACKTRACE"]) = ("1", "enable=no")
        let arguments = ["--testing-library", "swift-testing", "--filter", "CrashTests/.*\(filter)"]
        let end = try await SpawnedProgram(try #require(program), arguments, environment: environment).end()
        #expect(end.status > 128, "\(end)")
        return end.errors
    }

    @Test func `A crash during a call is reported with the operation and its line`() async throws {
        let text = try await errors("call") { _ = try await Self.client().testDocumentedResponses() }
        let report = "Backlot: the process has crashed during these calls:\n  listPets, CrashTests.swift:35\n"
        #expect(text.contains(report), "\(text)")
        #expect(text.contains("Index out of range"), "\(text)")
    }

    @Test func `A crash during a story is reported with the line of its flow`() async throws {
        let text = try await errors("story") { _ = try await Self.client().testStories("PET-01") }
        #expect(text.contains("during these calls:\n  the story PET-01, CrashTests.swift:37\n"), "\(text)")
    }
}
