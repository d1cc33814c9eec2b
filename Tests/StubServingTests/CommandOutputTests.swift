import Foundation
import Testing

/// Where the command writes what it found, and what becomes of it when there is no room.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: SpawnedServer.executable != nil, "the command is not built beside the tests"),
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here")
)
struct CommandOutputTests {
    private func run(_ arguments: [String], input: String = "", output: FileHandle) throws -> Int32 {
        let process = Process()
        process.executableURL = SpawnedServer.executable
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        let pipe = Pipe()
        process.standardInput = pipe
        try process.run()
        pipe.fileHandleForWriting.write(Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let contract = #"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"components":{}}"#
        try Data(contract.utf8).write(to: folder.appending(path: "api.json"))
        try body(folder)
    }

    @Test func `A report that finds no room is not success`() throws {
        try withFolder { folder in
            // A link, so that a mistake of ours does not replace the device.
            let link = folder.appending(path: "report.json").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
            let contract = folder.appending(path: "api.json").path
            let output = FileHandle.nullDevice
            #expect(try run(["check", contract], output: output) == 0)
            #expect(try run(["check", contract, "--report", "json=\(link)"], output: output) == 2)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/full")
        }
    }

    @Test func `Answers that nobody takes are not success`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let test = #"{"id":1,"schema":true,"instance":1}"# + "\n"
        #expect(try run(["validate", "--batch"], input: test, output: FileHandle.nullDevice) == 0)
        #expect(try run(["validate", "--batch"], input: test, output: full) == 2)
    }
}
