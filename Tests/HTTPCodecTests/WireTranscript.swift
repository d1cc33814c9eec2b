import HTTPCodec
import Testing

/// What a parser made of some bytes, however they were cut into feeds.
struct WireTranscript: Hashable, CustomTestStringConvertible {
    var heads: [HTTPRequest] = []
    var requests: [HTTPRequest] = []
    var refusal: HTTPRefusal?
    var phase = HTTPRequestParser.Phase.idle

    /// The largest number of bytes that waited in the buffer at any time.
    var mostWaiting = 0

    static func == (left: WireTranscript, right: WireTranscript) -> Bool {
        left.heads == right.heads && left.requests == right.requests && left.refusal == right.refusal
            && left.phase == right.phase
    }

    func hash(into hasher: inout Hasher) { hasher.combine(requests) }

    var testDescription: String {
        "\(requests.count) requests, refusal: \(refusal.map { "\($0)" } ?? "none"), phase: \(phase)"
    }

    /// Feeds the bytes in pieces of the given lengths, the last length again and again.
    init(_ bytes: [UInt8], pieces: [Int] = [], limits: HTTPLimits = .standard) {
        var parser = HTTPRequestParser(limits: limits)
        var input = InputBuffer()
        var rest = bytes[...]
        var turn = 0
        while !rest.isEmpty, refusal == nil {
            let length = pieces.isEmpty ? rest.count : max(1, pieces[min(turn, pieces.count - 1)])
            turn += 1
            input.append(rest.prefix(length))
            rest = rest.dropFirst(length)
            mostWaiting = max(mostWaiting, input.count)
            take(&parser, &input)
        }
        phase = parser.phase
    }

    private mutating func take(_ parser: inout HTTPRequestParser, _ input: inout InputBuffer) {
        // Each step but the last consumes bytes or hands out a head, so this many are always enough.
        for _ in 0...(2 * input.count + 2) {
            switch parser.next(&input) {
            case .needsMoreBytes: return
            case .head(let head): heads.append(head)
            case .complete(let request): requests.append(request)
            case .refused(let refusal):
                self.refusal = refusal
                return
            }
        }
        preconditionFailure("the parser made more steps than there were bytes")
    }
}

/// The bytes of a text whose scalars stand for bytes, so that every byte can be written.
func wire(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}
