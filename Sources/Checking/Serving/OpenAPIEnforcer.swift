import Basics
import HTTPCodec
import JSON
package import OpenAPI
import ScenarioFormat
package import Simulation

/// An OpenAPI file at work next to a scenario.
///
/// A class, because sessions and event loops share it with what it has found out.
final class OpenAPIEnforcer: ContractEnforcer {
    private let contract: Contract
    let terms: ContractTerms
    private let judge: ContractEvaluator
    private let undocumented: UndocumentedRule
    private let maker: ResponseMaker
    private let verdicts = ResponseEvaluations()
    private let sources: ResponseSources
    /// The routes of the scenario and the operations of the contract that an unknown request may have meant.
    private let known: [RouteKey]
    /// The paths of the issuer, which no contract needs to document.
    private let issuerPaths: Set<String>

    init(_ contract: Contract, nextTo loaded: LoadedScenario, _ terms: ContractTerms) {
        let scenario = loaded.scenario
        self.contract = contract
        sources = ResponseSources(loaded.sources, files: terms.files)
        self.terms = terms
        judge = ContractEvaluator(contract)
        undocumented = scenario.undocumented ?? (terms.mode == .enforce ? .refuse : .warn)
        maker = ResponseMaker(contract, fill: terms.fill)
        issuerPaths = Set(
            scenario.routes.filter { scenario.issuerPosition != nil && $0.position == scenario.issuerPosition }
                .map { String($0.key.text.drop { $0 != " " }.dropFirst()) }
        )
        let routes = scenario.routes.map(\.key)
        known = routes + (terms.fill == .off ? [] : contract.operations.compactMap(RouteKey.init))
    }

    var source: any ServedContract { contract }

    var filledOperations: [String] { terms.fill == .off ? [] : contract.operations.map(\.label) }

    // MARK: Requests

    func consult(_ request: HTTPRequest) -> RequestConsultation {
        guard let match = match(request) else {
            return RequestConsultation(evaluation(onUnknown: request), reviewer: nil)
        }
        let operation = match.operation
        var evaluation = ContractEvaluation()
        if terms.mode != .off {
            evaluation.violations = judge.violations(of: request, for: match).map { Violation($0, in: .request) }
            let errors = evaluation.violations.filter { $0.severity == .error }
            if terms.mode == .enforce, !errors.isEmpty {
                evaluation.refusal = .refusedRequest(errors, of: operation.label)
            }
        }
        let preferences = Preferences(request.fields)
        if !preferences.isEmpty { evaluation.preferred = maker.answer(operation, to: request, preferences) }
        if terms.asksCredentials, preferences.isEmpty, judge.lacksCredentials(request, for: match) {
            refuse(request, for: operation, in: &evaluation)
        }
        evaluation.documented = { [maker] status in
            guard operation.response(for: status) != nil else { return nil }
            var preferences = Preferences(HTTPFields())
            (preferences.code, preferences.isAnnounced) = ("\(status)", false)
            return maker.answer(operation, to: request, preferences)
        }
        if terms.fill != .off { evaluation.fill = maker.answer(operation, to: request, preferences) }
        return RequestConsultation(evaluation) { [self] in review($0, operation) }
    }

    /// Answers a request without credentials: as the contract documents a 401, else as the tool does.
    private func refuse(_ request: HTTPRequest, for operation: Operation, in evaluation: inout ContractEvaluation) {
        guard evaluation.refusal == nil else { return }
        var preferences = Preferences(HTTPFields())
        preferences.code = "401"
        if operation.responses.contains(where: { $0.status == .code(401) }) {
            evaluation.preferred = maker.answer(operation, to: request, preferences)
        } else {
            let challenges = AuthenticationChallenge.values(for: operation, in: contract)
            evaluation.refusal = .missingCredentials(operation, challenges: challenges)
        }
    }

    /// HEAD is GET without the body (RFC 9110, section 9.3.2).
    private func match(_ request: HTTPRequest) -> MatchedOperation? {
        let own = contract.operation(request.method, request.path)
        return own == nil && request.method == .head ? contract.operation(.get, request.path) : own
    }

