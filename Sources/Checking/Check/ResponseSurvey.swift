import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// Finds every response that a scenario can give, and which operations of the contract it belongs to.
struct ResponseSurvey {
    private let scenario: Scenario
    private let contract: Contract
    private(set) var responses: [SurveyedResponse] = []
    /// Routes that the contract does not have.
    private(set) var strays: [UndocumentedRoute] = []
    /// The routes that the contract has, each with its operations.
    private var known: [(route: Route, operations: [Operation])] = []

    init(_ scenario: Scenario, _ contract: Contract) {
        self.scenario = scenario
        self.contract = contract
    }

    mutating func run() {
        for route in scenario.routes {
            let operations = operations(of: route.key)
            if operations.isEmpty {
                if scenario.undocumented != .allow, route.position != scenario.issuerPosition {
                    strays.append(UndocumentedRoute(route: route, contract: contract))
                }
            } else {
                known.append((route, operations))
                add(route, operations)
            }
        }
        addRejections()
        addGuards()
        addServerAnswers()
    }

    /// The operations that have a route.
    var played: [Operation] { known.flatMap(\.operations) }

    private func operations(of key: RouteKey) -> [Operation] {
        if let method = key.method { return contract.operation(method, template: key.template).map { [$0] } ?? [] }
        let methods = contract.operations.reduce(into: [HTTPMethod]()) { methods, operation in
            if !methods.contains(operation.method) { methods.append(operation.method) }
        }
        return methods.compactMap { contract.operation($0, template: key.template) }
    }

    // MARK: Routes

    private mutating func add(_ route: Route, _ operations: [Operation]) {
        let start = responses.count
        for (number, branch) in route.cases.enumerated() {
            let first = responses.count
            add(branch.responses, of: route, operations, suffix: ", case \(number + 1)")
            for index in first..<responses.count {
                responses[index].condition = branch.condition
                responses[index].earlier = route.cases[..<number].map(\.condition)
            }
        }
        let own = responses.count
        add(route.responses, of: route, operations, suffix: "")
        // What a story lists goes before the cases.
        let afterCases = route.listsFirst ? own + route.responses.listed.count : own
        for index in afterCases..<responses.count { responses[index].earlier = route.cases.map(\.condition) }
        for index in start..<responses.count { responses[index].finds = route.finds }
        for requirement in route.allRequirements {
            for rejection in requirement.rejections {
                let standing = rejection.standing?.rawValue ?? "refused"
                add(rejection.response, operations, route.key.text, ", \(requirement.kind) token \(standing)")
            }
        }
    }

    private mutating func add(
        _ sequence: ResponseSequence,
        of route: Route,
        _ operations: [Operation],
        suffix: String
    ) {
        for (number, response) in sequence.listed.enumerated() {
            add(response, operations, route.key.text, "\(suffix), response \(number + 1)")
        }
        if let own = sequence.own { add(own, operations, route.key.text, suffix) }
    }

    private mutating func add(
        _ response: StubResponse,
        _ operations: [Operation],
        _ name: String,
        _ suffix: String
    ) {
        guard !operations.isEmpty else { return }
        responses.append(
            SurveyedResponse(
                response: response,
                label: "\(name) \(response.status)\(suffix)",
                operations: operations
            )
        )
    }

    // MARK: Responses of many routes

    /// A kind's rejections are the response on every route that requires the kind and does not define its own
    /// refusal.
    private mutating func addRejections() {
        for kind in scenario.tokens.kinds {
            for rejection in kind.rejections {
                let answered = known.filter { known in
                    known.route.allRequirements.contains { $0.kind == kind.name && $0.leaves(rejection) }
                }
                let standing = rejection.standing?.rawValue ?? "refused"
                add(rejection.response, answered.flatMap(\.operations), "\(kind.name) token \(standing)", "")
            }
        }
    }

    /// Returns whether a request names neither device nor account, as far as it is documented: a foreign token does
    /// not.
    private func hearsFromNobody(_ route: Route) -> Bool {
        scenario.deviceHeader == nil
            && route.allRequirements.allSatisfy { scenario.tokens.kind(named: $0.kind)?.isForeign == true }
    }

    private mutating func addGuards() {
        for rule in scenario.earlyGuards + scenario.lateGuards {
            let answered = known.flatMap { known in
                known.operations.filter { operation in
                    let requests = Condition.Requests(
                        method: operation.method,
                        template: known.route.key.template,
                        isAnonymous: hearsFromNobody(known.route)
                    )
                    return rule.condition.mayHold(for: requests)
                }
            }
            add(rule.response, answered, "guard \"\(rule.name)\"", "")
        }
    }

    /// A response that the server makes by itself is checked against the operations that document its status.
    ///
    /// A contract rarely documents what happens next to its paths. Then the errors that it documents are the model.
    private mutating func addServerAnswers() {
        let played = Set(known.flatMap(\.operations).map(\.uri))
        for response in scenario.unmatched?.allResponses ?? [] {
            addServerAnswer(response, among: contract.operations.filter { !played.contains($0.uri) }, "unmatched")
        }
        for response in scenario.wrongMethod?.allResponses ?? [] {
            addServerAnswer(response, among: known.flatMap(\.operations), "wrong method")
        }
        if let response = scenario.invalidRequest {
            addServerAnswer(response, among: known.flatMap(\.operations), "invalid request")
        }
    }

    private mutating func addServerAnswer(_ response: StubResponse, among operations: [Operation], _ name: String) {
        let documented = operations.filter { $0.documents(response.status) }
        guard documented.isEmpty else { return add(response, documented, name, "") }
        let before = responses.count
        add(response, contract.operations, name, "")
        if responses.count > before { responses[before].isModelled = true }
    }
}

