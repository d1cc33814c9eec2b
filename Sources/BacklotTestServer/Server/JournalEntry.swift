import Basics
public import Foundation
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import StubServing

extension BacklotServer {
    /// A request and its response, as the server has them.
    public struct Exchange: Sendable, CustomStringConvertible {
        /// Counted from 1.
        public let number: Int
        /// When the request had arrived, on the server's clock.
        public let date: Date
        /// The method, in capitals.
        public let method: String
        /// The path and the query.
        public let target: String
        /// The request's header fields, in their order.
        public let requestFields: [(name: String, value: String)]
        /// The request's body.
        public let requestBody: Data
        /// The status of the response.
        public let status: Int
        /// The response's header fields, in their order.
        public let responseFields: [(name: String, value: String)]
        /// The response's body.
        public let responseBody: Data
        /// The route that matched, such as `GET /pets/{id}`; `nil` where none did.
        public let route: String?
        /// The fault that was injected instead of the response, such as `reset`.
        public let fault: String?
        /// The tokens that the request offered, such as `access-1 expired`.
        public let tokens: [String]
        /// Whether the response has not left yet.
        public let isOpen: Bool

        /// One line: `3 GET /pets 401 (access-1 expired)`.
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
            status = exchange.response.status.code
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
        /// The kind, as the story calls it: `access`.
        public let kind: String
        /// The kind and a number, as reports call it: `access-2`.
        public let id: String
        /// What travels in requests.
        public let value: String
        /// `valid`, `expired`, `revoked`, `superseded` (exchanged for a newer one) or `reused`.
        public let state: String
        /// The device that signed in.
        public let device: String
        /// The account that signed in.
        public let account: String
        /// How long it is still valid on the server's clock; negative once it has expired.
        public let timeLeft: Duration

        /// One line: `access-2 valid, 15 min left`.
        public var description: String { "\(id) \(state), \(DurationText.text(timeLeft)) left" }
    }

    /// What the journal has, in the order of arrival.
    ///
    /// A journal keeps the last exchanges, up to some megabytes.
    public var journal: [Exchange] { session.exchanges.map(Exchange.init) }

    /// Returns when a request of a route has come, whose response may be under way; at once where it had come before.
    ///
    /// For a test that does something meanwhile: it lets time pass, or cancels the client's task.
    ///
    /// - Parameters:
    ///   - route: as the story has it: `GET /cart`.
    ///   - number: the exchange whose successors count; all that the journal has unless told otherwise.
    /// - Throws: ``StoryProblem`` when the story has no such route, `CancellationError` when the task is cancelled or the
    ///   server stops before.
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

    /// Every token of every device, in the order of issue.
    public var tokens: [Token] {
        (session.tokens["devices"]?.array ?? []).flatMap { device in
            (device["tokens"]?.array ?? []).map { token in
                Token(
                    kind: token["kind"]?.string ?? "",
                    id: token["id"]?.string ?? "",
                    value: token["value"]?.string ?? "",
                    state: token["state"]?.string ?? "",
                    device: device["device"]?.string ?? "",
                    account: device["account"]?.string ?? "",
                    timeLeft: .seconds(token["secondsLeft"]?.number?.double ?? 0)
                )
            }
        }
    }

    /// The newest token of a kind, which a client that was signed in before has stored; `nil` where there is none.
    ///
    /// A test whose client has to be signed in calls ``requireToken(_:)``, which says what is missing.
    public func token(_ kind: String) -> String? { tokens.last { $0.kind == kind }?.value }

    /// The newest token of a kind, which a client that was signed in before has stored.
    ///
    /// - Parameter kind: as the story calls it: `access`.
    /// - Throws: ``ServerProblem`` where the story has no such kind, or no device has a token of it: the sentence says what
    ///   to add to the story.
    public func requireToken(_ kind: String) throws -> String {
        if let token = token(kind) { return token }
        let issued = tokens
        let sentence: String
        if !tokenKinds.containsExactly(kind) {
            let advice =
                Suggestion.nearest(to: kind, among: tokenKinds).map { "did you mean \"\($0)\"?" }
                ?? (tokenKinds.isEmpty ? "it declares none" : "there are \(tokenKinds.joined(lastBy: "and"))")
            sentence = "the story has no kind of token \"\(kind)\"; \(advice)"
        } else if let device = issued.last?.device {
            let kinds = Set(issued.map(\.kind)).sorted().joined(lastBy: "and")
            sentence = "the device \"\(device)\" has no \"\(kind)\" token; it has \(kinds)"
        } else {
            sentence =
                "no device is signed in, so there is no \"\(kind)\" token; add .signedIn(\"phone\", ago: .minutes(1)) to the "
                + "story, or \"given\": [{\"signIn\": \"phone\"}] to its file"
        }
        throw ServerProblem(description: sentence)
    }

    /// What an app needs to know, for `XCUIApplication.launchEnvironment` or a process: `BACKLOT_URL`,
    /// `BACKLOT_ORIGIN_NAME` for each other server, `BACKLOT_TOKENS` (a JSON object of the stored tokens by kind),
    /// `BACKLOT_DEVICES` (the same for each device by name), and `BACKLOT_NOW` (the server's time, ISO 8601).
    ///
    /// Apps on the same device or simulator reach the URL; it is on loopback.
    public var environment: [String: String] {
        var variables = ClientEnvironment()
        variables.set("URL", url.absoluteString)
        variables.set("NOW", session.moment.description)
        for (name, url) in origins.sorted(by: { $0.key < $1.key }) { variables.set(origin: name, url.absoluteString) }
        variables.set(tokens: session.tokens)
        return Dictionary(variables.values.map { ($0.name, $0.value) }) { _, last in last }
    }
}
