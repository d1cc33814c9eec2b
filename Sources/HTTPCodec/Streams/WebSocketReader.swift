/// Takes the bytes of one direction of a WebSocket apart: frames, fragments and masks go in, messages come out.
///
/// Everything is checked as early as its bytes are there, also the UTF-8 of a text that is not complete. After a fault
/// nothing more is read.
package struct WebSocketReader: Sendable {
    /// Which side reads: a server takes masked frames only, a client only frames without masks (section 5.1).
    package enum Role: Sendable, Hashable {
        case server
        case client
    }

    /// The result of a read.
    package enum Step: Sendable, Hashable {
        case needsMoreBytes
        case text(String)
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// The peer closes; without a code it gave none.
        case close(WebSocketCloseCode?, reason: String)
        case fault(WebSocketFault)
    }

    private struct Frame: Sendable {
        var opcode: WebSocketOpcode
        var isFinal: Bool
        var mask: (UInt8, UInt8, UInt8, UInt8)
        var length: Int
        /// The number of payload bytes read.
        var received = 0
    }

    private let role: Role
    private let messageLimit: Int
    private var frame: Frame?
    /// The kind of the message whose fragments are being read.
    private var messageKind: WebSocketOpcode?
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    private var textCheck = UTF8Check()
    private var fault: WebSocketFault?

    /// - Parameter messageLimit: The most bytes of a message, its fragments together; 16 MiB.
    package init(role: Role = .server, messageLimit: Int = 16 << 20) {
        self.role = role
        self.messageLimit = messageLimit
    }

    /// The number of received bytes of the message that is being read.
    var messageBytes: Int { message.count }

    /// Reads up to the end of a message or a control frame.
    package mutating func next(_ input: inout InputBuffer) -> Step {
        if let fault { return .fault(fault) }
        do throws(WebSocketFault) {
            while true {
                if frame == nil, try !readHead(&input) { return .needsMoreBytes }
                try readPayload(&input)
                guard let frame, frame.received == frame.length else { return .needsMoreBytes }
                self.frame = nil
                if let step = try finish(frame) { return step }
            }
        } catch {
            fault = error
            message = []
            return .fault(error)
        }
    }

    /// Reads the head of a frame (section 5.2); false while bytes are missing.
    private mutating func readHead(_ input: inout InputBuffer) throws(WebSocketFault) -> Bool {
        let head = try input.withBytes { bytes throws(WebSocketFault) -> (frame: Frame, size: Int)? in
            guard let first = bytes.first else { return nil }
            guard first & 0x70 == 0 else { throw .reservedBits }
            guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .unknownOpcode(first & 0x0F) }
            let isFinal = first & 0x80 != 0
            switch opcode {
            case .continuation where messageKind == nil: throw .continuationOfNothing
            case .text where messageKind != nil, .binary where messageKind != nil: throw .messageInMessage
            case _ where opcode.isControl && !isFinal: throw .fragmentedControl
            default: break
            }
            guard bytes.count >= 2 else { return nil }
            let isMasked = bytes[1] & 0x80 != 0
            guard isMasked == (role == .server) else { throw role == .server ? .notMasked : .masked }
            let short = Int(bytes[1] & 0x7F)
            guard !opcode.isControl || short <= WebSocketFrame.controlPayloadLimit else { throw .controlTooLong }
            let lengthSize = short == 126 ? 2 : short == 127 ? 8 : 0
            guard bytes.count >= 2 + lengthSize else { return nil }
            var length = UInt64(lengthSize == 0 ? short : 0)
            for index in 0..<lengthSize { length = length << 8 | UInt64(bytes[2 + index]) }
            let smallest: UInt64 = lengthSize == 2 ? 126 : lengthSize == 8 ? 0x1_0000 : 0
            guard length >= smallest, length >> 63 == 0 else { throw .wrongLength }
            if !opcode.isControl, length > UInt64(max(0, messageLimit - message.count)) {
                throw .messageTooLarge(limit: messageLimit)
            }
            let size = 2 + lengthSize + (isMasked ? 4 : 0)
            guard bytes.count >= size else { return nil }
            let mask = isMasked ? (bytes[size - 4], bytes[size - 3], bytes[size - 2], bytes[size - 1]) : (0, 0, 0, 0)
            return (Frame(opcode: opcode, isFinal: isFinal, mask: mask, length: Int(length)), size)
        }
        guard let head else { return false }
        input.consume(head.size)
        frame = head.frame
        if head.frame.opcode == .text || head.frame.opcode == .binary {
            messageKind = head.frame.opcode
            textCheck = UTF8Check()
        }
        return true
    }

    /// Takes what is there of the payload, without its mask.
    private mutating func readPayload(_ input: inout InputBuffer) throws(WebSocketFault) {
        guard var frame else { return }
        let count = min(frame.length - frame.received, input.count)
        let mask = [frame.mask.0, frame.mask.1, frame.mask.2, frame.mask.3]
        let isControl = frame.opcode.isControl
        let start = isControl ? control.count : message.count
        input.withBytes { bytes in
            var target = isControl ? control : message
            if isControl { control = [] } else { message = [] }
            target.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
            target.withUnsafeMutableBufferPointer { target in
                for index in 0..<count { target[start + index] ^= mask[(frame.received + index) & 3] }
            }
            if isControl { control = target } else { message = target }
        }
        input.consume(count)
        frame.received += count
        self.frame = frame
        if !isControl, messageKind == .text, !textCheck.take(message[start...]) { throw .invalidUTF8 }
    }

    /// Closes a frame; nil when its message goes on.
    private mutating func finish(_ frame: Frame) throws(WebSocketFault) -> Step? {
        if frame.opcode.isControl {
            let payload = control
            control = []
            switch frame.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            default: return try close(payload)
            }
        }
        guard frame.isFinal else { return nil }
        let payload = message
        let isText = messageKind == .text
        message = []
        messageKind = nil
        guard isText else { return .binary(payload) }
        guard textCheck.isComplete else { throw .invalidUTF8 }
        return .text(String(decoding: payload, as: UTF8.self))
    }

    /// Reads the payload of a close frame (section 5.5.1).
    private func close(_ payload: [UInt8]) throws(WebSocketFault) -> Step {
        if payload.isEmpty { return .close(nil, reason: "") }
        guard payload.count >= 2 else { throw .wrongClosePayload }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isSendable else { throw .wrongCloseCode(code.rawValue) }
        var check = UTF8Check()
        guard check.take(payload[2...]), check.isComplete else { throw .invalidUTF8 }
        return .close(code, reason: String(decoding: payload[2...], as: UTF8.self))
    }
}
