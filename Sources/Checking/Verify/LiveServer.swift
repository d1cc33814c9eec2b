import HTTPCodec
import HTTPServing
import OpenAPI

/// A connection to the server that is verified: redirects and rate limits with bounds, content codings undone.
struct LiveServer {
    private static let redirectLimit = 5
    /// The most bytes of a body, decoded or not: 128 MiB.
    private static let bodyLimit = 128 << 20
    private static let limits = HTTPLimits(body: bodyLimit)

    private let session: VerificationSession
    private var client: HTTPClient?

    private var verification: Verification { session.verification }
    private var options: VerificationOptions { verification.options }

    init(_ session: VerificationSession) {
        self.session = session
    }

    /// Sends a request and what it takes to get a final response to it.
    ///
    /// - Parameter operation: a redirect that it documents is a response like any other.
    mutating func answer(to planned: PlannedRequest, for operation: Operation?) -> LiveResponse {
        var request = planned.request
        var redirects = 0
        while true {
            let answer = self.response(to: request, isRepeatable: planned.isRepeatable)
            guard case .response(let message) = answer, planned.isRepeatable,
                OperationEffect(of: request.method) == .read,
                operation?.names(message.response.status.code) != true,
                let redirection = Redirection(message.response, from: request.path, at: verification.url)
            else { return answer }
            switch redirection {
            case .elsewhere(let target): return .sentAway(to: target)
            case .here(let target):
                redirects += 1
                guard redirects <= Self.redirectLimit else { return .redirectedTooOften }
                let method = message.response.status.code == 303 && request.method != .head ? .get : request.method
                guard mayAsk(method, target) else { return .sentToWrite(target) }
                request = HTTPRequest(method: method, target: target, fields: request.fields, body: request.body)
            }
        }
    }

    /// Returns whether the contract has nothing against following a redirection there.
    private func mayAsk(_ method: HTTPMethod, _ target: String) -> Bool {
        let (contract, basePath) = (verification.contract, verification.basePath)
        let below = target.utf8.starts(with: basePath.utf8) ? String(target.utf8.dropFirst(basePath.utf8.count)) : nil
        return [below, target].compactMap(\.self).allSatisfy { path in
            // Servers answer HEAD by running what answers GET.
            [method, .get].allSatisfy { method in
                contract.operation(method, path).map { contract.effect(of: $0.operation) == .read } ?? true
            }
        }
    }

    /// One exchange, and a second one when the server asks to wait for it.
    private mutating func response(to request: HTTPRequest, isRepeatable: Bool) -> LiveResponse {
        let first = exchange(request, isRepeatable: isRepeatable)
        guard case .response(let message) = first, message.response.status == .tooManyRequests,
            let wait = message.response.fields.retryDelay()
        else { return first }
        guard wait <= options.maximumWait else { return .askedToWait(wait) }
        verification.pause(wait)
        return exchange(request, isRepeatable: isRepeatable)
    }

    private mutating func exchange(_ request: HTTPRequest, isRepeatable: Bool) -> LiveResponse {
        guard session.maySend() else { return .exhausted }
        // A connection that was used before may be closed by now. A request that changes something is never sent
        // twice, so it gets a new connection.
        if !isRepeatable { client = nil }
        while true {
            let isReused = client != nil
            do throws(HTTPClientFailure) {
                return try send(request)
            } catch {
                let head = error == .timedOut ? client?.partialResponse?.response : nil
                client = nil
                guard isReused, error.mayBeOfConnection else { return .failed(error, head: head) }
            }
        }
    }

    private mutating func send(_ request: HTTPRequest) throws(HTTPClientFailure) -> LiveResponse {
        let open: HTTPClient
        if let client {
            open = client
        } else {
            open = try session.way.connect(timeout: options.timeout, limits: Self.limits)
            client = open
        }
        let streams = HTTPClient.StreamReading(for: options.streamTime) { LiveMessage.isStream($0.response) }
        let (received, isComplete) = try open.exchange(request, reading: streams)
        // Bytes that nothing has asked for belong to this response, and must not be taken for the next one.
        let excess = isComplete ? (try? open.peek()) ?? [] : []
        let announcesBody = received.status.forbidsBody && received.fields["Content-Length"].map { $0 != "0" } == true
        if !excess.isEmpty || !isComplete || announcesBody { client = nil }
        session.takeCookies(from: received.response, to: request.path)
        return .response(LiveMessage(received.response, excess: excess, isComplete: isComplete, limit: Self.bodyLimit))
    }
}

extension HTTPClientFailure {
    /// A Boolean value that indicates whether the cause may be the connection's last response: the server closed it, or
    /// sends more of that response.
    fileprivate var mayBeOfConnection: Bool {
        switch self {
        case .closedWithoutResponse, .reset, .malformed: true
        case .refused, .unreachable, .truncated, .bodyTooLarge, .tls, .proxy, .timedOut: false
        }
    }
}

/// A response of a live server, with the codings of its body undone.
struct LiveMessage {
    var response: HTTPResponse
    /// The bytes that came behind the end of the response.
    var excess: [UInt8]
    /// The reason why the body was not decoded, and is left out.
    var codingError: ContentCodingError?

    init(_ response: HTTPResponse, excess: [UInt8] = [], isComplete: Bool = true, limit: Int) {
        self.response = response
        self.excess = excess
        do throws(ContentCodingError) {
            self.response.body = try ContentCoding.decode(response.body, codedBy: response.fields, limit: limit)
        } catch {
            self.response.body = []
            // The received part of a stream can end anywhere.
            codingError = error == .truncated && !isComplete ? nil : error
        }
        // A stream that sent nothing yet has a body, of which an empty line is a part in every format.
        if !isComplete, self.response.body.isEmpty { self.response.body = [0x0A] }
    }

    /// Returns whether a response may never end, by its media type.
    static func isStream(_ response: HTTPResponse) -> Bool {
        guard let type = response.fields["Content-Type"].flatMap({ MediaType(parsing: $0) }) else { return false }
        return SequenceForm(type) != nil || type.essence == "multipart/x-mixed-replace"
    }
}

/// The result of a request to a live server.
enum LiveResponse {
    case response(LiveMessage)
    /// The server sends its clients to another one, which is not asked.
    case sentAway(to: String)
    /// The server redirects to what the contract marks as changing something, which is not asked.
    case sentToWrite(String)
    /// The server redirects without an end.
    case redirectedTooOften
    /// The server asks for a longer wait than is allowed.
    case askedToWait(Duration)
    /// No complete response; its head where one came before the time was over.
    case failed(HTTPClientFailure, head: HTTPResponse?)
    /// The limit of requests is reached.
    case exhausted

    var response: HTTPResponse? { if case .response(let message) = self { message.response } else { nil } }

    /// A Boolean value that indicates whether no sign of a response came.
    var isSilence: Bool {
        guard case .failed(let failure, head: nil) = self else { return false }
        return switch failure {
        case .refused, .unreachable, .reset, .closedWithoutResponse, .tls, .proxy, .timedOut: true
        case .truncated, .malformed, .bodyTooLarge: false
        }
    }
}

extension Operation {
    /// Returns whether the contract documents a status by its code or its range; `default` names nothing.
    func names(_ status: Int) -> Bool {
        responses.contains { $0.status == .code(status) || $0.status == .range(status / 100) }
    }
}
