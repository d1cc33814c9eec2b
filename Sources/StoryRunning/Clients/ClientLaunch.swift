package import Basics
import EventLoops

/// One start of the client, from its beginning to its end, or to that of the last process of its group.
package struct ClientLaunch: Sendable, Hashable {
    package var end: ClientEnd
    /// Real time until the client itself had ended, or all that it was allowed.
    package var duration: Duration
    /// A Boolean value that indicates whether it was ended because it had taken too long.
    package var isOverdue: Bool
    /// A Boolean value that indicates whether it was ended because the whole run was.
    package var isInterrupted: Bool
    /// The processes that it has left running, by name as far as the system tells; `nil` for none.
    package var leftovers: [String]?
    /// What it wrote last on standard error; `nil` when it wrote nothing or too much to quote.
    package var lastWords: String?
    /// The process that it was, where several are started at once.
    package var process: String?
    /// A Boolean value that indicates whether the story ended it.
    package var isEndedByStory = false
    /// What was wrong with it, where the driver that started it knows better than its end tells.
    package var finding: Finding?

    /// A launch of a client in this process.
    ///
    /// - Parameter isOverdue: whether it was given up, so that there are no further launches.
    package init(
        _ end: ClientEnd,
        duration: Duration,
        isOverdue: Bool = false,
        isInterrupted: Bool = false,
        finding: Finding? = nil
    ) {
        self.end = end
        self.duration = duration
        self.isOverdue = isOverdue
        self.isInterrupted = isInterrupted
        self.finding = finding
    }

    /// The exit code for the verdict; a client that was ended at its time limit has that of SIGTERM, whatever it made of
    /// the signal.
    var exitCode: Int { isOverdue ? max(end.code, 128 + 15) : end.code }

    init(_ observation: ClientWatch.Observation, lastWords: String?, process: String?) {
        self.process = process
        end = observation.end
        duration = observation.duration
        isOverdue = observation.isOverdue
        isInterrupted = observation.isInterrupted
        leftovers = observation.leftovers
        self.lastWords = lastWords
    }

    /// The last line of a short file, such as the one reason that a program gives for doing nothing.
    static func lastLine(of path: String) -> String? {
        let files = DiskFiles()
        guard let size = files.stamp(of: path)?.size, size <= 4_096, let bytes = try? files.read(path) else {
            return nil
        }
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Waits for a client, and ends everything that is left of it.
struct ClientWatch: Sendable {
    /// How long a launch may take.
    var limit: Duration
    /// How long a process that was told to end may take to do so.
    var grace: Duration
    /// How long the children of a client that has ended may take to end as well.
    var settling: Duration
    /// A Boolean value that indicates whether the whole run is to end.
    var isInterrupted: @Sendable () -> Bool
    /// A Boolean value that indicates whether the run no longer waits for processes that were told to end.
    var endsAtOnce: @Sendable () -> Bool

    /// The result of a client that was waited for.
    struct Observation: Sendable, Hashable {
        var end: ClientEnd
        var duration: Duration
        var isOverdue = false
        var isInterrupted = false
        var leftovers: [String]?
    }

    func see(_ process: ClientProcess) async -> Observation {
        let start = ContinuousClock.now
        var isStopped = false
        var end = await poll(until: start + limit) { () -> ClientEnd? in
            isStopped = isInterrupted() || Task.isCancelled
            return isStopped ? .exited(0) : process.end()
        }
        if isStopped { end = nil }
        let isEndedByUs = end == nil
        if isEndedByUs { process.signal(.terminate) }
        let known = await self.end(of: process, unless: end)
        var observation = Observation(end: known, duration: ContinuousClock.now - start)
        observation.isInterrupted = isStopped
        observation.isOverdue = isEndedByUs && !isStopped
        // How long it then took to end is a wait here and not its work.
        if observation.isOverdue { observation.duration = limit }
        let leftovers = await self.leftovers(of: process, within: isEndedByUs ? grace : settling)
        if leftovers != nil { await clear(process) }
        observation.leftovers = isEndedByUs ? nil : leftovers
        return observation
    }

    /// Waits for a process that was told to end, and insists.
    private func end(of process: ClientProcess, unless known: ClientEnd?) async -> ClientEnd {
        if let known { return known }
        if let end = await poll(until: .now + grace, stopsEarly: true, process.end) { return end }
        process.signal(.kill)
        // No process survives this signal; but a process in a broken driver may need longer.
        return await poll(until: .now + .seconds(5), process.end) ?? .killed(signal: 9)
    }

    private func leftovers(of process: ClientProcess, within time: Duration) async -> [String]? {
        var leftovers: [String]?
        _ = await poll(until: .now + time, stopsEarly: true) {
            leftovers = process.leftovers
            return leftovers == nil ? true : nil
        }
        return leftovers
    }

    private func clear(_ process: ClientProcess) async {
        process.signal(.terminate)
        guard await leftovers(of: process, within: grace) != nil else { return }
        process.signal(.kill)
        // They are gone once the system has removed them.
        _ = await poll(until: .now + .seconds(1)) { process.leftovers == nil ? true : nil }
    }

    /// Asks again and again, less often as time goes by.
    ///
    /// - Parameter stopsEarly: whether it gives up where the run no longer waits.
    private func poll<Answer>(
        until deadline: ContinuousClock.Instant,
        stopsEarly: Bool = false,
        _ question: () -> Answer?
    ) async -> Answer? {
        var pause = Duration.milliseconds(1)
        while true {
            if let answer = question() { return answer }
            let left = deadline - .now
            guard left > .zero, !stopsEarly || !endsAtOnce() else { return nil }
            await rest(min(pause, left))
            pause = min(pause * 3 / 2, .milliseconds(20))
        }
    }

    /// Sleeps also where the task was cancelled: a client gets its time to end, and no loop spins meanwhile.
    private func rest(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}
