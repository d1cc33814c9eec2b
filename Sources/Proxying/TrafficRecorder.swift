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
        /// A Boolean value that indicates whether the last write failed, which was reported.
        var hasFailed = false
    }

    /// The folder of the recording.
    private struct Target {
        let folder: DraftFolder
        let name: String
        let version: String
        let options: CapturedSession.Options
        /// The files of the recording to whose routes others are added.
        let earlier: [BackendDraft.File]
        /// The files that the folder has; those without bytes may have others.
        var current: [BackendDraft.File]
        var lock: FolderLock?
    }

    private let state = Lock(State())
    private let target: Lock<Target>?
    private let report: @Sendable (String) -> Void

    /// The most bytes that are kept, 256 MB; later exchanges are counted as lost.
    private static let mostBytes = 256 << 20

    /// Keeps the exchanges in memory only.
    package init() { (target, report) = (nil, { _ in }) }

    /// - Parameters:
    ///   - name: The name of the backend.
    ///   - version: The version of the program, which the archive names.
    ///   - kinds: The kinds of token that the names in messages do not show.
    ///   - addsTo: Whether the folder has a recording that gets the routes and requests that it lacks.
    ///   - report: Called with a sentence when a write fails that is not the last one.
    package init(
        to folder: DraftFolder,
        named name: String,
        version: String = "",
        kinds: [CapturedTokens.DeclaredKind] = [],
        addsTo: Bool = false,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DraftFolder.Problem) {
        let lock = try folder.claim(isContinued: addsTo)
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
        target = Lock(
            Target(
                folder: folder,
                name: name,
                version: version,
                options: options,
                earlier: earlier,
                current: current,
                lock: lock
            )
        )
        self.report = report
    }

    /// The exchanges so far.
    package var capture: Capture { state.withLock { $0.capture } }

    /// Keeps an exchange, and lets the folder be written soon.
    ///
    /// - Parameter secrets: Texts that no file may contain.
    func add(_ entry: Capture.Entry, hiding secrets: [String]) {
        keep(entry, hiding: secrets)
        writeInBackground()
    }

    /// Keeps an exchange, but no preflight: a scenario with the rule for pages of other origins responds to all of them.
    func keep(_ entry: Capture.Entry, hiding secrets: [String] = []) {
        guard !entry.isPreflight else { return }
        state.withLock { state in
            let size = entry.request.body.count + (entry.response?.body.count ?? 0) + 2_000
            guard state.bytes + size <= Self.mostBytes else { return state.capture.lost += 1 }
            for secret in secrets where state.capture.secrets.insert(secret).inserted {
                state.bytes += secret.utf8.count
            }
            state.bytes += size
            state.capture.entries.append(entry)
        }
    }

    // MARK: Writing

    /// Writes the new exchanges on another thread, unless that is under way.
    private func writeInBackground() {
        let begins = state.withLock { state in
            let hasMore = state.readCount < state.capture.entries.count
            guard target != nil, hasMore, !state.isWriting, !state.isClosed else { return false }
            state.isWriting = true
            return true
        }
        guard begins else { return }
        do {
            try LoopThread.start { [self] in
                let begin = ContinuousClock.now
                do throws(DraftFolder.Problem) {
                    _ = try write()
                    state.withLock { $0.hasFailed = false }
                } catch {
                    let isKnown = state.withLock { state in
                        defer { state.hasFailed = true }
                        return state.hasFailed
                    }
                    if !isKnown { report("the recording is not complete: \(error.sentence); the next request retries") }
                }
                let pause = begin.duration(to: .now) * 4
                Task {
                    try? await Task.sleep(for: pause)
                    state.withLock { $0.isWriting = false }
                    writeInBackground()
                }
            }
        } catch {
            state.withLock { $0.isWriting = false }
        }
    }

    /// Writes what was not written yet, for the last time.
    ///
    /// - Returns: the backend, with notes about what was left out; `nil` without an exchange.
    package func finish() throws(DraftFolder.Problem) -> BackendDraft? {
        state.withLock { $0.isClosed = true }
        defer { target?.withLock { $0.lock = nil } }
        return try write()
    }

    /// Writes the backend of the exchanges so far.
    ///
    /// - Parameter step: Called before each change on disk.
    func write(step: () throws(DraftFolder.Problem) -> Void = {}) throws(DraftFolder.Problem) -> BackendDraft? {
        guard let target else { return nil }
        return try target.withLock { target throws(DraftFolder.Problem) -> BackendDraft? in
            let capture = state.withLock { state in
                state.readCount = state.capture.entries.count
                return state.capture
            }
            guard !capture.entries.isEmpty else { return nil }
            let draft: BackendDraft
            do throws(CaptureProblem) {
                draft = try BackendDraft(
                    CapturedSession(capture, target.options),
                    named: target.name,
                    schemaPath: target.folder.schemaPath,
                    isExact: true,
                    addingTo: target.earlier,
                    archiveVersion: target.version
                )
            } catch {
                throw DraftFolder.Problem(sentence: error.finding.message)
            }
            do throws(DraftFolder.Problem) {
                try target.folder.update(draft.files, after: target.current, step: step)
                target.current = draft.files
                return draft
            } catch {
                // Some of the files are there, and the next write replaces or removes all of them.
                let known = Set(target.current.map(\.path))
                target.current += draft.files.filter { !known.contains($0.path) }
                for index in target.current.indices { target.current[index].bytes = [] }
                throw error
            }
        }
    }
}
