import ProjectFiles

/// A look at the threads of this process, to tell whether anybody is at work.
enum ThreadGlance {
    /// Whether another thread runs or would if it were its turn; `nil` where the system does not say.
    ///
    /// On a busy machine a client may be kept from its work for longer than anybody wants to wait, and so looks like
    /// one that has nothing to do.
    static func isAnybodyAtWork() -> Bool? {
        #if os(Linux)
            let files = DiskFiles()
            var running = 0
            for thread in files.entries(of: "/proc/self/task") {
                guard let bytes = try? files.read("/proc/self/task/\(thread)/stat") else { continue }
                // 4242 (name) S …: a name may contain anything, so the last bracket counts.
                guard let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count else { continue }
                if bytes[end + 2] == UInt8(ascii: "R") { running += 1 }
            }
            // The one that looks runs as well.
            return running > 1
        #else
            return nil
        #endif
    }
}
