import Basics
import EventLoops
import HTTPCodec
import TLS

/// An HTTP proxy.
package struct HTTPProxy: Sendable, Hashable {
    package var host: String
    package var port: UInt16
    /// The value of `Proxy-Authorization`.
    package var authorization: String?

    package init(host: String, port: UInt16, authorization: String? = nil) {
        (self.host, self.port, self.authorization) = (host, port, authorization)
    }

    var name: String { "the proxy \(host):\(port)" }
}
