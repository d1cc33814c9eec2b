import EventLoops
import Foundation

/// A program in a process of its own, whose streams are files; it is ended with the last reference to it.
///
/// Files and not pipes, for then nobody waits for a reader and nobody is killed by SIGPIPE. And not Foundation's
/// `Process`: on Linux it reads past the end of a buffer where more than some 1,300 descriptors are open here.
///
/// A class, because it is one running process.
package final class SpawnedProgram: Sendable {
    private let life: ProcessLife
    private let folder: TemporaryFolder

    /// What came of it.
    package struct End: Sendable, Equatable {
        /// The exit code, or 128 and the number of the signal that killed it.
        package var status: Int32
        package var output: String
        package var errors: String
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - input: what it reads.
    ///   - output: a file or a device to write to; without it, output is kept for ``end()``.
    ///   - joinsErrors: whether errors are part of the output, in the order in which both are written.
    ///   - environment: all of its variables; `nil` for those of our own process.
    ///   - workingFolder: `nil` for our own.
    package init(
        _ path: String,
        _ arguments: [String],
        input: String = "",
        output: String? = nil,
        joinsErrors: Bool = false,
        environment: [String: String]? = nil,
        in workingFolder: String? = nil
    ) throws {
        folder = try TemporaryFolder()
        try folder.write(input, to: "input")
        let outputFile = try Platform.openFile(output ?? folder.path + "/output", for: .writing)
        let errorsFile = try joinsErrors ? outputFile : Platform.openFile(folder.path + "/errors", for: .writing)
        life = try ProcessLife(
            ProgramStart(
                [path] + arguments,
                environment: environment?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
                folder: workingFolder,
                input: Platform.openFile(folder.path + "/input", for: .reading),
                output: outputFile,
                errors: errorsFile
            )
        )
    }

    deinit {
        life.signal(.kill)
    }

    package var isRunning: Bool { life.isRunning }

    package func interrupt() { life.signal(.interrupt) }

    package func terminate() { life.signal(.terminate) }

    /// Waits for the end, without a thread that other tests need; a test that is cancelled kills the program.
    package func end() async -> End {
        let status: Int32 =
            switch await life.end() {
            case .exited(let code): Int32(code)
            case .killed(let signal): 128 + Int32(signal)
            case .unknown: -1
            }
        return End(status: status, output: text(of: "output"), errors: text(of: "errors"))
    }

    /// Waits until something is so, or the program has ended.
    package func wait(until condition: () -> Bool) async {
        // Another process decides when it is so; there is nothing of ours to wait on.
        while isRunning, !Task.isCancelled, !condition() { try? await Task.sleep(for: .milliseconds(2)) }
    }

    /// The first line of its output, as soon as there is one; what it wrote instead, when it has ended without.
    package func firstLine() async -> String {
        await wait { text(of: "output").utf8.contains(UInt8(ascii: "\n")) }
        return text(of: "output").split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    }

    private func text(of name: String) -> String {
        let bytes = FileManager.default.contents(atPath: "\(folder.path)/\(name)")
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}
