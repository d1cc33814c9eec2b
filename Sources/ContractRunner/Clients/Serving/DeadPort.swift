import HTTPServing
import SocketIO

/// A port of this machine where nobody listens, and nobody will: the client's side of a connection that stays open.
struct DeadPort: @unchecked Sendable {
    let number: UInt16
    /// Never used, only kept.
    private let client: HTTPClient

    /// - Parameter port: where somebody listens.
    init(beside port: UInt16) throws(SystemError) {
        do throws(HTTPClientFailure) {
            client = try HTTPClient(host: "127.0.0.1", port: port)
        } catch {
            throw SystemError("connect", .connectionRefused)
        }
        guard let number = client.localPort else { throw SystemError("getsockname", .invalidArgument) }
        self.number = number
    }
}
