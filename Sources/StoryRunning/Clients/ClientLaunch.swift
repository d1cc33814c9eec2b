package import Basics
import EventLoops

/// One launch of the client, until it ends or the last process of its group does.
package struct ClientLaunch: Sendable, Hashable {
    package var end: ClientEnd
    /// Real time until the client itself had ended, or all that it was allowed.
    package var duration: Duration
    /// A Boolean value that indicates whether it was ended because it had taken too long.
    package var isOverdue: Bool
    /// The limit in bytes that its output exceeded, so that it was ended.
    package var exceededOutput: Int?
    /// A Boolean value that indicates whether it was ended because the whole run was.
    package var isInterrupted: Bool
    /// The processes that it has left running, by name as far as the system tells; `nil` for none.
    package var leftovers: [String]?
    /// The last lines that it wrote to standard error; `nil` if it wrote none, or more than can be quoted.
    package var lastWords: String?
    /// The process that it was, where several are started at once.
    package var process: String?
    /// A Boolean value that indicates whether the story ended it.
    package var isEndedByStory = false
    /// The fault of the launch, if the driver that started it knows more than its end shows.
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

    /// The exit code for the verdict; a client that was ended at its time limit has that of SIGTERM, however it handled
    /// the signal.
    var exitCode: Int { isOverdue || exceededOutput != nil ? max(end.code, 128 + 15) : end.code }

    init(_ observation: ClientWatch.Observation, lastWords: String?, process: String?) {
        self.process = process
        end = observation.end
        duration = observation.duration
        isOverdue = observation.isOverdue
        exceededOutput = observation.exceededOutput
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
    /// The time limit of a launch.
    var limit: Duration
    /// The maximum size of each of the two output files, in bytes.
    var mostOutput: Int
    /// The time that a process has to end after SIGTERM.
    var grace: Duration
    /// The time that the children of a client have to end after it.
    var settling: Duration
    /// A Boolean value that indicates whether the whole run is to end.
    var isInterrupted: @Sendable () -> Bool
    /// A Boolean value that indicates whether the run kills processes instead of waiting for SIGTERM.
    var endsAtOnce: @Sendable () -> Bool

    /// The result of a client that was waited for.
    struct Observation: Sendable, Hashable {
        var end: ClientEnd
        var duration: Duration
        var isOverdue = false
        var exceededOutput: Int?
        var isInterrupted = false
        var leftovers: [String]?
    }

    func see(_ process: ClientProcess, writingTo streams: ClientStreams) async -> Observation {
        let start = ContinuousClock.now
        var (isStopped, hasTooMuchOutput) = (false, false)
        var end = await poll(until: start + limit) { () -> ClientEnd? in
            isStopped = isInterrupted() || Task.isCancelled
            hasTooMuchOutput = streams.largest > mostOutput
            return isStopped || hasTooMuchOutput ? .exited(0) : process.end()
        }
        if isStopped || hasTooMuchOutput { end = nil }
        let isEndedByUs = end == nil
        if isEndedByUs { process.signal(.terminate) }
        let known = await self.end(of: process, unless: end)
        var observation = Observation(end: known, duration: ContinuousClock.now - start)
        observation.isInterrupted = isStopped
        observation.exceededOutput = hasTooMuchOutput && !isStopped ? mostOutput : nil
        observation.isOverdue = isEndedByUs && !isStopped && !hasTooMuchOutput
        // How long it then took to end is a wait here and not its work.
        if observation.isOverdue { observation.duration = limit }
        let leftovers = await self.leftovers(of: process, within: isEndedByUs ? grace : settling)
        if leftovers != nil { await clear(process) }
        observation.leftovers = isEndedByUs ? nil : leftovers
        return observation
    }

    /// Waits for a process to end after SIGTERM, and then kills it.
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

    /// Sleeps even if the task was cancelled: a client gets its time to end, and no loop spins.
    private func rest(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}