    private func evaluation(onUnknown request: HTTPRequest) -> ContractEvaluation {
        var evaluation = ContractEvaluation()
        // What browsers ask before they ask is documented nowhere.
        let isReported = terms.mode != .off && undocumented != .allow && request.method != .options
        guard isReported || terms.fill != .off, !issuerPaths.contains(request.path) else { return evaluation }
        let allowed = contract.allowedMethods(on: request.path)
        if isReported {
            let violation = Violation.undocumented("\(request.method) \(request.path)", in: contract)
            evaluation.violations = [violation]
            if undocumented == .refuse {
                let nearest = NearestRoute(to: request, among: known)
                evaluation.refusal = .undocumented(violation, nearest: nearest, allowed: allowed)
                return evaluation
            }
        }
        guard terms.fill != .off else { return evaluation }
        if allowed.isEmpty {
            let nearest = NearestRoute(to: request, among: known)
            evaluation.unmatched = .init(.unmatched(request, nearest), nearest: nearest)
        } else if request.method == .options {
            evaluation.unmatched = .init(.options(allowed), nearest: nil)
        } else {
            let nearest = NearestRoute(to: request, among: known)
            evaluation.unmatched = .init(.wrongMethod(request, allowed), nearest: nearest)
        }
        return evaluation
    }

    // MARK: Responses

    /// The violations of the contract in the response to a consulted request.
    private func review(_ decision: Decision, _ operation: Operation) -> ResponseReview? {
        guard terms.mode != .off, decision.fault == nil, let script = decision.script else { return nil }
        var violations = violations(of: decision.message, to: operation, script)
        guard !violations.isEmpty else { return nil }
        if script.response.breaks != nil {
            for index in violations.indices { violations[index].isDeliberate = true }
            return ResponseReview(violations: violations)
        }
        let errors = violations.filter { $0.severity == .error }
        guard terms.mode == .enforce, !errors.isEmpty else { return ResponseReview(violations: violations) }
        let status = decision.message.status.code
        let problem = Problem.refusedResponse(errors, status: status, of: operation.label)
        return ResponseReview(
            violations: violations,
            replacement: problem.response(inPlaceOf: decision.response)
        )
    }

    private func violations(
        of message: ResponseMessage,
        to operation: Operation,
        _ script: Decision.ScenarioResponse
    ) -> [Violation] {
        let found = { [judge, sources] in
            judge.violations(of: message.response, to: operation).map { found in
                var violation = Violation(found, in: .response)
                violation.source = sources.place(of: violation.pointer, in: script.response)?.description
                return violation
            }
        }
        let key = ResponseEvaluations.Key(
            response: script.constant,
            source: script.response.position,
            status: message.status.code,
            operation: operation.position
        )
        return verdicts.violations(of: message, key, orJudge: found)
    }
}

extension Contract {
    /// The methods that a path takes, with those that the server adds: HEAD for GET, and OPTIONS.
    func allowedMethods(on path: String) -> [String] {
        var methods = Set(operations(at: path).map(\.method.rawValue))
        guard !methods.isEmpty else { return [] }
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return methods.sorted()
    }
}

extension RouteKey {
    /// An operation as a route would be named; `nil` for a path that no route can have.
    fileprivate init?(_ operation: Operation) {
        guard let template = try? PathTemplate(parsing: operation.path) else { return nil }
        self.init(method: operation.method, template: template, text: operation.label)
    }
}

/// The findings of responses, so that one that is the same for every request is judged once, and a rendered one only
/// where it differs from the last one of its place in the scenario.
///
/// A class, because the event loops share it.
final class ResponseEvaluations: Sendable {
    /// A response of the scenario to an operation.
    struct Key: Hashable, Sendable {
        /// The response's number in the scenario, where it is the same for every request.
        var response: Int?
        var source: JSONPosition
        var status: Int
        /// The position of the operation in the contract, which is quicker to compare than its name.
        var operation: JSONPosition
    }

