/// Turns the bytes of a connection into requests, however they are cut into reads (RFC 9112).
///
/// Linear in the bytes: a line end is looked for once, a head is copied once, body bytes go straight to the body.
/// Whatever leaves the end of a message in doubt is refused, and after a refusal nothing more is read.
package struct HTTPRequestParser: Sendable {
    package enum Step: Sendable, Hashable {
        /// All that was there is taken; come again with more.
        case needsMoreBytes
        /// A head whose body follows and comes with `complete`. The head of a request without a body is not told.
        case head(HTTPRequest)
        case complete(HTTPRequest)
        /// Answer and close. Every further step gives the same.
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

    private enum State: Sendable {
        case emptyLines(count: Int)
        case requestLine
        case fields(RequestLine)
        case fixedBody(HTTPRequest, remaining: Int)
        case chunkedBody(HTTPRequest, ChunkedBodyReader)
        case refused(HTTPRefusal)
        /// Only while a step is being made, so that the bytes of the state are never shared and copied.
        case moving
    }

    package let limits: HTTPLimits
    private var state = State.emptyLines(count: 0)
    private var head = HeadReader()
    private var body: BodyCollector

    /// Where the parser stands after the last step.
    package private(set) var phase = Phase.idle

    package init(limits: HTTPLimits = .standard) {
        self.limits = limits
        body = BodyCollector(limit: limits.body)
    }

    /// How many bytes of the current or last body have come, framing excluded.
    package var receivedBodyBytes: Int { body.received }

    /// After `head`: lowers the body limit for this one request, from the next step on.
    package mutating func limitBody(to limit: Int) {
        body.limit = min(body.limit, max(0, limit))
    }

    /// After `head`: lets the rest of the body pass unkept, up to a budget; a longer body is refused.
    ///
    /// For a reply that is given early: RFC 9112, section 9.3 wants the body read or the connection closed.
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
                guard let line = try readRequestLine(input) else { return .needsMoreBytes }
                state = .fields(line)
            case .fields(let line):
                guard let fields = try readFields(&input) else { return .needsMoreBytes }
                return try begin(line, fields)
            case .fixedBody:
                return try readFixedBody(&input)
            case .chunkedBody:
                return try readChunkedBody(&input)
            case .refused(let refusal):
                return .refused(refusal)
            case .moving:
                return .needsMoreBytes
            }
        }
    }

    private mutating func refuse(_ fault: HTTPFault) -> Step {
        let refusal: HTTPRefusal
        switch state {
        case .fields(let line):
            // A fault of one line names it; a fault of all fields together has no line.
            let number = fault.isOfOneLine ? head.line : nil
            refusal = HTTPRefusal(fault, line: number, method: line.method, target: line.target)
        case .fixedBody(let request, _), .chunkedBody(let request, _):
            refusal = HTTPRefusal(fault, method: request.method, target: request.target)
        case .requestLine:
            refusal = HTTPRefusal(fault, line: fault.isOfOneLine ? head.line : nil)
        default:
            refusal = HTTPRefusal(fault)
        }
        state = .refused(refusal)
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

    private mutating func readRequestLine(_ input: InputBuffer) throws(HTTPFault) -> RequestLine? {
        try input.withBytes { bytes throws(HTTPFault) -> RequestLine? in
            let lineFeed = head.lineEnd(in: bytes)
            try RequestLine.checkLengths(bytes, from: 0, to: lineFeed ?? bytes.count, limits: limits)
            guard let lineFeed else { return nil }
            let line = try RequestLine(bytes, from: 0, lineFeed: lineFeed, limits: limits)
            head.nextLine(after: lineFeed)
            head.beginFields()
            return line
        }
    }

    private mutating func readFields(_ input: inout InputBuffer) throws(HTTPFault) -> HTTPFields? {
        let result = try input.withBytes { bytes throws(HTTPFault) in
            try head.readFields(
                bytes,
                maximumSize: limits.fieldSection,
                maximumCount: limits.fieldCount,
                tooLarge: .fieldSectionTooLarge(limit: limits.fieldSection)
            )
        }
        guard let result else { return nil }
        input.consume(result.end)
        return result.fields
    }

    /// The head is complete: decides what the fields mean together, then starts the body or hands the request out.
    private mutating func begin(_ line: RequestLine, _ fields: HTTPFields) throws(HTTPFault) -> Step {
        let rules = HeadRules(fields: fields, repeated: head.repeated, version: line.version)
        try rules.checkHost()
        let framing = try rules.requestFraming()
        let expectsContinue = try rules.expectsContinue()
        var request = HTTPRequest(line: line, fields: fields)
        request.framing = framing
        body = BodyCollector(limit: limits.body)
        switch framing {
        case .length(let length) where length > 0:
            try body.announce(length)
            body.reserve(length)
            request.expectsContinue = expectsContinue
            state = .fixedBody(request, remaining: length)
        case .chunked:
            request.expectsContinue = expectsContinue
            state = .chunkedBody(request, ChunkedBodyReader())
        default:
            state = .emptyLines(count: 0)
            phase = .idle
            return .complete(request)
        }
        phase = .body
        return .head(request)
    }

    private mutating func readFixedBody(_ input: inout InputBuffer) throws(HTTPFault) -> Step {
        guard case .fixedBody(var request, let remaining) = state else { return .needsMoreBytes }
        guard !body.isBeyondLimit else { throw .bodyTooLarge(limit: body.limit) }
        let taken = body.take(atMost: remaining, from: &input)
        guard taken == remaining else {
            state = .fixedBody(request, remaining: remaining - taken)
            return .needsMoreBytes
        }
        request.body = body.bytes
        return finish(request)
    }

    private mutating func readChunkedBody(_ input: inout InputBuffer) throws(HTTPFault) -> Step {
        guard case .chunkedBody(var request, var reader) = state else { return .needsMoreBytes }
        guard !body.isBeyondLimit else { throw .bodyTooLarge(limit: body.limit) }
        state = .moving
        let trailers: HTTPFields?
        do throws(HTTPFault) {
            trailers = try reader.read(&input, into: &body, limits: limits)
        } catch {
            state = .chunkedBody(request, reader)
            throw error
        }
        guard let trailers else {
            state = .chunkedBody(request, reader)
            return .needsMoreBytes
        }
        request.body = body.bytes
        request.trailers = trailers
        return finish(request)
    }

    private mutating func finish(_ request: HTTPRequest) -> Step {
        body.release()
        state = .emptyLines(count: 0)
        phase = .idle
        return .complete(request)
    }
}
