import Basics
import EventLoops
import Testing

struct SocketTests {
    @Test func `Bytes and the end of stream arrive as such`() throws {
        let pair = try SocketPair()
        #expect(pair.near.readOutcome() == .wouldBlock)
        pair.far.write("hello")
        #expect(pair.near.readText() == "hello")
        pair.far.endWriting()
        #expect(try pair.near.waitUntilReadable(until: .never))
        #expect(pair.near.readOutcome() == .endOfStream)
        #expect(pair.near.write("still here") == .bytes(10))
        #expect(pair.far.readText() == "still here")
    }

    @Test func `Two pieces go out as one`() throws {
        let pair = try SocketPair()
        let outcome = Array("head ".utf8).withUnsafeBytes { head in
            Array("and body".utf8).withUnsafeBytes { body in pair.near.write(head, body) }
        }
        #expect(outcome == .bytes(13))
        #expect(pair.far.readText() == "head and body")
    }

    @Test func `A full socket would block instead of waiting`() throws {
        let pair = try SocketPair()
        #expect(pair.near.fill() > 0)
        #expect(pair.near.write("more") == .wouldBlock)
    }

    @Test func `A reset reaches the peer as a reset`() throws {
        var pair: SocketPair? = try SocketPair()
        let far = try #require(pair?.far)
        pair?.near.reset()
        pair = nil
        #expect(try far.waitUntilReadable(until: .never))
        #expect(far.readOutcome() == .failed(.connectionReset))
    }

    @Test func `Writing to somebody who has left is an error, not a signal`() throws {
        var pair: SocketPair? = try SocketPair()
        let near = try #require(pair?.near)
        pair?.far.reset()
        pair = nil
        #expect(try near.waitUntilReadable(until: .never))
        #expect(near.readOutcome() == .failed(.connectionReset))
        #expect(near.write("hello?") == .failed(.brokenPipe))
    }

    @Test func `Localhost is both loopback addresses at one port`() throws {
        let sockets = try ListeningSocket.listen(host: "localhost", port: 0)
        #expect(Set(sockets.map(\.address.port)).count == 1)
        #expect(sockets.map(\.address.host) == Array(["127.0.0.1", "::1"].prefix(sockets.count)))
        for socket in sockets {
            let client = try ConnectedSocket(connectingTo: socket.address, until: .never)
            guard case .accepted(_, let peer) = socket.accept() else {
                Issue.record("nobody was accepted at \(socket.address)")
                continue
            }
            #expect(try peer.port == client.localAddress().port)
            #expect(peer.host == socket.address.host)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `A port in use is refused, whichever address has it`(host: String) throws {
        guard let address = SocketAddress(host, port: 0), let taken = try? ListeningSocket(address: address) else {
            try Test.cancel("this machine has no \(host)")
        }
        #expect(throws: SystemError("bind", .addressInUse)) {
            try ListeningSocket.listen(host: "localhost", port: taken.address.port)
        }
    }

    @Test func `Nobody listening is a refusal`() throws {
        // A port that was closed may be another test's by now.
        let address = try #require(SocketAddress("127.0.0.1", port: 1))
        #expect(throws: SystemError("connect", .connectionRefused)) {
            try ConnectedSocket(connectingTo: address, until: .never)
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("0:0::0", "[::]:80"), ("localhost", nil),
            ("127.0.0.256", nil), ("", nil),
        ]
    )
    func `Addresses are read from numbers only`(text: String, description: String?) {
        #expect(SocketAddress(text, port: 80)?.description == description)
    }

    @Test func `Localhost resolves without asking anybody`() {
        #expect(SocketAddress.resolve("localhost", port: 1).map(\.host) == ["127.0.0.1", "::1"])
    }
}
