import Basics
import Testing

@testable import HTTPCodec

struct WebSocketHandshakeTests {
    private func request(
        _ method: HTTPMethod = .get,
        version: HTTPVersion = .http11,
        _ changes: [(String, String?)] = []
    ) -> HTTPRequest {
        var fields: HTTPFields = [
            "Host": "localhost", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
        ]
        for (name, value) in changes { fields[name] = value }
        return HTTPRequest(method: method, target: "/chat", version: version, fields: fields)
    }

    private func refusal(_ request: HTTPRequest) -> WebSocketRefusal? {
        do throws(WebSocketRefusal) {
            _ = try WebSocketHandshake.Offer(reading: request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the handshake of RFC 6455, section 1_3, is accepted with its key`() throws {
        let offer = try WebSocketHandshake.Offer(
            reading: request([("Sec-WebSocket-Protocol", "chat, superchat")])
        )
        let response = WebSocketHandshake.acceptance(of: offer, subprotocols: ["superchat", "chat"])
        #expect(response.status.code == 101)
        #expect(response.fields["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(response.fields["Upgrade"] == "websocket")
        #expect(response.fields["Connection"] == "Upgrade")
        #expect(response.fields["Sec-WebSocket-Protocol"] == "chat")
        #expect(WebSocketHandshake.acceptance(of: offer).fields["Sec-WebSocket-Protocol"] == nil)
    }

    private func request(_ changes: [(String, String?)]) -> HTTPRequest { request(.get, changes) }

    @Test(
        arguments: [
            ("Upgrade", nil, WebSocketRefusal.noUpgrade, 426), ("Upgrade", "h2c", .noUpgrade, 426),
            ("Upgrade", "h2c, WebSocket", nil, 101),
            ("Connection", nil, .notUpgradable, 400), ("Connection", "close", .notUpgradable, 400),
            ("Connection", "upgrade", nil, 101),
            ("Sec-WebSocket-Version", nil, .unsupportedVersion, 426),
            ("Sec-WebSocket-Version", "8", .unsupportedVersion, 426),
            ("Sec-WebSocket-Version", "13, 8", .unsupportedVersion, 426),
            ("Sec-WebSocket-Key", nil, .wrongKey, 400), ("Sec-WebSocket-Key", "", .wrongKey, 400),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j", .wrongKey, 400),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", .wrongKey, 400),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==", .wrongKey, 400),
            ("Sec-WebSocket-Protocol", "a b", .wrongSubprotocols, 400),
            ("Sec-WebSocket-Protocol", "a, a", .wrongSubprotocols, 400),
            ("Sec-WebSocket-Protocol", "a , b", nil, 101),
            ("Sec-WebSocket-Extensions", "permessage-deflate", nil, 101),
        ] as [(String, String?, WebSocketRefusal?, Int)]
    )
    func `a field that is missing or wrong is refused`(
        name: String,
        value: String?,
        expected: WebSocketRefusal?,
        status: Int
    ) {
        let found = refusal(request([(name, value)]))
        #expect(found == expected)
        #expect(found?.status.code ?? 101 == status)
    }

    @Test func `other methods, other versions and two keys are refused`() {
        #expect(refusal(request(.post)) == .wrongMethod)
        #expect(refusal(request(version: .http10)) == .notUpgradable)
        var twice = request()
        twice.fields.append("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(refusal(twice) == .wrongKey)
        for refusal in WebSocketRefusal.allCases { #expect(!refusal.sentence.isEmpty) }
        #expect(WebSocketRefusal.unsupportedVersion.fields["Sec-WebSocket-Version"] == "13")
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
    func `SHA-1 gives the digests of FIPS 180-4`(message: String, digest: String) {
        let hash = SHA1.hash(Array(message.utf8))
        #expect(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }
}
