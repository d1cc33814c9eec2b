/// A protocol violation of the peer.
package enum WebSocketFault: Error, Sendable, Hashable {
    case reservedBits
    case unknownOpcode(UInt8)
    case continuationOfNothing
    case messageInMessage
    case fragmentedControl
    case controlTooLong
    case notMasked
    case masked
    case wrongLength
    case messageTooLarge(limit: Int)
    /// The unfinished messages of all WebSockets of a server are too large together.
    case noRoomForMessage
    case invalidUTF8
    case wrongClosePayload
    case wrongCloseCode(UInt16)

    /// The code to close with.
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .invalidUTF8: .invalidPayload
        case .messageTooLarge, .noRoomForMessage: .messageTooBig
        default: .protocolError
        }
    }

    /// The mistake and what was expected; also the reason in the close frame, so it is short.
    package var sentence: String {
        switch self {
        case .reservedBits: "a reserved bit is set without an agreed extension"
        case .unknownOpcode(let code): "the opcode \(code) is not defined"
        case .continuationOfNothing: "a continuation frame has no message to continue"
        case .messageInMessage: "a new message started before the previous one ended"
        case .fragmentedControl: "a control frame must not be fragmented"
        case .noRoomForMessage: "the unfinished messages of all WebSockets are too large"
        case .controlTooLong: "a control frame must not be longer than 125 bytes"
        case .notMasked: "frames from a client must be masked"
        case .masked: "frames from a server must not be masked"
        case .wrongLength: "the frame length is not encoded in the shortest form, or its first bit is set"
        case .messageTooLarge(let limit): "the message is larger than \(limit) bytes"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .wrongClosePayload: "the payload of a close frame must begin with a code of two bytes"
        case .wrongCloseCode(let code): "the close code \(code) is not allowed in a frame"
        }
    }
}
