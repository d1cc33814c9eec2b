#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The lines of standard input, each as soon as it is complete.
struct StandardInput {
    /// A line, or what is left of one that is too long to hold in memory.
    enum Line {
        case text([UInt8])
        case tooLong
    }

    /// The longest line that is read.
    static let longest = 64 * 1024 * 1024

    private var buffer: [UInt8] = []
    /// The consumed part of the buffer, and the part that was searched for a line end.
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    private var isSkipping = false

    /// The next line without its end; `nil` after the last one, which may lack an end.
    mutating func next() -> Line? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[start..<end])
                start = end + 1
                searched = start
                if isSkipping {
                    isSkipping = false
                    return .tooLong
                }
                return .text(line)
            }
            searched = buffer.count
            if isAtEnd { return last() }
            if isSkipping || buffer.count - start > StandardInput.longest {
                isSkipping = true
                drop(buffer.count)
            }
            fill()
        }
    }

    private mutating func last() -> Line? {
        defer { drop(buffer.count) }
        if isSkipping {
            isSkipping = false
            return .tooLong
        }
        return start < buffer.count ? .text(Array(buffer[start...])) : nil
    }

    private mutating func fill() {
        drop(start)
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        let count = chunk.withUnsafeMutableBytes { systemRead($0) }
        if count > 0 {
            buffer += chunk[..<count]
        } else if count == 0 || errno != EINTR {
            isAtEnd = true
        }
    }

    private mutating func drop(_ count: Int) {
        buffer.removeFirst(count)
        start = max(0, start - count)
        searched = max(0, searched - count)
    }
}

private func systemRead(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(STDIN_FILENO, buffer.baseAddress, buffer.count)
}
