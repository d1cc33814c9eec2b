import Basics
import JSON
import ScenarioFormat

/// Finds routes and cases that look at a token and hand out new ones for any: a made-up one gets them, too.
///
/// A response that says `signIn` means it: it starts a session for a caller who may have had one before.
struct OpenGrants {
    let loaded: LoadedScenario

    var findings: [Finding] {
        let scenario = loaded.scenario
        return (scenario.routes + scenario.origins.flatMap(\.routes)).flatMap { route -> [Finding] in
            let cases = route.cases.enumerated().compactMap { number, branch in
                finding(
                    "case \(number + 1) of \(route.key.text)",
                    tested(route.requirements, by: route.cases[..<number]) + branch.requirements,
                    branch.responses.all
                )
            }
            // The listed responses of a story come before the cases.
            let first = route.listsFirst ? route.responses.listed : []
            let last = route.listsFirst ? [route.responses.own].compactMap(\.self) : route.responses.all
            let rest = tested(route.requirements, by: route.cases[...])
            return cases
                + [
                    finding(route.key.text, route.requirements, first), finding(route.key.text, rest, last),
                    early(route),
                ].compactMap(\.self)
        }
    }

    /// The requirements without the states for which an earlier case responds to every request.
    private func tested(_ requirements: [TokenRequirement], by cases: ArraySlice<Branch>) -> [TokenRequirement] {
        requirements.map { requirement in
            var rest = requirement
            let states = cases.flatMap { $0.condition.states(of: requirement) }
            rest.accepted.removeAll(where: states.contains)
            return rest
        }
    }

    /// Finds tokens that a story's list hands out before the route's cases look at any.
    private func early(_ route: Route) -> Finding? {
        let isLooked = route.cases.contains { branch in
            branch.requirements.contains(where: isOwn)
        }
        guard route.listsFirst, route.requirements.isEmpty, isLooked,
            let response = route.responses.listed.first(where: Self.grantsAnew)
        else { return nil }
        return Finding(
            .error,
            id: "check/open-grant",
            "this response to \(route.key.text) grants new tokens before any of the route's cases has checked a token"
                .printable,
            at: loaded.sources.place(of: response.position),
            advice:
                "to lose the response, add {\"fault\": \"lost\", \"route\": \"\(route.key.text)\"} to \"given\" or "
                + "\"timeline\", which leaves the cases unchanged"
        )
    }

    /// Returns whether the backend itself grants the tokens of a requirement.
    private func isOwn(_ requirement: TokenRequirement) -> Bool {
        loaded.scenario.tokens.kind(named: requirement.kind)?.isForeign == false
    }

    private static func grantsAnew(_ response: StubResponse) -> Bool {
        response.breaks == nil && response.signIn == nil && response.grants.contains { $0.source == .new }
    }

    private func finding(
        _ name: String,
        _ requirements: [TokenRequirement],
        _ responses: [StubResponse]
    ) -> Finding? {
        let own = requirements.filter(isOwn)
        guard !own.isEmpty, !own.contains(where: \.accepted.isEmpty), responses.contains(where: Self.grantsAnew) else {
            return nil
        }
        guard own.allSatisfy({ $0.accepted.contains(where: Self.untested.contains) }) else {
            return kindless(name, own)
        }
        let states = Set(own.flatMap(\.accepted)).intersection(Self.untested).map(\.rawValue).sorted()
        return Finding(
            .error,
            id: "check/open-grant",
            "\(name) grants new tokens for a token that is \(states.joined(separator: " or ")), so any request receives tokens"
                .printable,
            at: own.last.map { loaded.sources.place(of: $0.position) },
            advice:
                "require a valid token; if one endpoint has several grants, put each grant in its own entry of \"cases\" "
                + "with its own \"requires\"; in a response that starts a session, set \"signIn\": true"
        )
    }

    /// States in which no token of this backend is.
    private static let untested: Set<TokenStanding> = [.missing, .malformed, .unknown, .wrongKind]

    /// Reports a refresh that accepts tokens of other kinds, because the backend cannot distinguish them.
    private func kindless(_ name: String, _ requirements: [TokenRequirement]) -> Finding? {
        let tokens = loaded.scenario.tokens
        let kinds = requirements.map(\.kind)
        let others = tokens.kinds.map(\.name).filter { kind in
            !kinds.contains(kind) && tokens.interchangeable.includes(kind)
        }
        guard let other = others.first, let wanted = kinds.first else { return nil }
        return Finding(
            .note,
            id: "check/any-kind-renews",
            "\(name) grants new tokens for any valid \"\(other)\" token as well as for a \"\(wanted)\" token".printable,
            at: requirements.last.map { loaded.sources.place(of: $0.position) },
            advice: "\"interchangeable\" allows this; remove this key unless the server behaves in this way"
        )
    }
}

extension Condition {
    /// The states of a required token for which the condition holds, regardless of the rest of the request.
    fileprivate func states(of requirement: TokenRequirement) -> [TokenStanding] {
        switch self {
        case .all(let conditions) where conditions.count == 1: conditions[0].states(of: requirement)
        case .any(let conditions): conditions.flatMap { $0.states(of: requirement) }
        case .token(let test)
        where test.kind == requirement.kind && test.facts.isEmpty && test.carriers == requirement.carriers:
            test.accepted
        default: []
        }
    }
}
