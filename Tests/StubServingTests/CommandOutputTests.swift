import Foundation
import TestSupport
import Testing

/// Where the command writes what it found, and what becomes of it when there is no room.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"),
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here")
)
struct CommandOutputTests {
    @Test func `A report that finds no room is not success`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"components":{}}"#, to: "api.json")
        // A link, so that a mistake of ours does not replace the device.
        try folder.link("report.json", to: "/dev/full")
        let (contract, link) = (folder.path + "/api.json", folder.path + "/report.json")
        #expect(try await SpawnedCommand.run(["check", contract]).status == 0)
        #expect(try await SpawnedCommand.run(["check", contract, "--report", "json=\(link)"]).status == 2)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/full")
    }

    @Test func `Answers that nobody takes are not success`() async throws {
        let test = #"{"id":1,"schema":true,"instance":1}"# + "\n"
        let batch = ["validate", "--batch"]
        #expect(try await SpawnedCommand.run(batch, input: test).status == 0)
        #expect(try await SpawnedCommand.run(batch, input: test, output: "/dev/full").status == 2)
    }
}
