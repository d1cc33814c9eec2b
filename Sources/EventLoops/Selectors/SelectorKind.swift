#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Which way of waiting a loop uses.
package enum SelectorKind: String, Sendable, Hashable, CaseIterable {
    /// The platform's best: epoll on Linux, kqueue on Darwin.
    case system
    /// `poll`, which every platform has. Its cost grows with the number of connections.
    case poll

    /// What `BACKLOT_SELECTOR` asks for; the platform's best when it says nothing that we know.
    package static var fromEnvironment: SelectorKind {
        guard let value = getenv("BACKLOT_SELECTOR") else { return .system }
        return SelectorKind(rawValue: String(cString: value)) ?? .system
    }

    func makeSelector() throws(SystemError) -> any Selector {
        switch self {
        case .system:
            #if canImport(Darwin)
                return try KqueueSelector()
            #else
                return try EpollSelector()
            #endif
        case .poll:
            return try PollSelector()
        }
    }
}
