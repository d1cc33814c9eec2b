import Basics
import EventLoops
import Foundation

/// The port at which a server has listened.
package struct ServerPort: Sendable {
    private let number: UInt16

    /// - Parameter url: The server's base URL; `nil` without a port.
    package init?(of url: String) {
        guard let number = URL(string: url)?.port.flatMap({ UInt16(exactly: $0) }) else { return nil }
        self.number = number
    }

    /// Returns a Boolean value that indicates whether the server has let go of the port.
    ///
    /// A request would not tell: another test's server may have the port by now, and would judge the request. Binding
    /// disturbs nobody. Where the port is another server's, the method waits for up to a minute until that has stopped.
    package func isReleased() async throws -> Bool {
        for _ in 0..<600 {
            if (try? ListeningSocket.listen(host: "127.0.0.1", port: number)) != nil { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }
}
