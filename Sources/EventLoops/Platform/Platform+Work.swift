#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Platform {
    /// Returns whether a thread of a process group runs, or waits for a processor or a disk; `nil` where the system
    /// does not tell.
    static func isAtWork(group: Int32) -> Bool? {
        #if os(Linux)
            return processes(inGroup: group)?.contains { process in
                (numbers(inFolder: "/proc/\(process)/task") ?? []).contains { thread in
                    let state = threadStat(inFile: "/proc/\(process)/task/\(thread)/stat")?.state
                    return state == UInt8(ascii: "R") || state == UInt8(ascii: "D")
                }
            }
        #elseif os(macOS)
            let processes = processes(inGroup: group)
            let size = Int32(MemoryLayout<proc_taskinfo>.size)
            return processes.contains { process in
                var info = proc_taskinfo()
                return proc_pidinfo(process, PROC_PIDTASKINFO, 0, &info, size) == size && info.pti_numrunning > 0
            }
        #else
            return nil
        #endif
    }

    /// The names of a group's processes that have not ended; `nil` where the system does not tell.
    static func names(inGroup group: Int32) -> [String]? {
        #if os(Linux)
            return processes(inGroup: group)?.compactMap { process in
                guard let stat = threadStat(inFile: "/proc/\(process)/stat") else {
                    // It has just gone, or no file can be opened now.
                    return getpgid(process) == group ? "process \(process)" : nil
                }
                return stat.state == UInt8(ascii: "Z") || stat.state == UInt8(ascii: "X") ? nil : stat.name
            }
        #else
            return nil
        #endif
    }

    #if os(macOS)
        private static func processes(inGroup group: Int32) -> [pid_t] {
            let width = Int32(MemoryLayout<pid_t>.size)
            // Room for those that come between the two questions.
            let space = proc_listpids(UInt32(PROC_PGRP_ONLY), UInt32(group), nil, 0) + 16 * width
            guard space > 0 else { return [] }
            var processes = [pid_t](repeating: 0, count: Int(space / width))
            let used = proc_listpids(UInt32(PROC_PGRP_ONLY), UInt32(group), &processes, space)
            return processes.prefix(max(0, Int(used / width))).filter { $0 > 0 }
        }
    #endif

    #if os(Linux)
        /// A line of the process table (proc(5)).
        private struct ThreadStat {
            var name: String
            var state: UInt8
        }

        /// - Returns: `nil` where the process table cannot be read.
        private static func processes(inGroup group: Int32) -> [Int32]? {
            numbers(inFolder: "/proc")?.filter { getpgid($0) == group }
        }

        private static func numbers(inFolder path: String) -> [Int32]? {
            guard let folder = opendir(path) else { return nil }
            defer { closedir(folder) }
            var numbers: [Int32] = []
            while let entry = readdir(folder) {
                // dirent(3): a name has 256 bytes with its end.
                let number = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
                }
                if let number { numbers.append(number) }
            }
            return numbers
        }

        private static func threadStat(inFile path: String) -> ThreadStat? {
            guard let file = try? openFile(path, for: .reading) else { return nil }
            // 4242 (name) S parent group …: a name has 15 bytes at most, and may hold anything.
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = repeating { bytes.withUnsafeMutableBytes { read(file.number, $0.baseAddress, $0.count) } }
            let stat = bytes.prefix(max(count, 0))
            guard
                let start = stat.firstIndex(of: UInt8(ascii: "(")),
                let end = stat.lastIndex(of: UInt8(ascii: ")")), start < end, end + 2 < stat.count
            else { return nil }
            return ThreadStat(name: String(decoding: stat[(start + 1)..<end], as: UTF8.self), state: stat[end + 2])
        }
    #endif
}
