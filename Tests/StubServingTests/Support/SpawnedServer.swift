import Foundation
import Testing

/// The built command, serving in a process of its own.
struct SpawnedServer {
    let port: UInt16
    private let process: Process

    /// Beside the test bundle, where the build puts it; `nil` when it is not there.
    static var executable: URL? {
        var folder = Bundle.main.executableURL?.deletingLastPathComponent()
        // On Linux the tests are an executable; on macOS they are a bundle that some helper opens.
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        let file = folder?.appending(path: "backlot")
        return file.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
    }

    /// Starts the command, and returns when it has said where it listens.
    init(_ executable: URL, _ arguments: [String]) throws {
        process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        port = try #require(text.split(separator: ":").last.flatMap { UInt16($0.dropLast()) }, "\(text)")
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}
