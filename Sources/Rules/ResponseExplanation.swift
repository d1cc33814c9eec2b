package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat
package import Simulation

/// The case that a response comes from, and the reasons that earlier cases did not respond.
package struct ResponseExplanation: Sendable {
    /// Where the guard, the case or the route's own response stands; `nil` where that is not known.
    package var place: Place?
    /// A sentence for each case that was tried and did not hold, in the order of the file.
    package var casesNotTaken: [String] = []

    /// More cases than these are only counted.
    private static let mostCases = 20

    /// - Parameter scenario: what is played now. After a reload it may be another one than the exchange met; what
    ///   contradicts the exchange is left out.
    package init(of exchange: Exchange, in scenario: Scenario, _ sources: SourceMap) {
        let answeredBy = exchange.answeredBy
        let guards = exchange.origin == nil ? scenario.earlyGuards + scenario.lateGuards : []
        if let rule = guards.first(where: { $0.name.exact == answeredBy?.exact }) {
            place = sources.place(of: rule.response.position)
            return
        }
        guard let route = scenario.route(of: exchange) else { return }
        let tried: ArraySlice<Branch>
        if let taken = exchange.numberOfCase {
            guard route.cases.indices.contains(taken - 1) else { return }
            place = sources.place(of: route.cases[taken - 1].position)
            tried = route.cases.prefix(taken - 1)
        } else if exchange.isOwnResponse(of: route) {
            place = route.responses.own.map { sources.place(of: $0.position) }
            tried = route.cases[...]
        } else {
            return
        }
        for (index, branch) in tried.prefix(Self.mostCases).enumerated() {
            guard let reason = exchange.reason(against: branch.condition, of: route.key) else { continue }
            casesNotTaken.append("case \(index + 1) \(reason) (\(sources.place(of: branch.position)))")
        }
        if tried.count > Self.mostCases {
            casesNotTaken.append("\(tried.count - Self.mostCases) more cases did not match")
        }
    }
}

extension Scenario {
    /// The route that has answered, as far as it is still there.
    func route(of exchange: Exchange) -> Route? {
        let routes = exchange.origin.map { name in origins.first { $0.name.exact == name.exact }?.routes ?? [] }
        return exchange.route.flatMap { key in (routes ?? self.routes).first { $0.key.text.exact == key.exact } }
    }
}

extension Branch {
    fileprivate var position: JSONPosition { responses.all.first?.position ?? .unknown }
}

extension Exchange {
    /// The number of the case that responded, counted from one.
    var numberOfCase: Int? {
        guard let answeredBy = self.answeredBy, answeredBy.hasPrefix("case ") else { return nil }
        return Int(answeredBy.dropFirst("case ".count))
    }

    /// Returns whether the response is certain to be the one that a route gives where no case holds.
    fileprivate func isOwnResponse(of route: Route) -> Bool {
        guard self.answeredBy == nil, !route.cases.isEmpty, route.responses.listed.isEmpty,
            !self.offered.contains(where: { $0.isAccepted == false })
        else { return false }
        if response.fields["content-type"] == Problem.contentType {
            return String(decoding: message.body, as: UTF8.self).contains("\"urn:backlot:problem:no-case\"")
        }
        return route.responses.own?.status == status.code
    }

    /// The reason that a condition did not hold; `nil` if the exchange meets it, as far as the journal shows.
    fileprivate func reason(against condition: Condition, of key: RouteKey) -> String? {
        switch outcome(of: condition, on: key.template) {
        case .holds: return nil
        case .fails(let part):
            guard let (name, matcher) = part.wanted.subject else { return "requires \(part.wanted.requirement)" }
            let sent = part.sent.map { "contains \(Sentences.value($0))" } ?? "contains none"
            return "requires \(name) \(matcher.words), but the request \(sent)"
        case .unknown(let parts):
            let terms = parts.map(\.wanted.requirement)
            return terms.count == 1
                ? "requires \(terms[0])"
                : "requires several conditions, and at least one was not met: \(terms.joined(separator: "; "))"
        }
    }
}

extension Condition {
    /// The words after "requires".
    fileprivate var requirement: String {
        if let (name, matcher) = subject { return "\(name) \(matcher.words)" }
        switch self {
        case .all(let conditions): return conditions.map(\.requirement).joined(separator: " and ")
        case .any(let conditions): return "one of these: \(conditions.map(\.requirement).joined(separator: "; "))"
        case .not(let condition): return "the opposite of \(condition.requirement)"
        case .token(let test):
            let facts = test.facts.map { " with \($0.pointer.description.printable) \($0.matcher.words)" }
            return "the \(test.kind.printable) token to be \(Sentences.list(test.accepted.map(\.words), "or"))"
                + facts.joined(separator: " and")
        case .proof(let state): return "the proof of possession to be \(state.rawValue)"
        case .state(let name, let values):
            return "the state \(name.printable) to be \(Sentences.list(values.map(\.printable), "or"))"
        case .found(let name, let isFound): return "\(name.printable) \(isFound ? "to be" : "not to be") found"
        case .foundValue(let name, let pointer, let matcher):
            return "\(pointer.description.printable) of the found \(name.printable) \(matcher.words)"
        case .upload(let name, _): return "an upload \(name.printable) as it describes"
        case .onlyQuery: return "no further query items"
        case .routeInFlight: return "another request to the route at the same time"
        case .inFlight(let least): return "\(least) other requests at the same time"
        default: return "what it describes"
        }
    }
}
