import Foundation

/// A program that ran to its end.
package struct FinishedProgram: Equatable {
    /// What it wrote, errors included, in the order in which it arrived.
    package var output: String
    package var status: Int32

    package init(output: String, status: Int32) {
        self.output = output
        self.status = status
    }

    /// Runs a program without input and waits for its end.
    package init(running executable: String, _ arguments: [String]) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        self.init(output: String(decoding: output, as: UTF8.self), status: process.terminationStatus)
    }
}
