import Checking
import HTTPCodec
import HTTPServing
import Testing

@testable import EventLoops
@testable import Proxying

/// Connections to upstreams, on a loop whose turns the test makes.
@Suite(.timeLimit(.minutes(5)))
struct UpstreamConnectionTests {
    /// Pauses reading after the first bytes, as an exchange does whose client does not read.
    private final class SlowUser: UpstreamUser {
        let connection: UpstreamConnection
        private(set) var failure: HTTPClientFailure?

        init(_ connection: UpstreamConnection) {
            self.connection = connection
            connection.user = self
        }

        func upstreamSent() { if connection.input.count == 1 { connection.isReading = false } }
        func upstreamHasRoom() {}
        func upstreamEnded(_ failure: HTTPClientFailure?) { self.failure = failure ?? .closedWithoutResponse }
    }

    private let listener: ListeningSocket
    private let upstream: Upstream

    init() throws {
        listener = try ListeningSocket(address: #require(SocketAddress("127.0.0.1", port: 0)))
        upstream = Upstream(try ServerTrust().way(to: ServerURL("http://127.0.0.1:\(listener.address.port)")))
    }

    private func accept() throws -> ConnectedSocket? {
        if case .accepted(let socket, _) = listener.accept() { socket } else { nil }
    }

    @Test func `A reset while the client does not read does not keep the loop busy`() throws {
        let loop = try EventLoop()
        let connection = UpstreamConnection(upstream, on: loop)
        let user = SlowUser(connection)
        connection.open()
        for _ in 1...20 { try loop.turnWithoutWait() }
        do {
            let peer = try #require(try accept())
            #expect(([1] as [UInt8]).withUnsafeBytes { peer.write($0) } == .bytes(1))
            for _ in 1...20 where connection.isReading { try loop.turnWithoutWait() }
            #expect(([2, 3] as [UInt8]).withUnsafeBytes { peer.write($0) } == .bytes(2))
            peer.reset()
        }
        for _ in 1...20 { try loop.turnWithoutWait() }
        #expect(!connection.isReading && user.failure == nil)
        // No event of a descriptor that is not watched ends the wait of the loop.
        #expect(loop.registrationCount == 0)
        connection.isReading = true
        for _ in 1...20 { try loop.turnWithoutWait() }
        #expect(user.failure == .reset)
    }

    @Test func `The host is looked up again after a connection that could not be opened`() async throws {
        let known = upstream.addresses.map(\.description)
        let other = try ListeningSocket(address: #require(SocketAddress("127.0.0.1", port: 0)))
        upstream.addresses = [other.address]
        let connection = UpstreamConnection(upstream, on: try EventLoop())
        connection.open()
        // As after the time limit of an exchange.
        connection.close()
        try await until { upstream.addresses.map(\.description) == known }
    }
}

extension EventLoop {
    /// Handles the events that there are.
    func turnWithoutWait() throws {
        schedule(at: now) {}
        try turn()
    }
}
