import EventLoops
import HTTPCodec
import HTTPServing
import TLS
import TestSupport
import Testing

/// A machine's certificates, and contexts with them, made once.
enum Machine {
    static let isReady = SystemTLS.problem == nil
    static let reason: Comment = "TLS is not available: \(SystemTLS.problem?.description ?? "")"
    static let authority = CertificateAuthority(now: WallClock.secondsSince1970())
    static let identity = authority.identity()

    static func client(_ trust: TLSTrust = .authorities([authority.certificate])) throws -> any TLSContext {
        try SystemTLS.client(trust)
    }
}

/// Answers with the request's body, or with as many bytes as the path says; remembers failures of TLS.
final class EchoHandler: HTTPHandler {
    let failures = Shared<[TLSFailure]>([])
    let secure = Shared<[Bool]>([])
    /// Is called after each failure.
    private let onFailure: @Sendable () -> Void

    init(onFailure: @escaping @Sendable () -> Void = {}) {
        self.onFailure = onFailure
    }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        secure.withLock { $0.append(peer.isSecure) }
        let count = Int(request.path.dropFirst())
        let body = count.map { [UInt8](repeating: 0x61, count: $0) } ?? request.body
        return .now(OutgoingResponse(HTTPResponse(status: .ok, body: body)))
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status, contentType: "text/plain", body: refusal.sentence))
    }

    func failed(_ failure: TLSFailure, from peer: Peer) {
        failures.withLock { $0.append(failure) }
        onFailure()
    }
}

/// Runs a server of https and http on a free port for the length of the body.
func withSecureServer(
    _ identity: TLSIdentity = Machine.identity,
    _ handler: EchoHandler = EchoHandler(),
    _ change: (inout HTTPServer.Configuration) -> Void = { _ in },
    _ body: (UInt16, EchoHandler) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    let context = try SystemTLS.server(identity)
    configuration.tls = { _ in .handshake(context) }
    change(&configuration)
    let server = HTTPServer(configuration: configuration, handler: handler)
    try server.start()
    do {
        try await body(try server.addListener(port: 0), handler)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
    #expect(server.connectionCount == 0)
    #expect(server.failure == nil)
}
