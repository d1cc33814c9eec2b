import Basics
import HTTPCodec
import HTTPServing
import JSON
package import StubServing

extension BacklotServer {
    /// Starts a server in front of another one.
    ///
    /// - Parameters:
    ///   - upstream: The base URL of the other server.
    ///   - forwarder: Sends the requests on; the first one of the process is used for all servers.
    package convenience init(
        upstream: String,
        by forwarder: any RequestForwarder,
        transport: Transport,
        filePath: String
    ) async throws {
        SharedForwarder.shared.use(forwarder)
        let backend: JSONValue = ["backend": .string(upstream), "upstream": .string(upstream)]
        try await self.init(story: .text(backend.text(.compact)), transport: transport, filePath: filePath)
    }
}

/// The forwarder of all servers of this process, once a test has asked for one.
///
/// A class, because the one server of the process begins before.
final class SharedForwarder: RequestForwarder {
    static let shared = SharedForwarder()

    private let known = Lock<(any RequestForwarder)?>(nil)

    func use(_ forwarder: any RequestForwarder) {
        known.withLock { $0 = $0 ?? forwarder }
    }

    private var forwarder: (any RequestForwarder)? { known.withLock { $0 } }

    func refusal(of upstream: String) -> Basics.Finding? {
        guard let forwarder else {
            return Basics.Finding(
                .warning,
                id: "scenario/upstream",
                "no request can be sent to \(upstream.printable)",
                advice: "create the server with BacklotServer(upstream:) of the library BacklotTesting"
            )
        }
        return forwarder.refusal(of: upstream)
    }

    func remarks(on request: HTTPRequest) -> ForwardingRemarks {
        forwarder?.remarks(on: request) ?? ForwardingRemarks(purpose: nil)
    }

    func producer(
        for exchange: ForwardedExchange,
        of host: any ForwardingHost
    ) -> (any ResponseProducer)? {
        forwarder?.producer(for: exchange, of: host)
    }
}
