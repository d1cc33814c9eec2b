import Basics

/// Reads responses as a careful client does, and distinguishes each way in which a response can be wrong.
///
/// A response can only be read by one who knows the request: announce each with `expectResponse(to:)`, in order. As strict as
/// the request parser; of the limits, `target` bounds the status line.
package struct HTTPResponseParser: Sendable {
    package enum Step: Sendable, Hashable {
        case needsMoreBytes
        /// A 1xx response; the final one still comes.
        case interim(HTTPReceivedResponse)
        /// Status and fields are there, the body follows. Not reported when there is no body.
        case head(HTTPReceivedResponse)
        case complete(HTTPReceivedResponse)
        /// Every further step gives the same.
        case failed(HTTPResponseError)
    }

    private enum State: Sendable {
        case idle
        case statusLine
        case fields(StatusLine)
        case fixedBody(HTTPReceivedResponse, remaining: Int)
        case chunkedBody(HTTPReceivedResponse, ChunkedBodyReader)
        case bodyUntilClose(HTTPReceivedResponse)
        case failed(HTTPResponseError)
        /// The last response closed the connection.
        case closed
    }

    package let limits: HTTPLimits
    private var state = State.idle
    private var head = HeadReader()
    private var body: BodyCollector
    private var methods: [HTTPMethod] = []

    package init(limits: HTTPLimits = .standard) {
        self.limits = limits
        body = BodyCollector(limit: limits.body)
    }

    /// Announces a request that was sent; its response is the next that is not announced yet.
    package mutating func expectResponse(to method: HTTPMethod) {
        methods.append(method)
    }

    /// The number of received bytes of the current or last body, framing excluded.
    package var receivedBodyBytes: Int { body.received }

    /// After `head`: removes what has come of the body, which `complete` then lacks.
    package mutating func takeBody() -> [UInt8] { body.takeBytes() }

    /// The received part of the current response, with the received part of the body, for a truncated one.
    package var partial: HTTPReceivedResponse? {
        switch state {
        case .fixedBody(var response, _), .chunkedBody(var response, _), .bodyUntilClose(var response):
            response.response.body = body.bytes
            return response
        default: return nil
        }
    }

    package mutating func next(_ input: inout InputBuffer) -> Step {
        do throws(HTTPFault) {
            return try step(&input)
        } catch {
            return fail(.malformed(error))
        }
    }

    /// The peer closed in order: completes a body that ends with the connection, else says what is missing.
    ///
    /// - Returns: `nil` when nothing was expected and nothing is left over. Take all steps of `next` before.
    package mutating func endOfStream(_ input: inout InputBuffer) -> Step? {
        switch state {
        case .idle where input.isEmpty:
            return methods.isEmpty ? nil : fail(.closedWithoutResponse)
        case .closed where input.isEmpty:
            return nil
        case .idle, .closed:
            return fail(.unexpectedBytes(Array(input.bytes.prefix(64))))
        case .statusLine where input.isEmpty:
            return fail(.closedWithoutResponse)
        case .statusLine, .fields:
            return fail(.truncatedHead(receivedBytes: input.count))
        case .fixedBody(_, let remaining):
            return fail(.truncatedBody(received: body.received, announced: body.received + remaining))
        case .chunkedBody:
            return fail(.truncatedBody(received: body.received, announced: nil))
        case .bodyUntilClose(var response):
            response.response.body = body.bytes
            return finish(response)
        case .failed(let error):
            return .failed(error)
        }
    }

    private mutating func fail(_ error: HTTPResponseError) -> Step {
        state = .failed(error)
        return .failed(error)
    }

    private mutating func step(_ input: inout InputBuffer) throws(HTTPFault) -> Step {
        while true {
            switch state {
            case .idle where methods.isEmpty, .closed:
                guard !input.isEmpty else { return .needsMoreBytes }
                return fail(.unexpectedBytes(Array(input.bytes.prefix(64))))
            case .idle:
                head = HeadReader()
                state = .statusLine
            case .statusLine:
                if let found = Self.whatIsNoStart(of: input) { return fail(.notHTTP(found: found)) }
                guard let line = try readStatusLine(input) else { return .needsMoreBytes }
                state = .fields(line)
            case .fields(let line):
                guard let fields = try head.takeFields(from: &input, limits: limits) else { return .needsMoreBytes }
                return try begin(line, fields)
            case .fixedBody(var response, let remaining):
                let taken = body.take(atMost: remaining, from: &input)
                guard taken == remaining else {
                    state = .fixedBody(response, remaining: remaining - taken)
                    return .needsMoreBytes
                }
                response.response.body = body.bytes
                return finish(response)
            case .chunkedBody:
                return try readChunkedBody(&input)
            case .bodyUntilClose:
                try body.announce(input.count)
                _ = body.take(atMost: input.count, from: &input)
                return .needsMoreBytes
            case .failed(let error):
                return .failed(error)
            }
        }
    }

    private static func whatIsNoStart(of input: InputBuffer) -> [UInt8]? {
        input.withBytes { bytes in
            for index in 0..<min(bytes.count, StatusLine.start.utf8CodeUnitCount)
            where bytes[index] != StatusLine.start.utf8Start[index] {
                return Array(bytes.prefix(64))
            }
            return nil
        }
    }

    private mutating func readStatusLine(_ input: InputBuffer) throws(HTTPFault) -> StatusLine? {
        try input.withBytes { bytes throws(HTTPFault) -> StatusLine? in
            let lineFeed = head.lineEnd(in: bytes)
            guard (lineFeed ?? bytes.count) <= limits.target else { throw .malformedStatusLine }
            guard let lineFeed else { return nil }
            let line = try StatusLine(bytes, lineFeed: lineFeed)
            head.nextLine(after: lineFeed)
            head.beginFields(ofResponse: true)
            return line
        }
    }

    private mutating func begin(_ line: StatusLine, _ fields: HTTPFields) throws(HTTPFault) -> Step {
        let rules = HeadRules(fields: fields, repeated: head.repeated, version: line.version)
        let framing = try self.framing(rules, status: line.status)
        let response = HTTPReceivedResponse(
            response: HTTPResponse(status: line.status, fields: fields),
            version: line.version,
            reasonPhrase: line.reasonPhrase,
            trailers: HTTPFields(),
            framing: framing,
            keepsAlive: framing != .untilClose && HTTPFields.keepsAlive(fields, version: line.version)
        )
        // 101 is the last response in HTTP/1.1; all other 1xx announce another (RFC 9110, section 15.2).
        if line.status.isInformational, line.status.code != 101 {
            head = HeadReader()
            state = .statusLine
            return .interim(response)
        }
        body = BodyCollector(limit: limits.body)
        switch framing {
        case .length(let length) where length > 0:
            try body.announce(length)
            body.reserve(length)
            state = .fixedBody(response, remaining: length)
        case .chunked:
            state = .chunkedBody(response, ChunkedBodyReader())
        case .untilClose:
            state = .bodyUntilClose(response)
        default:
            return finish(response)
        }
        return .head(response)
    }

    /// RFC 9112, section 6.3, from the reader's side.
    private func framing(_ rules: HeadRules, status: HTTPStatus) throws(HTTPFault) -> HTTPBodyFraming {
        if methods.first == .head || status.forbidsBody { return .none }
        return try rules.announcedFraming() ?? .untilClose
    }

    private mutating func readChunkedBody(_ input: inout InputBuffer) throws(HTTPFault) -> Step {
        guard case .chunkedBody(var response, var reader) = state else { return .needsMoreBytes }
        guard let trailers = try reader.read(&input, into: &body, limits: limits) else {
            state = .chunkedBody(response, reader)
            return .needsMoreBytes
        }
        response.response.body = body.bytes
        response.trailers = trailers
        return finish(response)
    }

    private mutating func finish(_ response: HTTPReceivedResponse) -> Step {
        body.release()
        if !methods.isEmpty { methods.removeFirst() }
        state = response.keepsAlive ? .idle : .closed
        return .complete(response)
    }
}

