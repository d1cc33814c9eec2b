import Foundation

/// A program that runs during the measurement until it is stopped, or dropped.
///
/// A class, because it is one running process.
final class ChildProcess {
    private let process = Process()
    private let output = Pipe()

    /// - Parameters:
    ///   - readsOutput: whether standard output is read; it goes nowhere otherwise.
    ///   - errors: the file that standard error is written to; nowhere when `nil`.
    ///   - environment: what is added to this process's own.
    init(
        _ program: String,
        _ arguments: [String],
        readsOutput: Bool = false,
        errors: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = try errors.map(Self.file) ?? FileHandle.nullDevice
        process.standardOutput = readsOutput ? output : FileHandle.nullDevice
        try process.run()
    }

    private static func file(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw Obstacle("\(path) cannot be written")
        }
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    deinit {
        stop()
    }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    /// The exit status, or the number of the signal, of a process that has ended.
    var exitStatus: Int32 { process.terminationStatus }

    /// Waits for the first line of standard output.
    func firstLine() throws -> String {
        var text = Data()
        while !text.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw Obstacle("\(process.executableURL?.lastPathComponent ?? "") ended before it was ready")
            }
            text += more
        }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Everything on standard output, as soon as the program has closed it; Foundation notices its end some time later.
    func outputToEnd() -> String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Everything on standard output, once the program has ended.
    func wholeOutput() -> String {
        defer { process.waitUntilExit() }
        return outputToEnd()
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// Where a program lies, if it is installed.
    static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let usual = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"]
        let folders = path.split(separator: ":").map(String.init) + usual
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
