import EventLoops
import Foundation
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// The same requests and clock commands get the same bytes, wherever and however often they are played.
@Suite(.timeLimit(.minutes(15)))
struct DeterminismTests {
    /// Plays the script on a server of its own.
    private func transcript(
        _ count: Int,
        _ kind: SelectorKind,
        loops: Int = 1,
        seed: UInt64? = nil
    ) async throws -> [String] {
        var transcript: [String] = []
        try await withStub(
            EverythingScenario.text,
            { ($0.selector, $0.loops, $0.seed, $0.logsExchanges) = (kind, loops, seed, false) }
        ) { stub in
            var script = try CompiledRoutes(port: stub.port, letsTimeRun: true) { await stub.pass($0) }
            try await script.play(count)
            transcript = script.transcript
        }
        return transcript
    }

    @Test func `Two servers answer a thousand requests byte for byte alike`() async throws {
        let first = try await transcript(1_000, .system, loops: 2)
        let second = try await transcript(1_000, .poll)
        #expect(first.count > 2_000)
        expectSame(first, second)
    }

    @Test func `Another seed gives other responses`() async throws {
        let first = try await transcript(100, .system)
        let second = try await transcript(100, .system, seed: 8)
        let differing = zip(first, second).count { $0 != $1 }
        #expect(differing > 20)
    }

    @Test func `The script meets every route`() async throws {
        let text = try await transcript(1_000, .system).joined(separator: "\n")
        let routes = try JSONParser().parse(Array(EverythingScenario.text.utf8)).root["routes"]?.object?.names ?? []
        #expect(routes.count > 25)
        for route in routes { #expect(text.contains(#""route":"\#(route)""#), "\(route)") }
    }

    /// Shows the first difference instead of two whole transcripts.
    private func expectSame(_ first: [String], _ second: [String]) {
        #expect(first.count == second.count)
        guard let index = zip(first, second).enumerated().first(where: { $1.0 != $1.1 })?.offset else { return }
        #expect(first[index] == second[index], "line \(index), after \(index > 0 ? first[index - 1] : "the start")")
    }

    // MARK: Processes

    @Test func `Two processes answer alike, too`() async throws {
        guard SpawnedCommand.executable != nil else {
            try Test.cancel("the command backlot was not built with the tests; build it with swift build")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = folder.appending(path: "everything.json")
        try EverythingScenario.text.write(to: scenario, atomically: true, encoding: .utf8)
        var transcripts: [[String]] = []
        for options in [["--loops", "1"], ["--loops", "3"], ["--seed", "8"]] {
            let server = try await SpawnedServer(["serve", scenario.path, "--port", "0", "--quiet"] + options)
            defer { server.end() }
            var script = try CompiledRoutes(port: server.port, letsTimeRun: false) { _ in }
            try await script.play(options == ["--seed", "8"] ? 100 : 1_000)
            transcripts.append(script.transcript)
        }
        expectSame(transcripts[0], transcripts[1])
        #expect(zip(transcripts[0], transcripts[2]).count { $0 != $1 } > 20)
    }
}
