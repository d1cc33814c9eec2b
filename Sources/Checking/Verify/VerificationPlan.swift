import Basics
import HTTPCodec
import OpenAPI

/// The operations that are sent, in their order, and the reasons why the others are not.
struct VerificationPlan {
    struct Step {
        /// The operation's place in the contract, which the report keeps.
        var number: Int
        var operation: Operation
        var decision: Decision
        /// The resources that the operation creates, if any.
        var creates: ResourceTemplate?
        var rank = Rank()
        /// Its place among the steps.
        var order = 0

        /// Returns whether both change nothing and need the same number of values.
        func mayRunBeside(_ other: Step) -> Bool { rank.phase == .reading && rank == other.rank }
    }

    /// The key by which steps are sorted.
    struct Rank: Hashable {
        enum Phase: Int {
            case creating
            case reading
            case writing
            case destroying
        }

        var phase = Phase.reading
        /// The number of values that earlier responses may give, or the depth of the path.
        var depth = 0
    }

    enum Decision {
        case send
        /// Only to the resource that another operation of this run creates.
        case sendToCreated(by: Operation)
        /// Not at all, because it may change what was there before.
        case leave(String)
    }

    let contract: Contract
    private var options: VerificationOptions
    private let operations: [Operation]

    init(_ operations: [Operation], of contract: Contract, _ options: VerificationOptions) {
        self.operations = operations
        self.contract = contract
        self.options = options
    }

    /// The steps in the order in which they are sent.
    ///
    /// What creates comes first and what destroys comes last, the inner resources before the outer ones. What reads
    /// comes in between, lists before the items whose ids they have.
    var steps: [Step] {
        var steps = operations.enumerated().map { number, operation in
            Step(
                number: number,
                operation: operation,
                decision: decision(about: operation),
                creates: created(by: operation)
            )
        }
        for index in steps.indices { steps[index].rank = rank(of: steps[index]) }
        func key(_ step: Step) -> (Int, Int, Int) { (step.rank.phase.rawValue, step.rank.depth, step.number) }
        steps.sort { key($0) < key($1) }
        for index in steps.indices { steps[index].order = index }
        return steps
    }

    private func rank(of step: Step) -> Rank {
        let operation = step.operation
        let depth = operation.path.utf8.count { $0 == UInt8(ascii: "/") }
        // Nothing of the others is sent without writes, and they keep their places.
        guard options.allowsWrites || contract.effect(of: operation) == .read else { return Rank() }
        if step.creates != nil { return Rank(phase: .creating, depth: depth) }
        switch contract.effect(of: operation) {
        case .read:
            let missing = operation.parameters.count {
                $0.location == .path && options.parameters.value(of: $0, in: operation) == nil
            }
            return Rank(phase: .reading, depth: missing)
        case .write: return Rank(phase: .writing)
        case .destroy: return Rank(phase: .destroying, depth: -depth)
        }
    }

    /// The resource that a POST adds to a collection, where the contract documents the resource's own path.
    private func created(by operation: Operation) -> ResourceTemplate? {
        guard operation.method == .post, contract.effect(of: operation) == .write else { return nil }
        return contract.operations.lazy
            .compactMap { other in ResourceTemplate(of: other.path).map { (template: $0, path: other.path) } }
            .first { $0.template.isWhole($0.path) && $0.template.isMember(ofCollection: operation.path) }?.template
    }

    private func decision(about operation: Operation) -> Decision {
        let effect = contract.effect(of: operation)
        guard effect != .read else { return .send }
        guard options.allowsWrites else { return .leave(reason(operation, effect)) }
        if let template = ResourceTemplate(of: operation.path) {
            // The path of what creates it is shorter, so that this ends.
            for creator in operations where created(by: creator) == template {
                if case .leave = decision(about: creator) { continue }
                return .sendToCreated(by: creator)
            }
            return .leave("the operation changes \(template), which no request in this run creates")
        }
        let mayCreate =
            effect == .write && (operation.method == .post || OperationEffect(of: operation.method) == .read)
        guard mayCreate, !ResourceTemplate.hasParameters(operation.path) else {
            return .leave("the operation may change items that this run did not create")
        }
        return .send
    }

    /// The reason why an operation is not sent without `--allow-writes`, and the effect of that option.
    private func reason(_ operation: Operation, _ effect: OperationEffect) -> String {
        var allowing = self
        allowing.options.allowsWrites = true
        let advice =
            switch allowing.decision(about: operation) {
            case .send: "use --allow-writes to send the request"
            case .sendToCreated: "with --allow-writes, the request is sent only to items that the run created"
            case .leave:
                "the request is not sent even with --allow-writes, because the run creates no item that it could change"
            }
        let mark = "with \(OperationEffect.key): \(effect.rawValue)"
        if operation.documentedEffect != nil { return "the contract marks the operation \(mark); \(advice)" }
        // Only HEAD, by the mark of GET.
        if OperationEffect(of: operation.method) == .read {
            return "the contract marks the GET operation \(mark); \(advice)"
        }
        return "\(operation.method) may change something; \(advice)"
    }
}

/// An operation of a verification, as `--plan` shows it.
package struct PlannedOperation: Sendable, Hashable {
    /// The operation's name in messages: `GET /pets/{id}`.
    package var label: String
    /// The request that would be sent: `GET /pets/7?limit=1`; `nil` when none would be.
    package var request: String?
    /// The reason why it is not sent, or its dependency.
    package var remark: String?
}

extension PlannedOperation: CustomStringConvertible {
    /// A line: `send  GET /pets/7` or `skip  DELETE /pets/{id}: …`.
    package var description: String {
        guard let request else { return "skip  \(label): \(remark ?? "")" }
        return "send  \(request)" + (remark.map { ": \($0)" } ?? "")
    }
}

extension Verification {
    /// The requests that would be sent, in their order.
    package func plan() throws(VerificationProblem) -> [PlannedOperation] {
        var planned: [PlannedOperation] = []
        let operations = try chosenOperations()
        for signIn in options.signIn + credentials.tokenRequests(for: operations, of: contract, at: url) {
            let request = "\(signIn.method) \(signIn.isAbsolute ? "" : basePath)\(signIn.path)"
            planned.append(PlannedOperation(label: request, request: request, remark: "the sign-in"))
        }
        var planner = RequestPlanner(contract, options, basePath: basePath)
        for step in VerificationPlan(operations, of: contract, options).steps {
            let label = step.operation.label
            switch step.decision {
            case .leave(let reason): planned.append(PlannedOperation(label: label, request: nil, remark: reason))
            case .sendToCreated(let creator):
                let request = "\(step.operation.method) \(basePath)\(step.operation.path)"
                let remark = "to the item that \(creator.label) creates"
                planned.append(PlannedOperation(label: label, request: request, remark: remark))
            case .send:
                switch planner.plan(step.operation) {
                case .skipped(let reason):
                    planned.append(PlannedOperation(label: label, request: nil, remark: reason))
                case .requests(let requests):
                    let made = requests.first.assumed.map { "\"\($0.parameter)\"" }.joined(lastBy: "and")
                    let remark = made.isEmpty ? nil : "\(made) generated, unless an earlier response contains a value"
                    planned.append(PlannedOperation(label: label, request: requests.first.shown, remark: remark))
                    if let full = requests.full {
                        let remark = "with optional parameters"
                        planned.append(PlannedOperation(label: label, request: full.shown, remark: remark))
                    }
                }
            }
        }
        return planned
    }
}
