import EventLoops
import HTTPCodec
import HTTPServing
import Simulation

/// The reason why a server cannot listen at its address.
package struct ListeningProblem: Error, Sendable, Hashable {
    package var host: String
    package var port: UInt16
    let reason: SystemError

    init(_ reason: SystemError, host: String, port: UInt16) {
        self.reason = reason
        self.host = host
        self.port = port
    }

    /// The problem and its remedy, without a full stop.
    package var sentence: String {
        switch reason.number {
        case .addressInUse:
            "port \(port) is in use, perhaps by another Backlot server; "
                + "stop the program that uses the port, or set another port with --port; --port 0 chooses a free port"
        case .notPermitted:
            "you are not allowed to listen on port \(port); choose a port above 1023 with --port"
        case let number where number.meansNoSuchAddress:
            "\"\(host)\" is not an address of this machine; use one of the machine's "
                + "addresses, localhost for loopback, or * for all addresses"
        default:
            "the system does not allow the server to listen on \(host), port \(port) (\(reason))"
        }
    }
}
