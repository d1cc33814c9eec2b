import HTTPCodec
import OpenAPI
import ScenarioFormat

/// Finds every reply that a scenario can give, and which operations of the contract it answers.
struct ReplySurvey {
    private let scenario: Scenario
    private let contract: Contract
    private(set) var replies: [SurveyedReply] = []
    /// Routes that the contract does not have.
    private(set) var strays: [StrayRoute] = []
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
                if scenario.undocumented != .allow { strays.append(StrayRoute(route: route, contract: contract)) }
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
        let start = replies.count
        for (number, branch) in route.cases.enumerated() {
            let first = replies.count
            add(branch.replies, of: route, operations, suffix: ", case \(number + 1)")
            for index in first..<replies.count {
                replies[index].condition = branch.condition
                replies[index].earlier = route.cases[..<number].map(\.condition)
            }
        }
        let own = replies.count
        add(route.replies, of: route, operations, suffix: "")
        // What a story lists goes before the cases.
        let afterCases = route.listsFirst ? own + route.replies.listed.count : own
        for index in afterCases..<replies.count { replies[index].earlier = route.cases.map(\.condition) }
        for index in start..<replies.count { replies[index].finds = route.finds }
        for requirement in route.requirements {
            for rejection in requirement.rejections {
                let standing = rejection.standing?.rawValue ?? "refused"
                add(rejection.reply, operations, route.key.text, ", \(requirement.kind) token \(standing)")
            }
        }
    }

    private mutating func add(
        _ sequence: ReplySequence,
        of route: Route,
        _ operations: [Operation],
        suffix: String
    ) {
        for (number, reply) in sequence.listed.enumerated() {
            add(reply, operations, route.key.text, "\(suffix), reply \(number + 1)")
        }
        if let own = sequence.own { add(own, operations, route.key.text, suffix) }
    }

    private mutating func add(
        _ reply: Reply,
        _ operations: [Operation],
        _ name: String,
        _ suffix: String
    ) {
        guard !operations.isEmpty else { return }
        replies.append(
            SurveyedReply(
                reply: reply,
                label: "\(name) \(reply.status)\(suffix)",
                operations: operations
            )
        )
    }

    // MARK: What answers for many routes

    /// A kind's rejections answer on every route that wants the kind and does not refuse in words of its own.
    private mutating func addRejections() {
        for kind in scenario.tokens.kinds {
            for rejection in kind.rejections {
                let answered = known.filter { known in
                    known.route.requirements.contains { $0.kind == kind.name && $0.leaves(rejection) }
                }
                let standing = rejection.standing?.rawValue ?? "refused"
                add(rejection.reply, answered.flatMap(\.operations), "\(kind.name) token \(standing)", "")
            }
        }
    }

    /// Whether a request names neither device nor account, as far as it is documented: somebody else's token does not.
    private func hearsFromNobody(_ route: Route) -> Bool {
        scenario.deviceHeader == nil
            && route.requirements.allSatisfy { scenario.tokens.kind(named: $0.kind)?.isForeign == true }
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
            add(rule.reply, answered, "guard \"\(rule.name)\"", "")
        }
    }

    /// What the server answers by itself is held against the operations that document its status.
    ///
    /// A contract seldom documents what happens beside its paths. Then the errors that it documents are the model.
    private mutating func addServerAnswers() {
        let played = Set(known.flatMap(\.operations).map(\.uri))
        for reply in scenario.unmatched?.allReplies ?? [] {
            addServerAnswer(reply, among: contract.operations.filter { !played.contains($0.uri) }, "unmatched")
        }
        for reply in scenario.wrongMethod?.allReplies ?? [] {
            addServerAnswer(reply, among: known.flatMap(\.operations), "wrong method")
        }
        if let reply = scenario.invalidRequest {
            addServerAnswer(reply, among: known.flatMap(\.operations), "invalid request")
        }
    }

    private mutating func addServerAnswer(_ reply: Reply, among operations: [Operation], _ name: String) {
        let documented = operations.filter { $0.documents(reply.status) }
        guard documented.isEmpty else { return add(reply, documented, name, "") }
        let before = replies.count
        add(reply, contract.operations, name, "")
        if replies.count > before { replies[before].isModelled = true }
    }
}

extension TokenRequirement {
    /// Whether a kind's answer to a standing is ever given on this route.
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