extension TokenRequirement {
    /// Returns whether a kind's response to a standing is ever given on this route.
    fileprivate func leaves(_ rejection: Rejection) -> Bool {
        if let standing = rejection.standing, accepted.contains(standing) { return false }
        return !rejections.contains { $0.standing == nil || $0.standing == rejection.standing }
    }
}

extension Operation {
    fileprivate func documents(_ status: Int) -> Bool {
        responses.contains { $0.status == .code(status) }
    }
}

/// A route that the contract does not have.
struct UndocumentedRoute {
    var route: Route
    var contract: Contract

    func finding(in loaded: LoadedScenario, contract path: String) -> Finding {
        let reasons = route.reasons
        let message = "the contract does not document \(route.key.text)".printable
        return Finding(
            reasons == nil ? .error : .note,
            id: "check/undocumented-route",
            reasons.map { "\(message); this is deliberate: \($0)".printable } ?? message,
            at: loaded.sources.place(of: route.position),
            advice: advice,
            related: [RelatedPlace(Place(file: path), "this is the contract")]
        )
    }

    private var advice: String? {
        let there = contract.operations(at: route.key.template.text).map(\.method.rawValue)
        if !there.isEmpty, route.key.method != nil {
            return "the contract documents \(there.joined(separator: ", ")) on this path"
        }
        let labels = contract.operations.map(\.label)
        if let meant = Suggestion.nearest(to: route.key.text, among: labels) { return "did you mean \(meant)?" }
        return nil
    }
}

extension Route {
    /// The reason why the route is not documented, when every response of it breaks the contract on purpose.
    fileprivate var reasons: String? {
        let all = allResponses
        guard let first = all.first?.breaks, all.allSatisfy({ $0.breaks != nil }) else { return nil }
        return first
    }
}

/// A response of a scenario, and the operations that it can belong to.
struct SurveyedResponse {
    var response: StubResponse
    /// Its name in reports: `GET /pets 200`, `GET /pets 404, case 2`, `guard "one at a time" 429`.
    var label: String
    var operations: [Operation]
    /// The values that the route looks up before it responds.
    var finds: [Find] = []
    /// The conditions that must hold for the response's case, and those that must not, since an earlier case would
    /// respond.
    var condition: Condition?
    var earlier: [Condition] = []
    /// A Boolean value that indicates whether the contract has no such response, so that any documented error may be
    /// its model.
    var isModelled = false

    /// The values that the route looks up and the response shows a part of.
    var shownFinds: [Find] {
        let placeholders = placeholders
        return finds.filter { find in placeholders.contains { $0.shows(find.name) } }
    }

    /// A Boolean value that indicates whether the response shows something of the account that gets it.
    var showsAccounts: Bool {
        placeholders.flatMap(\.sources).contains { source in
            switch source {
            case .request(.account), .accountData: true
            default: false
            }
        }
    }

    private var placeholders: [Placeholder] {
        response.body.placeholders + response.headers.flatMap(\.value.placeholders)
    }

    /// The reason why the response is not evaluated, if any.
    ///
    /// A lost response is judged by the body that it would have had, where the scenario says so; it needs no body.
    var exceptions: String? {
        guard let fault = response.fault, fault.probability >= 1 else { return nil }
        if fault.kind == .lost {
            guard case .none = response.body else { return nil }
            return "no response arrives because of the fault \"lost\""
        }
        return "no complete response arrives because of the fault \"\(fault.kind.rawValue)\""
    }
}

extension Placeholder {
    /// Returns whether it takes its value from what was found under a name.
    fileprivate func shows(_ name: String) -> Bool {
        sources.contains { if case .found(let found, _) = $0 { found.exact == name.exact } else { false } }
    }
}

/// The content of a response, ready to be filled in, and the file of its places.
struct ResponseMaterial {
    enum Body {
        case none
        case json(JSONValue)
        case template(TreeTemplate)
        case bytes([UInt8])
        case text(TextTemplate)
        /// The bytes of an uploaded file, of which nothing is known but that it is not a document.
        case upload
    }

    var body: Body
    /// The type that the server sends unless a header field of the response names another.
    var contentType: String?
    /// The fixture or file that places in the body belong to; `nil` for the scenario's own files.
    var file: String?
    /// A Boolean value that indicates whether places in the body count from the beginning of the file, since it is sent
    /// unchanged.
    var isRaw = false

    init(_ response: StubResponse, in loaded: LoadedScenario, fixtures: inout ParsedFixtures) {
        let source =
            response.fixture.map { fixtures.document(at: $0.path, number: $0.document) } ?? response.tree["json"]
        file = response.fixture?.path
        switch response.body {
        case .none:
            body = .none
        case .bytes(let bytes, let type):
            contentType = type
            body = source.map(Body.json) ?? .bytes(bytes)
            if let named = response.tree["file"], let name = named.string {
                isRaw = true
                file = FilePath.join(FilePath.folder(of: loaded.sources.path(of: named.position) ?? ""), name)
            }
        case .json(let template, _), .tree(let template):
            contentType = "application/json"
            body = .template(template)
        case .content, .forwarded:
            body = .upload
        case .events(let stream):
            // The contract's schema of the whole body does not apply to a stream that is never complete.
            contentType = stream.contentType
            body = .none
        case .webSocket:
            body = .none
        case .text(let template):
            contentType = "text/plain; charset=utf-8"
            body = .text(template)
        }
    }

    /// The placeholders of the body.
    var placeholders: [Placeholder] {
        switch body {
        case .template(let template): template.placeholders
        case .text(let template): template.placeholders
        case .none, .json, .bytes, .upload: []
        }
    }
}
