import Basics
import HTTPCodec
import HTTPServing
import OpenAPI

/// Talks to the server that is verified: one connection, redirects and rate limits with bounds.
struct LiveServer {
    private static let redirectLimit = 5

    let contract: Contract
    let url: ServerURL
    /// The path that all of the contract's paths begin with.
    let basePath: String
    let options: VerificationOptions
    let pause: @Sendable (Duration) async -> Void
    private(set) var sent = 0
    private var client: HTTPClient?

    init(
        of contract: Contract,
        at url: ServerURL,
        below basePath: String,
        _ options: VerificationOptions,
        pause: @escaping @Sendable (Duration) async -> Void
    ) {
        self.contract = contract
        self.url = url
        self.basePath = basePath
        self.options = options
        self.pause = pause
    }

    /// Sends a request and what it takes to get a final response to it.
    ///
    /// - Parameter operation: a redirect that it documents is a response like any other.
    mutating func answer(to planned: PlannedRequest, for operation: Operation?) async -> LiveResponse {
        var request = planned.request
        var redirects = 0
        while true {
            let answer = await self.response(to: request, isRepeatable: planned.isRepeatable)
            guard case .response(let response, _) = answer, planned.isRepeatable,
                OperationEffect(of: request.method) == .read, operation?.names(response.status.code) != true,
                let redirection = Redirection(response, from: request.path, at: url)
            else { return answer }
            switch redirection {
            case .elsewhere(let target): return .sentAway(to: target)
            case .here(let target):
                redirects += 1
                guard redirects <= Self.redirectLimit else { return .redirectedTooOften }
                let method = response.status.code == 303 && request.method != .head ? .get : request.method
                guard mayAsk(method, target) else { return .sentToWrite(target) }
                request = HTTPRequest(method: method, target: target, fields: request.fields, body: request.body)
            }
        }
    }

    /// Returns whether the contract has nothing against following a redirection there.
    private func mayAsk(_ method: HTTPMethod, _ target: String) -> Bool {
        let below = target.utf8.starts(with: basePath.utf8) ? String(target.utf8.dropFirst(basePath.utf8.count)) : nil
        return [below, target].compactMap(\.self).allSatisfy { path in
            // Servers answer HEAD by running what answers GET.
            [method, .get].allSatisfy { method in
                contract.operation(method, path).map { contract.effect(of: $0.operation) == .read } ?? true
            }
        }
    }

    /// One exchange, and a second one when the server asks to wait for it.
    private mutating func response(to request: HTTPRequest, isRepeatable: Bool) async -> LiveResponse {
        let first = exchange(request, isRepeatable: isRepeatable)
        guard case .response(let response, _) = first, response.status == .tooManyRequests,
            let wait = RetryAfter.wait(in: response)
        else { return first }
        guard wait <= options.maximumWait else { return .askedToWait(wait) }
        await pause(wait)
        return exchange(request, isRepeatable: isRepeatable)
    }

    private mutating func exchange(_ request: HTTPRequest, isRepeatable: Bool) -> LiveResponse {
        guard sent < options.maximumRequests else { return .exhausted }
        sent += 1
        // A connection that was used before may be closed by now. A request that changes something is never sent
        // twice, so it gets a new connection.
        if !isRepeatable { client = nil }
        while true {
            let isReused = client != nil
            do throws(HTTPClientFailure) {
                return try send(request)
            } catch {
                client = nil
                guard isReused, error == .closedWithoutResponse || error == .reset else { return .failed(error) }
            }
        }
    }

    private mutating func send(_ request: HTTPRequest) throws(HTTPClientFailure) -> LiveResponse {
        let open: HTTPClient
        if let client {
            open = client
        } else {
            open = try HTTPClient(host: url.host, port: url.port, timeout: options.timeout)
            client = open
        }
        let response = try open.exchange(request).response
        // Bytes that nothing has asked for belong to this response, and must not be taken for the next one.
        let excess = (try? open.peek()) ?? []
        if !excess.isEmpty { client = nil }
        return .response(response, excess: excess)
    }
}

extension Operation {
    /// Returns whether the contract documents a status by its code or its range; `default` names nothing.
    func names(_ status: Int) -> Bool {
        responses.contains { $0.status == .code(status) || $0.status == .range(status / 100) }
    }
}

/// The wait that a server asks for (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// - Returns: `nil` when the server does not say, or says it in an unknown way.
    static func wait(in response: HTTPResponse) -> Duration? {
        guard let text = response.fields["Retry-After"] else { return nil }
        if text.utf8.count <= 9, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return Int(text).map { Duration.seconds($0) }
        }
        // A date is read by the server's own clock, which may be far from ours.
        guard let then = HTTPDate.parse(text), let now = response.fields["Date"].flatMap({ HTTPDate.parse($0) }) else {
            return nil
        }
        return .seconds(max(0, then - now))
    }
}

/// The target of a response with Location, seen from one server.
enum Redirection: Equatable {
    /// Another path of the same server, with its query.
    case here(String)
    /// Another scheme, host or port.
    case elsewhere(String)

