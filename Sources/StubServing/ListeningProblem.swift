import EventLoops

/// Why a server cannot listen where it was told to.
package struct ListeningProblem: Error, Sendable, Hashable {
    package var host: String
    package var port: UInt16
    let reason: SystemError

    init(_ reason: SystemError, host: String, port: UInt16) {
        self.reason = reason
        self.host = host
        self.port = port
    }

    /// What is wrong and what to do about it, without a full stop.
    package var sentence: String {
        switch reason.number {
        case .addressInUse:
            "port \(port) is in use, perhaps by another Backlot; "
                + "stop the program that has it, or choose another one with --port, such as --port 0 for any free one"
        case .notPermitted:
            "port \(port) may not be used by you; choose one above 1023 with --port"
        case let number where number.meansNoSuchAddress:
            "\"\(host)\" is no address of this machine; --host takes one, or localhost for loopback, or * for all"
        default:
            "the system does not let the server listen at \(host), port \(port) (\(reason))"
        }
    }
}
