import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// The responses of routes to a request without a valid token: one for each kind of token, and another where that would
/// not
/// do.
struct RefusalGuesses: Sendable {
    /// The response that refuses a kind of token, unless a route has another one.
    private var byKind: [String: Refusal] = [:]
    /// The responses of single routes, by their operations' URIs.
    private var byOperation: [String: Refusal] = [:]

    enum Refusal: Sendable {
        case documented(SampleResponse)
        /// The contract has no response for it.
        case undocumented
    }

    init(_ contract: Contract, _ routes: [DraftedRoute], _ tokens: TokenGuesses, _ answers: SampleResponses) {
        let judge = ContractEvaluator(contract)
        for kind in tokens.kinds {
            let wanting = routes.filter { route in
                tokens.kinds(wantedBy: route.operation).contains { $0.name.exact == kind.name.exact }
                    || kind.role == .refresh && tokens.refreshes(of: route.operation) != nil
            }
            byKind[kind.name] = Self.usual(of: wanting, tokens, answers)
        }
        for route in routes {
            guard let kind = tokens.kinds(wantedBy: route.operation).first, let usual = byKind[kind.name] else {
                continue
            }
            let isFine =
                switch usual {
                case .documented(let answer): judge.allows(answer, to: route.operation)
                case .undocumented: route.operation.refusal == nil
                }
            if !isFine { byOperation[route.operation.uri] = Self.own(of: route.operation, answers) }
        }
    }

    func usual(ofKind name: String) -> Refusal? { byKind[name] }

    func own(of operation: Operation) -> Refusal? { byOperation[operation.uri] }

    /// The response that most operations document.
    private static func usual(
        of routes: [DraftedRoute],
        _ tokens: TokenGuesses,
        _ answers: SampleResponses
    ) -> Refusal {
        var counts: [String: (count: Int, order: Int, operation: Operation, refusal: DocumentedRefusal)] = [:]
        for (order, route) in routes.enumerated() {
            let isEndpoint = tokens.refreshes(of: route.operation) != nil
            guard let refusal = isEndpoint ? invalidGrant(of: route.operation) : route.operation.refusal else {
                continue
            }
            counts["\(refusal.status) \(refusal.response.uri)", default: (0, order, route.operation, refusal)].count +=
                1
        }
        let best = counts.values.max { ($0.count, -$0.order) < ($1.count, -$1.order) }
        return best.flatMap { answers.answer($0.refusal.response, status: $0.refusal.status, of: $0.operation) }
            .map { .documented($0) } ?? .undocumented
    }

    private typealias DocumentedRefusal = (response: DocumentedResponse, status: Int)

    /// The response to an invalid refresh token: 400 with `invalid_grant` (RFC 6749, section 5.2), if it is documented.
    private static func invalidGrant(of operation: Operation) -> DocumentedRefusal? {
        guard operation.responses.contains(where: { $0.status == .code(400) }),
            let response = operation.response(for: 400)
        else { return operation.refusal }
        return (response, 400)
    }

    private static func own(of operation: Operation, _ answers: SampleResponses) -> Refusal {
        guard let (response, status) = operation.refusal,
            let answer = answers.answer(response, status: status, of: operation)
        else { return .undocumented }
        return .documented(answer)
    }

    /// The status code that refuses a kind of token.
    func status(refusing name: String) -> Int {
        if case .documented(let answer) = byKind[name] { answer.status } else { 401 }
    }
}

extension RefusalGuesses.Refusal {
    func response(on fixtures: inout DraftFixtures) -> JSONValue {
        switch self {
        case .documented(let answer): answer.sharedResponse(named: "\(answer.status)", on: &fixtures).json
        case .undocumented:
            .route([
                .status: 401, .empty: true, .breaks: "The contract does not document a refusal response.",
            ])
        }
    }
}

extension ContractEvaluator {
    /// Returns whether an operation may respond so.
    func allows(_ answer: SampleResponse, to operation: Operation) -> Bool {
        guard operation.response(for: answer.status) != nil else { return false }
        guard answer.json != nil else {
            return violations(of: answer.response, to: operation).isEmpty
        }
        return violations(ofStatus: answer.status, fields: answer.httpFields, body: answer.json, to: operation).isEmpty
    }
}
