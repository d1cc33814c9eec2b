import Basics

/// The opening handshake of a WebSocket (RFC 6455, section 4).
package enum WebSocketHandshake {
    /// A client's valid handshake request.
    package struct Offer: Sendable, Hashable {
        /// The value of `Sec-WebSocket-Key`.
        package var key: String
        /// The subprotocols that the client speaks, the preferred one first.
        package var subprotocols: [String]

        /// Reads a handshake, as section 4.2.1 lists it.
        ///
        /// Extensions that the client offers are not looked at: none is supported, so none is accepted.
        package init(reading request: HTTPRequest) throws(WebSocketRefusal) {
            let fields = request.fields
            guard fields.contains("Upgrade", token: "websocket") else { throw .noUpgrade }
            guard request.method == .get else { throw .wrongMethod }
            guard request.version == .http11, fields.contains("Connection", token: "upgrade") else {
                throw .notUpgradable
            }
            let versions = fields.values(of: "Sec-WebSocket-Version")
            guard versions == ["13"] else { throw .unsupportedVersion }
            let keys = fields.values(of: "Sec-WebSocket-Key")
            guard keys.count == 1, let bytes = Base64.decode(keys[0]), bytes.count == 16 else { throw .wrongKey }
            key = keys[0]
            let list = (fields.joinedValue(of: "Sec-WebSocket-Protocol") ?? "").split(separator: ",")
            let names = list.map { name in String(name.trimming { $0 == " " || $0 == "\t" }) }
            guard Set(names).count == names.count, names.allSatisfy(HTTPFields.isName) else {
                throw .wrongSubprotocols
            }
            subprotocols = names
        }
    }

    /// The response that turns the connection into a WebSocket, with the first subprotocol that both sides speak.
    package static func acceptance(of offer: Offer, subprotocols: [String] = []) -> HTTPResponse {
        var fields: HTTPFields = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": acceptance(ofKey: offer.key),
        ]
        if let common = offer.subprotocols.first(where: subprotocols.contains) {
            fields.append("Sec-WebSocket-Protocol", common)
        }
        return HTTPResponse(status: HTTPStatus(101), fields: fields)
    }

    /// `Sec-WebSocket-Accept` for a key: SHA-1 of the key and a fixed text, in Base64 (section 4.2.2).
    package static func acceptance(ofKey key: String) -> String {
        Base64.encode(SHA1.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }
}

/// The reason why a request does not open a WebSocket, and the response to it.
package enum WebSocketRefusal: Error, Sendable, Hashable, CaseIterable {
    case noUpgrade
    case wrongMethod
    case notUpgradable
    case unsupportedVersion
    case wrongKey
    case wrongSubprotocols

    package var status: HTTPStatus {
        switch self {
        // 426 says which protocol would do (RFC 9110, section 15.5.22; RFC 6455, section 4.4).
        case .noUpgrade, .unsupportedVersion: HTTPStatus(426)
        case .wrongMethod: HTTPStatus(405)
        case .notUpgradable, .wrongKey, .wrongSubprotocols: HTTPStatus(400)
        }
    }

    /// The fields that the status requires.
    package var fields: HTTPFields {
        switch self {
        case .noUpgrade: ["Upgrade": "websocket"]
        case .unsupportedVersion: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"]
        case .wrongMethod: ["Allow": "GET"]
        case .notUpgradable, .wrongKey, .wrongSubprotocols: [:]
        }
    }

    /// The mistake and what was expected.
    package var sentence: String {
        switch self {
        case .noUpgrade: "the request is not a WebSocket handshake, because the field \"Upgrade: websocket\" is missing"
        case .wrongMethod: "a WebSocket must be opened with GET (RFC 6455, section 4.1)"
        case .notUpgradable: "a WebSocket must be opened with HTTP/1.1 and the field \"Connection: Upgrade\""
        case .unsupportedVersion: "the request does not contain exactly one field \"Sec-WebSocket-Version: 13\""
        case .wrongKey: "the request does not contain exactly one field \"Sec-WebSocket-Key\" with 16 bytes in Base64"
        case .wrongSubprotocols: "\"Sec-WebSocket-Protocol\" is not a list of distinct tokens"
        }
    }
}
