import Basics
package import Checking
import HTTPCodec
import JSON
import JSONSchema
package import OpenAPI
package import Reports

/// The contract that a client was written for, next to the newer one that it meets: what is new is what the older one
/// forbids.
package struct EarlierContract: Sendable {
    /// The name of the revision in messages.
    package let title: String
    /// The changes since.
    package let changes: [ContractChange]
    private let contract: Contract
    private let judge: ContractEvaluator
    private let variants: SchemaVariantCache
    private let operations: [OperationKey: Operation]

    /// - Parameters:
    ///   - contract: the contract as it was.
    ///   - newer: the contract as it is.
    ///   - revision: where the older one comes from.
    ///   - seed: the seed of the variants.
    package init(_ contract: Contract, before newer: Contract, in revision: EarlierRevision, seed: UInt64 = 1) {
        title = revision.title
        changes = revision.changes(from: contract, to: newer)
        self.contract = contract
        judge = ContractEvaluator(contract.assertingFormats())
        variants = SchemaVariantCache(contract, seed: seed)
        let keyed = contract.operations.map { (OperationKey($0), $0) }
        operations = Dictionary(keyed, uniquingKeysWith: { first, _ in first })
    }

    /// An operation as it was; `nil` for a new one.
    func operation(_ operation: Operation) -> Operation? { operations[OperationKey(operation)] }

    /// The operations that a newer revision does not have.
    func operationsGone(from newer: Contract) -> [Operation] {
        let present = Set(newer.operations.map { OperationKey($0) })
        return contract.operations.filter { !present.contains(OperationKey($0)) }
    }

    /// Returns whether a client of this revision does not expect a response.
    func forbids(_ response: HTTPResponse, to operation: Operation) -> Bool {
        guard let known = self.operation(operation) else { return true }
        return !judge.allows(response, to: known)
    }

    /// The places in its body where this revision forbids a response.
    func forbiddenPlaces(of response: HTTPResponse, to operation: Operation) -> [JSONPointer] {
        guard let known = self.operation(operation) else { return [] }
        return judge.violations(of: response, to: known).compactMap { violation in
            if case .body(let place) = violation.part { place } else { nil }
        }
    }

    /// The bodies that this revision allows for a status; none where it does not document it.
    func legalVariants(of operation: Operation, status: Int) -> [SchemaVariant] {
        guard let response = self.operation(operation)?.response(for: status) else { return [] }
        return variants.variants(of: response, status: status).filter { $0.kind == .legal }
    }

    /// The violations of a client's requests that exist only in the newer contract.
    ///
    /// - Parameters:
    ///   - newer: judges by the newer contract.
    ///   - call: the operation that was called.
    func findings(in requests: [HTTPRequest], newer: ContractEvaluator, call: String) -> [Finding] {
        var findings: [Finding] = []
        var seen: Set<Finding> = []
        func note(_ sentence: String, at place: Place) {
            let finding = Finding(.error, id: VariantCheckFault.brokenRequest.rawValue, sentence.printable, at: place)
            if seen.insert(finding).inserted { findings.append(finding) }
        }
        for request in requests {
            // What no revision knows is not the change's doing.
            guard let match = contract.operation(request.method, request.path) else { continue }
            let sentence = "\(call) sends \(request.method) \(request.path)"
            guard let now = newer.contract.operation(request.method, request.path) else {
                let place = Place(file: newer.contract.path, operation: match.operation.label)
                note("\(sentence), an operation that has been removed since \(title)", at: place)
                continue
            }
            let known = Set(judge.violations(of: request, for: match).map { "\($0.id) \($0.part)" })
            for violation in newer.violations(of: request, for: now)
            where violation.severity == .error && !known.contains("\(violation.id) \(violation.part)") {
                note(
                    "\(sentence), which was valid in \(title): \(violation.message)",
                    at: violation.contractPlace
                )
            }
        }
        return findings
    }
}

extension VariantCheckResult {
    /// The result as a report on the changes since an earlier revision: whether they break the client.
    ///
    /// - Parameter contract: the newer revision.
    package func report(on earlier: EarlierContract, contract: Contract) -> Report {
        var report = Report(title: "test", findings: general)
        let breaking = earlier.changes.filter { $0.effect == .breaks }
        report.checks = [
            Report.Check(
                group: client,
                name: "changes since \(earlier.title)",
                findings: untried(breaking, contract),
                place: Place(file: contract.path)
            )
        ]
        report.checks += checks(of: "new since \(earlier.title)")
        report.checks += requests.map { request in
            Report.Check(
                group: client,
                name: "\(request.operation), requests since \(earlier.title)",
                findings: request.findings,
                place: request.place
            )
        }
        let isBroken = report.checks.contains { $0.findings.contains { $0.severity == .error } }
        let isWhole = report.checks.allSatisfy { $0.findings.isEmpty && $0.skipped == nil }
        let verdict =
            isBroken
            ? "the changes break \(client)"
            : "the changes do not break \(client)" + (isWhole ? "" : ", as far as the changes could be tested")
        report.summary = [
            "\(plural(earlier.changes.count, "change")) since \(earlier.title), \(breaking.count) of which can break "
                + "a client",
            "\(plural(calls, "call")) with new variants of \(plural(answers.count, "response")), and the requests of "
                + "\(plural(requests.count, "operation"))",
            verdict,
        ]
        return report
    }

    /// The changes that could break the client and of which nothing is known.
    private func untried(_ changes: [ContractChange], _ contract: Contract) -> [Finding] {
        let called = Set(requests.map(\.label))
        let served = Set(answers.filter { $0.skipped == nil }.map(\.label))
        return changes.compactMap { change in
            let reason: String
            switch change.subject {
            case .request where change.operations.isSubset(of: called): return nil
            case .response where change.operations.isSubset(of: called) && !change.operations.isDisjoint(with: served):
                return nil
            case .response where change.operations.isSubset(of: called):
                reason = "no response that covers the change was found"
            case .header: reason = "header values are not tested"
            case .contract where !change.operations.isEmpty && change.operations.isSubset(of: called): return nil
            case .contract where change.operations.isEmpty: reason = "no call covers the change"
            default:
                let others = change.operations.subtracting(called).sorted()
                reason = "the checked calls do not include \(others.prefix(3).joined(separator: ", "))"
            }
            return Finding(
                .warning,
                id: change.id,
                "\(change.sentence), which can break a client and was not tested: \(reason)".printable,
                at: change.place
            )
        }
    }
}
