import Basics
public import Foundation
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import StubServing

extension BacklotServer {
    /// A request and its response in the server's journal.
    public struct Exchange: Sendable, CustomStringConvertible {
        /// The exchange number, starting at 1.
        public let number: Int
        /// The time on the server's clock at which the request arrived.
        public let date: Date
        /// The method, in uppercase.
        public let method: String
        /// The path and the query.
        public let target: String
        /// The request's header fields, in order.
        public let requestFields: [(name: String, value: String)]
        /// The request's body.
        public let requestBody: Data
        /// The response status.
        public let status: Int
        /// The response's header fields, in order.
        public let responseFields: [(name: String, value: String)]
        /// The response's body.
        public let responseBody: Data
        /// The matching route, such as `GET /pets/{id}`, or `nil` if no route matched.
        public let route: String?
        /// The fault that replaced the response, such as `reset`, or `nil` if the response was not replaced.
        public let fault: String?
        /// The tokens in the request, such as `access-1 expired`.
        public let tokens: [String]
        /// A Boolean value that indicates whether the response is still pending.
        public let isOpen: Bool

        /// The exchange on one line, such as `3 GET /pets 401 (access-1 expired)`.
        public var description: String {
            let note = tokens.isEmpty ? "" : " (\(tokens.joined(separator: ", ")))"
            return "\(number) \(method) \(target) \(fault ?? String(status))\(note)"
        }

        init(_ exchange: Simulation.Exchange) {
            number = Int(clamping: exchange.number)
            date = Date(timeIntervalSince1970: Double(exchange.time.microseconds) / 1e6)
            method = exchange.request.method.rawValue
            target = exchange.request.target
            requestFields = exchange.request.fields.map { ($0.name, $0.value) }
            requestBody = Data(exchange.request.body)
            status = exchange.status.code
            responseFields = exchange.response.fields.map { ($0.name, $0.value) }
            responseBody = Data(exchange.response.body)
            route = exchange.route
            fault = exchange.fault?.rawValue
            tokens = exchange.offered.map { "\($0.id ?? $0.kind ?? $0.wanted) \($0.standing.rawValue)" }
            isOpen = exchange.outcome == .open
        }
    }

    /// A token that the server has issued.
    public struct Token: Sendable, Hashable, CustomStringConvertible {
        /// The kind of token in the story, such as `access`.
        public let kind: String
        /// The kind and a number, such as `access-2`, as shown in reports.
        public let id: String
        /// The value that requests contain.
        public let value: String
        /// The token's state: `valid`, `expired`, `revoked`, `superseded` (exchanged for a newer token) or `reused`.
        public let state: String
        /// The device that signed in.
        public let device: String
        /// The account that signed in.
        public let account: String
        /// The remaining lifetime on the server's clock, which is negative for an expired token.
        public let timeLeft: Duration

        /// The token on one line, such as `access-2 valid, 15 min left`.
        public var description: String { "\(id) \(state), \(DurationText.text(timeLeft)) left" }
    }

    /// The exchanges in the journal, in order of arrival.
    ///
    /// A journal keeps the most recent exchanges, up to 64 MB.
    public var journal: [Exchange] { session.exchanges.map(Exchange.init) }

    /// Waits for a request to a route, or returns an earlier request.
    ///
    /// The response may still be in progress.
    ///
    /// Use this method in a test that acts during the request, for example to advance the clock or cancel the client's
    /// task.
    ///
    /// - Parameters:
    ///   - route: The route's key in the story, such as `GET /cart`.
    ///   - number: The exchange number after which requests count. By default, all requests in the journal count.
    /// - Throws: ``StoryProblem`` if the story does not contain the route, or `CancellationError` if the task is
    ///   canceled or the server stops first.
    @discardableResult
    public func waitForRequest(to route: String, after number: Int = 0) async throws -> Exchange {
        do {
            try session.check(route: route)
        } catch {
            throw StoryProblem(error)
        }
        while true {
            try Task.checkCancellation()
            // Counted before the journal is read, so that no request comes in between unseen.
            let last = session.lastExchange
            if let found = session.exchanges.first(where: { $0.number > UInt64(max(0, number)) && $0.route == route }) {
                return Exchange(found)
            }
            await session.suspend { session.wait(untilDecided: last + 1, $0) }
            guard session.lastExchange > last else { throw CancellationError() }
        }
    }

    /// All tokens of all devices, in order of issue.
    public var tokens: [Token] {
        let (ledger, now) = session.ledger
        return ledger.devices.flatMap { device in
            ledger.tokens(of: device).map { token in
                Token(
                    kind: token.kind,
                    id: token.id,
                    value: token.value,
                    state: token.standing(now: now).rawValue,
                    device: device.name,
                    account: device.account,
                    timeLeft: .milliseconds((token.expires - now).wholeMicroseconds / 1_000)
                )
            }
        }
    }

    /// Returns the newest token of a kind, which a signed-in client would have stored, or `nil` if no device has a
    /// token of this kind.
    ///
    /// If the client must be signed in, use ``requireToken(_:)``, whose error describes what is missing from the story.
    public func token(_ kind: String) -> String? { tokens.last { $0.kind == kind }?.value }

    /// Returns the newest token of a kind, which a signed-in client would have stored.
    ///
    /// - Parameter kind: The kind's name in the story, such as `access`.
    /// - Throws: ``ServerProblem`` if the story does not declare the kind, or if no device has a token of this kind.
    ///   The description explains what to add to the story.
    public func requireToken(_ kind: String) throws -> String {
        if let token = token(kind) { return token }
        let issued = tokens
        let sentence: String
        if !tokenKinds.contains(kind.exact) {
            let advice = Suggestion.advice(for: kind, among: tokenKinds) ?? "none is declared"
            sentence = "unknown token kind \"\(kind)\"; \(advice)"
        } else if let device = issued.last?.device {
            let kinds = Set(issued.map(\.kind)).sorted().joined(lastBy: "and")
            sentence = "the device \"\(device)\" has no \"\(kind)\" token; it has \(kinds)"
        } else {
            sentence =
                "no device is signed in, so there is no \"\(kind)\" token; add .signedIn(\"phone\", ago: .minutes(1)) to the "
                + "story, or \"given\": [{\"signIn\": \"phone\"}] to the story file"
        }
        throw ServerProblem(description: sentence)
    }

    /// Environment variables for `XCUIApplication.launchEnvironment` or for an app's process: `BACKLOT_URL`,
    /// `BACKLOT_ORIGIN_NAME` for each other server, `BACKLOT_TOKENS` (a JSON object of the stored tokens by kind),
    /// `BACKLOT_TOKEN_KIND` for each stored token, `BACKLOT_DEVICES` (an object with the tokens of each device, by
    /// device name), and `BACKLOT_NOW` (the server's time, ISO 8601).
    ///
    /// The URL is on loopback, so apps on the same device or simulator can reach the server.
    public var environment: [String: String] {
        var variables = ClientEnvironment()
        variables.set("URL", url.absoluteString)
        variables.set("NOW", session.moment.description)
        for (name, url) in origins.sorted(by: { $0.key < $1.key }) { variables.set(origin: name, url.absoluteString) }
        variables.set(tokens: session.tokens)
        return Dictionary(variables.values.map { ($0.name, $0.value) }) { _, last in last }
    }
}
