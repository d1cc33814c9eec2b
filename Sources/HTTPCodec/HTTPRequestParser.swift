/// Turns the bytes of a connection into requests, however they are cut into reads (RFC 9112).
///
/// Linear in the bytes: a line end is looked for once, a head is copied once, body bytes go straight to the body.
/// A message with an ambiguous end is refused, and after a refusal nothing more is read.
package struct HTTPRequestParser: Sendable {
    package enum Step: Sendable, Hashable {
        /// All that was there is taken; come again with more.
        case needsMoreBytes
        /// A head whose body follows and comes with `complete`. The head of a request without a body is not reported.
        case head(HTTPRequest)
        case complete(HTTPRequest)
        /// Respond and close. Every further step gives the same.
        case refused(HTTPRefusal)
    }

    /// Where in a message the parser stands, which is what deadlines depend on.
    package enum Phase: Sendable, Hashable {
        /// Between two requests: not one byte of the next has come.
        case idle
        case head
        case body
        case refused
    }

    /// Without payloads, so that a step moves what it works on instead of copying it.
    private enum State: Sendable {
        case emptyLines(count: Int)
        case requestLine
        case fields
        case fixedBody(remaining: Int)
        case chunkedBody
        case refused
    }

    package let limits: HTTPLimits
    /// A Boolean value that indicates whether the bytes come over TLS, which marks the requests.
    package var isSecure = false
    private var state = State.emptyLines(count: 0) {
        didSet { isBetweenRequests = if case .emptyLines(count: 0) = state { true } else { false } }
    }
    private var head = HeadReader()

    /// The request line while its fields are read.
    private var line: RequestLine?

    /// The request while its body is read.
    private var request: HTTPRequest?
    private var body: BodyCollector
    private var chunks = ChunkedBodyReader()
    private var refusal: HTTPRefusal?

    /// The parser's position after the last step.
    package private(set) var phase = Phase.idle

    package init(limits: HTTPLimits = .standard) {
        self.limits = limits
        body = BodyCollector(limit: limits.body)
    }

    /// A Boolean value that indicates whether the next byte is the first of a head, or of what may come before one.
    ///
    /// Stored, because a connection asks for it before each request.
    package private(set) var isBetweenRequests = true

    /// The number of received bytes of the current or last body, framing excluded.
    package var receivedBodyBytes: Int { body.received }

    /// After `head`: lowers the body limit for this one request, from the next step on.
    package mutating func limitBody(to limit: Int) {
        body.limit = min(body.limit, max(0, limit))
    }

    /// After `head`: removes what has come of the body, which `complete` then lacks.
    package mutating func takeBody() -> [UInt8] { body.takeBytes() }

    /// After `head`: lets the rest of the body pass unkept, up to a budget; a longer body is refused.
    ///
    /// For a response that is given early: RFC 9112, section 9.3 requires the body to be read or the connection closed.
    package mutating func discardBody(atMost budget: Int) {
        body.discard(budget: budget)
    }

    /// Takes what the bytes are enough for.
    ///
    /// Call again after `head` and `complete`: more may be waiting.
    package mutating func next(_ input: inout InputBuffer) -> Step {
        do throws(HTTPFault) {
            return try step(&input)
        } catch {
            return refuse(error)
        }
    }

    private mutating func step(_ input: inout InputBuffer) throws(HTTPFault) -> Step {
        while true {
            switch state {
            case .emptyLines(let count):
                guard try skipEmptyLines(&input, count) else {
                    phase = input.isEmpty ? .idle : .head
                    return .needsMoreBytes
                }
            case .requestLine:
                phase = .head
                guard try readRequestLine(input) else { return .needsMoreBytes }
                state = .fields
            case .fields:
                guard let fields = try head.takeFields(from: &input, limits: limits) else { return .needsMoreBytes }
                return try begin(fields)
            case .fixedBody(let remaining):
                return try readFixedBody(&input, remaining)
            case .chunkedBody:
                return try readChunkedBody(&input)
            case .refused:
                return refusal.map { .refused($0) } ?? .needsMoreBytes
            }
        }
    }

    private mutating func refuse(_ fault: HTTPFault) -> Step {
        var number: Int?
        switch state {
        // A fault of one line names it; a fault of all fields together has no line.
        case .requestLine, .fields: number = fault.isOfOneLine ? head.line : nil
        default: break
        }
        let refusal = HTTPRefusal(
            fault,
            line: number,
            method: request?.method ?? line?.method,
            target: request?.target ?? line?.target
        )
        self.refusal = refusal
        line = nil
        request = nil
        body.release()
        state = .refused
        phase = .refused
        return .refused(refusal)
    }

    /// Consumes empty lines, RFC 9112, section 2.2, and judges the first byte of the request line.
    ///
    /// - Returns: Whether a request line has begun.
    private mutating func skipEmptyLines(_ input: inout InputBuffer, _ count: Int) throws(HTTPFault) -> Bool {
        var count = count
        while true {
            let (first, second) = input.withBytes { ($0.first, $0.dropFirst().first) }
            guard let first else { return false }
            switch first {
            case 0x0D:
                guard let second else { return false }
                guard second == 0x0A else { throw .bareCarriageReturn }
                guard count < limits.leadingEmptyLines else {
                    throw .tooManyEmptyLines(limit: limits.leadingEmptyLines)
                }
                input.consume(2)
                count += 1
                state = .emptyLines(count: count)
            case 0x0A:
                throw .bareLineFeed
            case 0x16:
                throw .tlsHandshake
            default:
                guard ByteClass.isToken(first) else { throw .malformedRequestLine }
                head = HeadReader()
                state = .requestLine
                return true
            }
        }
    }

    private mutating func readRequestLine(_ input: InputBuffer) throws(HTTPFault) -> Bool {
        try input.withBytes { bytes throws(HTTPFault) -> Bool in
            let lineFeed = head.lineEnd(in: bytes)
            try RequestLine.checkLengths(bytes, from: 0, to: lineFeed ?? bytes.count, limits: limits)
            guard let lineFeed else { return false }
            line = try RequestLine(bytes, from: 0, lineFeed: lineFeed, limits: limits)
            head.nextLine(after: lineFeed)
            head.beginFields()
            return true
        }
    }

    /// The head is complete: decides what the fields mean together, then starts the body or returns the request.
    private mutating func begin(_ fields: HTTPFields) throws(HTTPFault) -> Step {
        guard let version = line?.version else { return .needsMoreBytes }
        let rules = HeadRules(fields: fields, repeated: head.repeated, version: version)
        try rules.checkHost()
        let framing = try rules.requestFraming()
        let expectsContinue = try rules.expectsContinue()
        body = BodyCollector(limit: limits.body)
        if case .length(let length) = framing { try body.announce(length) }
        guard let line = line.take() else { return .needsMoreBytes }
        let request = HTTPRequest(
            line: line,
            fields: fields,
            framing: framing,
            // Without a body, nothing is left to read.
            expectsContinue: expectsContinue && framing.announcesBody,
            isSecure: isSecure
        )
        switch framing {
        case .length(let length) where length > 0:
            body.reserve(length)
            state = .fixedBody(remaining: length)
        case .chunked:
            chunks = ChunkedBodyReader()
            state = .chunkedBody
        default:
            state = .emptyLines(count: 0)
            phase = .idle
            return .complete(request)
        }
        self.request = request
        phase = .body
        return .head(request)
    }

    private mutating func readFixedBody(_ input: inout InputBuffer, _ remaining: Int) throws(HTTPFault) -> Step {
        guard !body.isBeyondLimit else { throw .bodyTooLarge(limit: body.limit) }
        let taken = body.take(atMost: remaining, from: &input)
        guard taken == remaining else {
            state = .fixedBody(remaining: remaining - taken)
            return .needsMoreBytes
        }
        return finish(trailers: HTTPFields())
    }

    private mutating func readChunkedBody(_ input: inout InputBuffer) throws(HTTPFault) -> Step {
        guard !body.isBeyondLimit else { throw .bodyTooLarge(limit: body.limit) }
        guard let trailers = try chunks.read(&input, into: &body, limits: limits) else { return .needsMoreBytes }
        return finish(trailers: trailers)
    }

    private mutating func finish(trailers: HTTPFields) -> Step {
        guard let head = request.take() else { return .needsMoreBytes }
        let request = head.completed(body: body.bytes, trailers: trailers)
        body.release()
        state = .emptyLines(count: 0)
        phase = .idle
        return .complete(request)
    }
}
