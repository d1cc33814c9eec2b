import ProjectFiles

/// The threads of this process that run at a moment, or would if it were their turn.
///
/// On a busy machine a client may be kept from its work for longer than anybody wants to wait, and so looks like one that
/// has nothing to do.
struct ThreadGlance: Sendable {
    /// How long each has been on a processor so far, as the system writes it, by the thread's number.
    private var times: [String: [UInt8]] = [:]

    /// Looks at them; `nil` where the system does not say.
    static func now() -> ThreadGlance? {
        #if os(Linux)
            let files = DiskFiles()
            var glance = ThreadGlance()
            for thread in files.entries(of: "/proc/self/task") {
                let folder = "/proc/self/task/\(thread)"
                guard let bytes = try? files.read("\(folder)/stat") else { continue }
                // 4242 (name) S …: a name may contain anything, so the last bracket counts.
                guard let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count else { continue }
                guard bytes[end + 2] == UInt8(ascii: "R") else { continue }
                // 123456 789 12: on a processor and in the queue for one, in nanoseconds, and how often.
                let times = (try? files.read("\(folder)/schedstat")) ?? []
                glance.times[thread] = Array(times.prefix { $0 != UInt8(ascii: " ") })
            }
            return glance
        #else
            return nil
        #endif
    }

    /// Whether there are others than the one that looks.
    var showsOthers: Bool { times.count > 1 }

    /// Whether a thread that wanted to work then has had no opportunity until now.
    func showsStarvation(since earlier: ThreadGlance) -> Bool {
        times.contains { thread, time in !time.isEmpty && earlier.times[thread] == time }
    }
}