    private struct Verdict: Sendable {
        var violations: [Violation]
        /// The evaluated part, where it may differ from request to request.
        var fields = HTTPFields()
        var body: [UInt8] = []

        func isAbout(_ response: HTTPResponse) -> Bool { body == response.body && fields == response.fields }
    }

    /// A longer body is judged each time: comparing it is not worth its memory.
    private static let longestBody = 16 << 10
    private let verdicts = Lock<[Key: Verdict]>([:])

    func violations(of message: ResponseMessage, _ key: Key, orJudge judge: () -> [Violation]) -> [Violation] {
        if let known = verdicts.withLock({ $0[key] }), key.response != nil || known.isAbout(message.response) {
            return known.violations
        }
        // Judged outside of the lock; of two that judge at once, both find the same.
        var verdict = Verdict(violations: judge())
        if key.response == nil {
            let response = message.response
            guard response.body.count <= Self.longestBody else { return verdict.violations }
            (verdict.fields, verdict.body) = (response.fields, response.body)
        }
        verdicts.withLock { $0[key] = verdict }
        return verdict.violations
    }
}

/// Finds the lines in fixtures and scenarios that responses come from.
///
/// A class, because the event loops share the fixtures that it has read. They are not asked for before a response has gone wrong, so
/// nothing is read for those that are right.
final class ResponseSources: Sendable {
    private let sources: SourceMap
    private let files: any FileReading
    /// By path; `nil` for a fixture that cannot be read any more.
    private let fixtures = Lock<[String: JSONValue?]>([:])

    init(_ sources: SourceMap, files: any FileReading) {
        self.sources = sources
        self.files = files
    }

    /// The position of a pointer's value in a response, or of the nearest one: a member that is missing has none.
    ///
    /// - Parameter pointer: into the body; `nil` for other parts, whose position is that of the response.
    func place(of pointer: String?, in response: StubResponse) -> Place? {
        guard let pointer = pointer.flatMap({ JSONPointer($0) }) else {
            return sources.place(of: response.position)
        }
        if let fixture = response.fixture, let document = document(at: fixture.path) {
            return Place(file: fixture.path, position: pointer.nearest(in: document).position.text)
        }
        guard let body = response.tree["json"] else { return sources.place(of: response.position) }
        return sources.place(of: pointer.nearest(in: body).position)
    }

    private func document(at path: String) -> JSONValue? {
        if let known = fixtures.withLock({ $0[path] }) { return known }
        let document = (try? files.read(path)).flatMap { try? JSONParser().parse($0, ofFile: path).root }
        fixtures.withLock { $0[path] = .some(document) }
        return document
    }
}

extension JSONPointer {
    /// The value that it leads to, or the last one on the way that there is.
    fileprivate func nearest(in document: JSONValue) -> JSONValue {
        var pointer = self
        while true {
            if let value = pointer.value(in: document) { return value }
            guard !pointer.tokens.isEmpty else { return document }
            pointer.tokens.removeLast()
        }
    }
}

extension Violation {
    /// The findings of a contract, as the journal keeps them.
    package init(_ found: ContractViolation, in side: Side) {
        var part = found.part.description
        var pointer: String?
        if case .body(let place) = found.part { (part, pointer) = ("body", place.description) }
        self.init(
            found.id,
            // Who a client is, is for the token rules to judge.
            found.part == .security ? .note : found.severity,
            in: side,
            part: part,
            pointer: pointer,
            message: found.message,
            place: found.contractPlace.description,
            contractPointer: found.contractPointer
        )
    }

    /// A request for an operation that the contract does not have.
    package static func undocumented(_ label: String, in contract: Contract) -> Violation {
        Violation(
            "contract/undocumented-operation",
            .warning,
            in: .request,
            part: "operation",
            message: "the contract does not document \(label.shortened)",
            place: contract.path,
            contractPointer: "#/paths"
        )
    }
}
