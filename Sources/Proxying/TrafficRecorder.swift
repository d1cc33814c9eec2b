import Basics
package import Checking
import EventLoops
import HTTPCodec
import JSON
package import ScenarioFormat

/// Keeps the exchanges with an upstream in memory, and writes a backend of them, without their secrets, while they are
/// added.
///
/// The folder contains a complete backend at every moment. Writing takes a fifth of the time at most, so that a long
/// recording is written less often. A class, because all loops add to it.
package final class TrafficRecorder: Sendable {
    private struct State {
        var capture = Capture(file: "recording")
        var bytes = 0
        /// The number of exchanges that the last write has read.
        var readCount = 0
        var isWriting = false
        var isClosed = false
    }

    /// The folder of the recording.
    private struct Target {
        let folder: DraftFolder
        let name: String
        let options: CapturedSession.Options
        /// The files of the recording to whose routes others are added.
        let earlier: [BackendDraft.File]
        /// The files that the folder has.
        var current: [BackendDraft.File]
    }

    private let state = Lock(State())
    private let target: Lock<Target>?

    /// The most bytes that are kept: 256 MB.
    ///
    /// Later exchanges are counted as lost.
    private static let mostBytes = 256 << 20

    /// Keeps the exchanges in memory only.
    package init() { target = nil }

    /// - Parameters:
    ///   - name: The name of the backend.
    ///   - kinds: The kinds of token that the names in messages do not show.
    ///   - addsTo: Whether the folder has a recording that gets the routes and requests that it lacks.
    package init(
        to folder: DraftFolder,
        named name: String,
        kinds: [CapturedTokens.DeclaredKind] = [],
        addsTo: Bool = false
    ) throws(DraftFolder.Problem) {
        var options = CapturedSession.Options()
        (options.kinds, options.requiresTokens) = (kinds, false)
        let earlier = addsTo ? try folder.drafted() : []
        var current = earlier
        if !addsTo {
            let empty: DraftScenario = [
                .schema: .string(folder.schemaPath), .backend: .string(DraftText.literal(name)), .routes: [:],
            ]
            current = BackendDraft([BackendDraft.Document(empty)], layout: .lines).files
            _ = try folder.write(current)
        }
        target = Lock(Target(folder: folder, name: name, options: options, earlier: earlier, current: current))
    }

    /// The exchanges so far.
    package var capture: Capture { state.withLock { $0.capture } }

    /// Keeps an exchange, and lets the folder be written soon.
    func add(_ entry: Capture.Entry) {
        keep(entry)
        let begins = state.withLock { state in
            guard target != nil, !state.isWriting, !state.isClosed else { return false }
            state.isWriting = true
            return true
        }
        if begins { writeInBackground() }
    }

    func keep(_ entry: Capture.Entry) {
        state.withLock { state in
            let size = entry.request.body.count + (entry.response?.body.count ?? 0) + 2_000
            guard state.bytes + size <= Self.mostBytes else {
                state.capture.lost += 1
                return
            }
            state.bytes += size
            state.capture.entries.append(entry)
        }
    }

    // MARK: Writing

    private func writeInBackground() {
        do {
            try LoopThread.start { [self] in
                let begin = ContinuousClock.now
                // A later write tries again, and the last one reports the problem.
                _ = try? write()
                let pause = begin.duration(to: .now) * 4
                Task {
                    try? await Task.sleep(for: pause)
                    continueWriting()
                }
            }
        } catch {
            state.withLock { $0.isWriting = false }
        }
    }

    private func continueWriting() {
        let hasMore = state.withLock { state in
            state.isWriting = !state.isClosed && state.readCount < state.capture.entries.count
            return state.isWriting
        }
        if hasMore { writeInBackground() }
    }

    /// Writes what was not written yet, for the last time.
    ///
    /// - Returns: the backend, with notes about what was left out; `nil` if no exchange can be shown.
    package func finish() throws(DraftFolder.Problem) -> BackendDraft? {
        state.withLock { $0.isClosed = true }
        return try write()
    }

    /// Writes the backend of the exchanges so far.
    ///
    /// - Parameter step: Called before each change on disk.
    func write(step: () throws(DraftFolder.Problem) -> Void = {}) throws(DraftFolder.Problem) -> BackendDraft? {
        guard let target else { return nil }
        let result = target.withLock { target -> Result<BackendDraft?, DraftFolder.Problem> in
            let capture = state.withLock { state in
                state.readCount = state.capture.entries.count
                return state.capture
            }
            guard
                let session = try? CapturedSession(capture, target.options),
                let draft = try? BackendDraft(
                    session,
                    named: target.name,
                    schemaPath: target.folder.schemaPath,
                    isExact: true,
                    addingTo: target.earlier
                )
            else { return .success(nil) }
            do throws(DraftFolder.Problem) {
                try target.folder.update(draft.files, after: target.current, step: step)
                target.current = draft.files
                return .success(draft)
            } catch {
                // Some of the files are there, and the next write does not rely on them.
                target.current = []
                return .failure(error)
            }
        }
        return try result.get()
    }
}