/// A status line, `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112, section 4).
struct StatusLine: Sendable {
    var version: HTTPVersion
    var status: HTTPStatus
    var reasonPhrase: String

    /// The start of every response; anything else is not HTTP.
    static let start: StaticString = "HTTP/"

    /// The space behind the code may be missing with the phrase, as many servers have it.
    init(_ bytes: UnsafeBufferPointer<UInt8>, lineFeed: Int) throws(HTTPFault) {
        guard lineFeed > 0, bytes[lineFeed - 1] == 0x0D else { throw .bareLineFeed }
        let line = UnsafeBufferPointer(rebasing: bytes[..<(lineFeed - 1)])
        if line.contains(0x0D) { throw .bareCarriageReturn }
        guard line.count >= 12, line[6] == 0x2E, line[8] == 0x20, ByteClass.isDigit(line[5]),
            ByteClass.isDigit(line[7]), line.count == 12 || line[12] == 0x20
        else { throw .malformedStatusLine }
        guard line[5] == 0x31 else { throw .unsupportedVersion(PrintableText.of(line[..<8])) }
        version = line[7] == 0x30 ? .http10 : .http11
        var code = 0
        for digit in line[9..<12] {
            guard ByteClass.isDigit(digit) else { throw .malformedStatusLine }
            code = code * 10 + Int(digit - 0x30)
        }
        guard let status = HTTPStatus(exactly: code) else { throw .malformedStatusLine }
        self.status = status
        let phrase = line.dropFirst(13)
        guard phrase.allSatisfy(ByteClass.isFieldContent) else { throw .malformedStatusLine }
        reasonPhrase = HTTPFields.text(Array(phrase)[...])
    }
}
