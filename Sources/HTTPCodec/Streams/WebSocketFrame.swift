/// The kind of a frame (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Control frames are short, are never fragmented, and may come between the fragments of a message (section 5.5).
    var isControl: Bool { rawValue >= 0x8 }
}

/// The reason for the end of a WebSocket (RFC 6455, section 7.4).
package struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normal = WebSocketCloseCode(rawValue: 1000)
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    package static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)

    /// A Boolean value that indicates whether the code is allowed in a frame.
    ///
    /// 1000 to 1014 without those that only describe an end (1004, 1005, 1006), 3000 to 3999 for registered and 4000 to
    /// 4999 for private use. 1012 to 1014 were registered after the RFC.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// Writes frames.
package enum WebSocketFrame {
    /// The maximum payload of a control frame, in bytes (section 5.5).
    package static let controlPayloadLimit = 125

    /// Appends one frame.
    ///
    /// - Parameter mask: Four bytes, which a client must choose for each frame and a server must not send.
    package static func append(
        _ opcode: WebSocketOpcode,
        _ payload: some Collection<UInt8>,
        isFinal: Bool = true,
        mask: [UInt8]? = nil,
        to output: inout [UInt8]
    ) {
        output.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: output.append(maskBit | UInt8(payload.count))
        case ...0xFFFF:
            output.append(maskBit | 126)
            appendLength(payload.count, bytes: 2, to: &output)
        default:
            output.append(maskBit | 127)
            appendLength(payload.count, bytes: 8, to: &output)
        }
        guard let mask, mask.count == 4 else {
            output.append(contentsOf: payload)
            return
        }
        output.append(contentsOf: mask)
        for (index, byte) in payload.enumerated() { output.append(byte ^ mask[index & 3]) }
    }

    private static func appendLength(_ length: Int, bytes: Int, to output: inout [UInt8]) {
        for shift in stride(from: (bytes - 1) * 8, through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: length >> shift))
        }
    }

    /// The payload of a close frame: the code, and a reason that is cut to fit at a character's end.
    package static func closePayload(_ code: WebSocketCloseCode?, reason: String = "") -> [UInt8] {
        guard let code else { return [] }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard payload.count + bytes.count <= controlPayloadLimit else { break }
            payload.append(contentsOf: bytes)
        }
        return payload
    }
}
