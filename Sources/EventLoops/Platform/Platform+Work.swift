#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Platform {
    /// Whether a thread of a process group runs, or waits for a processor or a disk; `nil` where the system does not tell.
    static func isAtWork(group: Int32) -> Bool? {
        #if os(Linux)
            return numbers(inFolder: "/proc").contains { process in
                guard threadStat(inFile: "/proc/\(process)/stat")?.group == group else { return false }
                return numbers(inFolder: "/proc/\(process)/task").contains { thread in
                    threadStat(inFile: "/proc/\(process)/task/\(thread)/stat")?.isAtWork ?? false
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
        /// What a line of the process table says (proc(5)).
        private struct ThreadStat {
            var isAtWork: Bool
            var group: Int32
        }

        private static func numbers(inFolder path: String) -> [Int32] {
            guard let folder = opendir(path) else { return [] }
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
            guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let rest = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
            guard rest.count > 2, let group = Int32(String(decoding: rest[2], as: UTF8.self)) else { return nil }
            let state = rest[0].first
            return ThreadStat(isAtWork: state == UInt8(ascii: "R") || state == UInt8(ascii: "D"), group: group)
        }
    #endif
}
