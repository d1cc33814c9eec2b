package import Basics
package import Checking
import HTTPCodec
import JSON
package import ScenarioFormat
import Simulation
import StubServing

/// Plays a scenario with the requests of an upstream, and compares the upstream's responses with the scenario's.
///
/// The scenario's tokens and identifiers take the place of the upstream's in each request, as far as responses have shown
/// both at the same place. Its clock follows the dates of the upstream. A class, because all loops share it.
package final class MockComparison: Sendable {
    private struct State {
        /// `nil` before the first response.
        var session: Session?
        var pairs = ValuePairs()
        var result = DriftResult()
        /// The bodies that the mock has sent, by the places of its responses.
        var bodies: [JSONPosition: ResponseDrift.Bodies] = [:]
        /// The differing responses by their places in the scenario, each with its last real one.
        var updates: [JSONPosition: DriftUpdate.Wanted] = [:]
    }

    private let loaded: LoadedScenario
    private let played: CompiledScenario
    private let sources: ResponseDrift.Sources
    private let state = Lock(State())

    /// The scenario's time passes only by the dates of responses.
    private static let now = MonotonicTime(nanoseconds: 0)

    package init(_ loaded: LoadedScenario, files: any FileReading) {
        self.loaded = loaded
        played = CompiledScenario(loaded.scenario)
        sources = ResponseDrift.Sources(loaded, files: files)
    }

    /// The path of the scenario.
    package var path: String { loaded.path }

    package var result: DriftResult { state.withLock { $0.result } }

    /// The differing responses of the scenario, in the order of its files.
    package var updates: [DriftUpdate.Wanted] {
        state.withLock { state in
            state.updates.sorted { ($0.key.document, $0.key.text) < ($1.key.document, $1.key.text) }
                .map { $1.adding(state.bodies[$0]?.real ?? []) }
        }
    }

    /// Compares a response of the upstream.
    ///
    /// - Parameters:
    ///   - entry: The exchange with decoded bodies.
    ///   - secrets: The secrets of the exchange, which no file may contain.
    /// - Returns: the differences that were not found before.
    func compare(
        _ entry: Capture.Entry,
        _ forwarding: Decision.Forwarding,
        secrets: [String],
        at wallTime: VirtualTime
    ) -> [Finding] {
        guard let real = entry.response else { return [] }
        return state.withLock { state in
            switch outcome(of: entry, real, forwarding, secrets, at: wallTime, &state) {
            case .skipped(let reason, let place):
                state.result.skip(reason.printable, at: place)
                return []
            case .compared(let drift, let script, let route):
                state.result.compared += 1
                let findings = drift.differences.map { difference in
                    Finding(
                        .error,
                        id: difference.id,
                        "the mock is out of date here: \(route.printable): \(difference.words)",
                        at: difference.place
                    )
                }
                let new = findings.filter { !state.result.differences.contains($0) }
                if !findings.isEmpty {
                    state.updates[script.position] = DriftUpdate.Wanted(
                        script: script,
                        route: route,
                        real: real,
                        secrets: secrets,
                        place: loaded.sources.place(of: script.position)
                    )
                }
                state.result.differences += new
                return new
            }
        }
    }

    private enum Outcome {
        case compared(ResponseDrift, StubResponse, route: String)
        case skipped(String, Place?)
    }

    private func outcome(
        of entry: Capture.Entry,
        _ real: HTTPResponse,
        _ forwarding: Decision.Forwarding,
        _ secrets: [String],
        at wallTime: VirtualTime,
        _ state: inout State
    ) -> Outcome {
        let label = "\(entry.request.method) \(entry.request.path)"
        guard !entry.lacksRequestBody else { return .skipped("a request with a long or coded body", nil) }
        let date = real.fields["Date"].flatMap { HTTPDate.parse($0) }.map { VirtualTime(seconds: $0) } ?? wallTime
        var session =
            state.session.take() ?? Session(played, start: date, at: Self.now, journal: .init(exchanges: 2))
        let passed = date - session.time(at: Self.now)
        if passed > .zero { session.advance(by: passed, at: Self.now) }
        let kept = real.status.code >= 400 ? session : nil
        let request = state.pairs.translated(entry.request)
        let (decision, exchange) = Self.decide(request, in: &session)
        let mock = decision?.response
        // What the upstream has refused to do has not happened in the scenario, either.
        let isUndone = (mock?.status.code ?? 500) < 400
        state.session = isUndone ? kept ?? session : session
        guard let decision, let mock else { return .skipped("a gate of the scenario holds \(label)", nil) }
        let route = exchange?.route ?? label
        let place = loaded.scenario.routes.first { $0.key.text.exact == exchange?.route?.exact }
            .map { loaded.sources.place(of: $0.position) }
        func skipped(_ reason: String) -> Outcome {
            .skipped(
                "\(exchange?.route ?? "\(entry.request.method) \(Self.general(entry.request.path))"): \(reason)",
                place
            )
        }
        if forwarding.status != nil { return skipped("the served scenario replaces the status") }
        if entry.lacksResponseBody || real.status.code == 101 {
            return skipped("a stream, or a body that is incomplete or longer than 1 MB")
        }
        guard exchange?.route != nil || real.status.code == 404 || real.status.code == 405 else {
            return skipped("the scenario has no such route")
        }
        guard let script = decision.script?.response else {
            return skipped(
                "the scenario has no response to this request; its server sends \(mock.status.code) by itself"
            )
        }
        if case .forwarded = script.body { return skipped("the scenario sends this request on") }
        if decision.isStream { return skipped("the response of the scenario is a stream") }
        if decision.fault != nil { return skipped("the scenario breaks the connection here") }
        state.pairs.learn(real, mock)
        let others = loaded.scenario.possibleResponses(on: exchange?.route)
        if real.status != mock.status {
            let explanation = explanation(of: real.status.code, mock.status.code, on: exchange?.route, others)
            if let explanation { return skipped(explanation) }
        }
        let drift = ResponseDrift(
            of: real,
            with: mock,
            of: script,
            others: others,
            earlier: state.bodies[script.position]?.all ?? [],
            isHead: entry.request.method == .head,
            ignoring: Set(forwarding.fields.map { $0.name.lowercased() }),
            in: sources
        )
        state.bodies[script.position, default: ResponseDrift.Bodies()].add(drift, hiding: secrets)
        return .compared(drift, script, route: "\(route) (\(mock.status.code))")
    }

    /// The reason why a status can be another one although the scenario describes the server correctly, or `nil`.
    private func explanation(of real: Int, _ mock: Int, on key: String?, _ others: [StubResponse]) -> String? {
        let route = loaded.scenario.routes.first { $0.key.text.exact == key?.exact }
        let requiresTokens = route?.requiredKinds.isEmpty == false
        if real >= 500 { return "the real server failed with \(real)" }
        if real == 304 || real == 412 || real == 206 || mock == 304 || mock == 206 {
            return "the response is conditional, \(real) instead of \(mock)"
        }
        let isKnown = others.contains { $0.status == real }
        if isKnown || real == 401 && requiresTokens {
            return "the scenario sends \(mock) in its state, and \(real) in another one"
        }
        switch real {
        case 403 where requiresTokens: return "the real server does not allow the account to do this (403)"
        case 404 where route?.key.template.parameterNames.isEmpty == false,
            410 where route?.key.template.parameterNames.isEmpty == false:
            return "the real server does not have the requested item (\(real))"
        case 409 where mock < 400: return "the state of the real server is another one (409)"
        case 429: return "the real server received too many requests (429)"
        default: return nil
        }
    }

    /// The path with a sign in place of each part that names an item.
    private static func general(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.utf8.contains(where: \.isASCIIDigit) || $0.utf8.count > 30 ? "*" : String($0) }
            .joined(separator: "/")
    }

    private static func decide(_ request: HTTPRequest, in session: inout Session) -> (Decision?, Exchange?) {
        var decision: Decision?
        for effect in session.step(.request(IncomingRequest(request)), at: now) {
            switch effect {
            case .decided(let decided), .responseHeld(let decided): decision = decision ?? decided
            case .requestHeld(let ticket): _ = session.step(.left(ticket: ticket), at: now)
            default: break
            }
        }
        guard let decision else { return (nil, nil) }
        let exchange = session.journal.exchange(decision.exchange)
        _ = session.step(.ended(exchange: decision.exchange, .sent), at: now)
        return (decision, exchange)
    }
}
