import HTTPCodec
import HTTPServing
import OpenAPI

/// Talks to the server that is verified: one connection, redirects and rate limits with bounds.
struct LiveServer {
    private static let redirectLimit = 5

    let url: ServerURL
    let options: VerificationOptions
    let pause: @Sendable (Duration) async -> Void
    private(set) var sent = 0
    private var client: HTTPClient?

    init(_ url: ServerURL, _ options: VerificationOptions, pause: @escaping @Sendable (Duration) async -> Void) {
        self.url = url
        self.options = options
        self.pause = pause
    }

    /// Sends a request and what it takes to get a final answer to it.
    ///
    /// - Parameter operation: a redirect that it documents is an answer like any other.
    mutating func answer(to planned: PlannedRequest, for operation: Operation?) async -> LiveResponse {
        var request = planned.request
        var redirects = 0
        while true {
            let response: HTTPResponse
            switch await self.response(to: request) {
            case .response(let received): response = received
            case let other: return other
            }
            guard SafeMethods.contains(request.method), operation?.names(response.status.code) != true,
                let redirection = Redirection(response, from: request.path, at: url)
            else { return .response(response) }
            switch redirection {
            case .elsewhere(let target): return .sentAway(to: target)
            case .here(let target):
                redirects += 1
                guard redirects <= Self.redirectLimit else { return .redirectedTooOften }
                let method = response.status.code == 303 && request.method != .head ? .get : request.method
                request = HTTPRequest(method: method, target: target, fields: request.fields, body: request.body)
            }
        }
    }

    /// One exchange, and a second one when the server asks to wait for it.
    private mutating func response(to request: HTTPRequest) async -> LiveResponse {
        let first = exchange(request)
        guard case .response(let response) = first, response.status == .tooManyRequests,
            let wait = RetryAfter.wait(in: response)
        else { return first }
        guard wait <= options.maximumWait else { return .askedToWait(wait) }
        await pause(wait)
        return exchange(request)
    }

    private mutating func exchange(_ request: HTTPRequest) -> LiveResponse {
        guard sent < options.maximumRequests else { return .exhausted }
        sent += 1
        // A connection that was used before may have been closed meanwhile. What changes something is never sent
        // twice, so it gets a connection of its own.
        if !SafeMethods.contains(request.method) { client = nil }
        let isReused = client != nil
        do throws(HTTPClientFailure) {
            return .response(try send(request))
        } catch {
            client = nil
            guard isReused, error == .closedWithoutResponse || error == .reset else { return .failed(error) }
        }
        do throws(HTTPClientFailure) {
            return .response(try send(request))
        } catch {
            client = nil
            return .failed(error)
        }
    }

    private mutating func send(_ request: HTTPRequest) throws(HTTPClientFailure) -> HTTPResponse {
        let open: HTTPClient
        if let client {
            open = client
        } else {
            open = try HTTPClient(host: url.host, port: url.port, timeout: options.timeout)
            client = open
        }
        return try open.exchange(request).response
    }
}

extension Operation {
    /// Whether the contract documents a status by its code or its range; `default` names nothing.
    func names(_ status: Int) -> Bool {
        responses.contains { $0.status == .code(status) || $0.status == .range(status / 100) }
    }
}