    /// - Parameter path: the path that was asked for.
    init?(_ response: HTTPResponse, from path: String, at server: ServerURL) {
        guard [301, 302, 303, 307, 308].contains(response.status.code), let location = response.fields["Location"]
        else { return nil }
        let target = location.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)[0]
        self = Self.resolve(String(Substring(target)), from: path, at: server)
    }

    /// RFC 3986, section 5.2, as far as a redirection needs it.
    private static func resolve(_ target: String, from path: String, at server: ServerURL) -> Redirection {
        if target.utf8.starts(with: "//".utf8) { return resolve("http:" + target, from: path, at: server) }
        if target.utf8.first == UInt8(ascii: "/") { return .here(target) }
        if hasScheme(target) {
            let query = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
            guard let url = try? ServerURL(String(target[..<query])), url.port == server.port,
                url.host.lowercased() == server.host.lowercased()
            else { return .elsewhere(target) }
            let authority = target.utf8.dropFirst("http://".utf8.count)
            let path = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.endIndex
            return .here(path == query ? "/" + target[query...] : String(target[path...]))
        }
        if target.utf8.first == UInt8(ascii: "?") || target.isEmpty { return .here(path + target) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return .here(path[..<slash] + target)
    }

    private static func hasScheme(_ target: String) -> Bool {
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return !target.utf8[..<colon].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    }
}

/// The result of a request to a live server.
enum LiveResponse {
    /// The response, and the bytes that came behind its end.
    case response(HTTPResponse, excess: [UInt8])
    /// The server sends its clients to another one, which is not asked.
    case sentAway(to: String)
    /// The server redirects to what the contract marks as changing something, which is not asked.
    case sentToWrite(String)
    /// The server redirects without an end.
    case redirectedTooOften
    /// The server asks for a longer wait than is allowed.
    case askedToWait(Duration)
    case failed(HTTPClientFailure)
    /// The limit of requests is reached.
    case exhausted
}

/// Whose turn is next; a class, because parallel senders share it.
package final class AsyncSemaphore: Sendable {
    private let count: Int
    private let begun = Lock(0)

    init(_ count: Int) {
        self.count = count
    }

    package func next() -> Int? {
        let turn = begun.withLock { begun in
            defer { begun += 1 }
            return begun
        }
        return turn < count ? turn : nil
    }
}

extension AsyncSemaphore {
    /// Runs several workers side by side, and collects the results in their order.
    ///
    /// - Parameter hand: a worker, which takes turns until there are none, and returns the results of its turns.
    package static func results<Outcome: Sendable, Failure: Error>(
        of count: Int,
        hands: Int,
        _ hand: @escaping @Sendable (AsyncSemaphore) async throws(Failure) -> [(turn: Int, Outcome)]
    ) async throws(Failure) -> [Outcome] {
        let turns = AsyncSemaphore(count)
        let results = await withTaskGroup(of: Result<[(turn: Int, Outcome)], Failure>.self) { group in
            for _ in 0..<max(1, min(hands, count)) {
                group.addTask {
                    do throws(Failure) {
                        return .success(try await hand(turns))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<[(turn: Int, Outcome)], Failure>] = []
            for await result in group {
                if case .failure = result { group.cancelAll() }
                results.append(result)
            }
            return results
        }
        var all: [(turn: Int, Outcome)] = []
        for result in results { all += try result.get() }
        return all.sorted { $0.turn < $1.turn }.map(\.1)
    }
}

/// The server that is verified: where it listens, and the path that all of its operations begin with.
package struct ServerURL: Sendable, Hashable {
    package var host: String
    package var port: UInt16
    /// Without a slash at its end; `nil` when the user's URL has no path, and the contract's first server decides.
    package var basePath: String?

    /// Reads a URL as users type it.
    ///
    /// - Throws: ``VerificationProblem`` with what would be right.
    package init(_ text: String) throws(VerificationProblem) {
        guard let scheme = text.utf8.firstRange(of: "://".utf8) else {
            throw VerificationProblem("\"\(text)\" is not a URL; write http://\(text)")
        }
        switch String(text[..<scheme.lowerBound]).lowercased() {
        case "http": break
        case "https":
            throw VerificationProblem(
                "\(text) needs TLS, which Backlot does not speak",
                advice: "put a local proxy that ends TLS before it, and give the proxy's http:// address"
            )
        case let other: throw VerificationProblem("\"\(other)\" is not a scheme that Backlot speaks; write http://…")
        }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...]
        guard !path.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw VerificationProblem("\(text) has a query or a fragment; give the address that all paths begin with")
        }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw VerificationProblem("\(ServerURL.hidingUser(text)) names a user; give credentials by environment")
        }
        guard let (host, port) = ServerURL.split(authority) else {
            throw VerificationProblem("\"\(authority)\" is not a host with a port, such as localhost:8080")
        }
        self.host = host
        self.port = port
        basePath = path.isEmpty ? nil : ServerURL.withoutSlashes(path)
    }

    /// `http://localhost:8080`.
    package var origin: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == 80 ? "http://\(name)" : "http://\(name):\(port)"
    }

    private static func split(_ authority: Substring) -> (host: String, port: UInt16)? {
        var host = authority
        var digits = Substring()
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let end = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[authority.utf8.index(after: authority.startIndex)..<end]
            let rest = authority.utf8[end...].dropFirst()
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
            digits = Substring(rest.dropFirst())
        } else if let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) {
            host = authority[..<colon]
            digits = Substring(authority.utf8[colon...].dropFirst())
            guard !digits.isEmpty else { return nil }
        }
        guard !host.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        if digits.isEmpty { return (String(host), 80) }
        guard let port = UInt16(digits), port > 0 else { return nil }
        return (String(host), port)
    }

    static func withoutSlashes(_ path: some StringProtocol) -> String {
        var bytes = Array(path.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hidingUser(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        return "http://…" + text[at...]
    }
}

extension String.UTF8View {
    fileprivate func firstRange(of wanted: String.UTF8View) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            let rest = self[start...]
            if rest.starts(with: wanted) { return start..<index(start, offsetBy: wanted.count) }
            start = index(after: start)
        }
        return nil
    }
}
