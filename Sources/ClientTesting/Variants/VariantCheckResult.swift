package import Basics
import JSON
import JSONSchema
package import Reports

/// The result of a test of response variants.
package struct VariantCheckResult: Sendable {
    /// The client's name.
    package var client: String
    /// The contract's path.
    package var contract: String
    /// In the order of the contract.
    package var answers: [VariantCheckedResponse]
    /// The client's deviations from the contract in reading, as sentences with the reasons.
    package var drops: [String] = []
    /// The requests of calls that were judged for changes of the contract.
    package var requests: [VariantCheckedRequests] = []
    /// Errors in the contract, which belong to no response.
    package var general: [Finding] = []
    /// In real time.
    package var duration: Duration

    /// Every finding, what belongs to no response first.
    package var findings: [Finding] { general + answers.flatMap(\.findings) }
    /// The number of calls that were made with variants, those of shrinking not counted.
    package var calls: Int { answers.reduce(0) { $0 + $1.legal + $1.evolution + $1.illegal } }
}

/// The requests of one call, and what a change of the contract makes wrong about them.
package struct VariantCheckedRequests: Sendable {
    /// The operation's id.
    package var operation: String
    /// The operation's method and path.
    package var label: String
    package var findings: [Finding]
    package var place: Place
}

/// One documented response of an operation, and what the client made of its variants.
package struct VariantCheckedResponse: Sendable {
    /// The operation's id.
    package var operation: String
    /// The operation's method and path.
    package var label: String
    package var status: Int
    /// The number of variants that were served, by kind.
    package var legal = 0
    package var evolution = 0
    package var illegal = 0
    /// The outcomes of each kind of variants, counted: `value` or the name of what was thrown, in the order of coming.
    package var outcomes: [(outcome: String, count: Int)] = []
    /// The reason why nothing was served.
    package var skipped: String?
    package var findings: [Finding] = []
    /// The place where the contract documents the response.
    package var place: Place

    mutating func note(_ made: CallOutcome, _ kind: SchemaVariant.Kind) {
        switch kind {
        case .legal: legal += 1
        case .evolution: evolution += 1
        case .illegal: illegal += 1
        }
        let outcome = "\(made)"
        if let index = outcomes.firstIndex(where: { $0.outcome == outcome }) {
            outcomes[index].count += 1
        } else {
            outcomes.append((outcome, 1))
        }
    }
}

extension VariantCheckResult: CustomStringConvertible {
    /// Every finding on a separate line, and the amount of tests.
    package var description: String {
        let lines = findings.map(\.description) + ["\(client): \(findings.count) findings in \(calls) calls"]
        return lines.joined(separator: "\n")
    }
}

extension VariantCheckResult {
    /// The result in the form of a report: a check for each documented response.
    package var report: Report {
        var report = Report(title: "test", findings: general)
        report.checks = checks(of: "variants")
        report.summary =
            drops.map { "\(client): \($0)" } + [
                "\(client): \(plural(calls, "variant")) of \(plural(answers.count, "response"))"
            ]
        return report
    }

    /// A check for each documented response, of what the client was given.
    func checks(of what: String) -> [Report.Check] {
        answers.map { answer in
            Report.Check(
                group: client,
                name: "\(answer.operation) \(answer.status), \(what)",
                findings: answer.findings,
                skipped: answer.skipped,
                place: answer.place
            )
        }
    }
}

/// The cause of wrong results for variants of one response; one finding for all of them.
struct VariantCheckCause: Sendable {
    enum Kind: Sendable, Hashable {
        /// Refused by the decoder, or by what comes after it.
        case refused(DecodingReason?, outcome: String)
        /// Refused like each other body, so that the body is not the reason.
        case refusedEach(outcome: String)
        /// A member did not come back as it was sent.
        case changed
        /// No member came back, because the call returns nothing.
        case lostAll
        case acceptedIllegal
        case evolution
        /// An element with a new value was skipped.
        case evolutionLoss
        /// Another error than with every other body of the refusal.
        case otherError(outcome: String, usual: String)
        /// A value was made of a refusal whose status the client did not know.
        case wrongSuccess
    }

    var kind: Kind
    /// In the response's body, with a star for the numbers of elements.
    var place: JSONPointer
    /// The variant that shows it best.
    var variant: SchemaVariant
    /// The change, for a changed value.
    var words = ""
    var count = 1
    /// A Boolean value that indicates whether almost no server sends such variants, or the client may be right.
    var isRare = false
    /// The subject of the cause, apart from the variants.
    var key: Key { Key(kind: kind, place: place) }
    /// A Boolean value that indicates whether a member was not kept.
    var isLoss: Bool { kind == .changed && words.hasSuffix("became nothing") }

    struct Key: Hashable, Sendable {
        var kind: Kind
        var place: JSONPointer
    }
}

/// The causes of one response, in the order in which they were met.
struct VariantCheckCauses: Sendable {
    private(set) var all: [VariantCheckCause] = []
    private var places: [VariantCheckCause.Key: Int] = [:]

    /// Makes one cause of the members that a call without a value has not kept.
    mutating func uniteLosses() {
        let losses = all.filter(\.isLoss)
        guard losses.count > 1, var cause = losses.first else { return }
        cause.kind = .lostAll
        unite(losses, in: cause) { !$0.isLoss }
    }

    /// Makes one cause of refusals that are the same for bodies of all kinds.
    mutating func uniteRefusals() {
        func isSame(_ cause: VariantCheckCause) -> Bool {
            if case .refused(nil, _) = cause.kind { true } else { false }
        }
        let refusals = all.filter(isSame)
        guard refusals.count > 1, var cause = refusals.first, case .refused(_, let outcome) = cause.kind else { return }
        cause.kind = .refusedEach(outcome: outcome)
        unite(refusals, in: cause) { !isSame($0) }
    }

    private mutating func unite(
        _ causes: [VariantCheckCause],
        in one: VariantCheckCause,
        keeping isKept: (VariantCheckCause) -> Bool
    ) {
        var one = one
        one.place = JSONPointer()
        one.count = causes.reduce(0) { $0 + $1.count }
        all = [one] + all.filter(isKept)
        places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.key, $0) })
    }

    /// Counts a cause; of its variants the one that is about the very place is kept.
    mutating func note(_ cause: VariantCheckCause) {
        guard let index = places[cause.key] else {
            places[cause.key] = all.count
            all.append(cause)
            return
        }
        all[index].count += 1
        if !cause.isRare { all[index].isRare = false }
        let known = all[index].variant
        if known.place.general != cause.place, cause.variant.place.general == cause.place {
            all[index].variant = cause.variant
            all[index].words = cause.words
        }
    }
}

/// The faults that a test of response variants finds, by the stable IDs of its findings.
package enum VariantCheckFault: String, Sendable, Hashable, CaseIterable {
    /// A response that the contract allows and the client does not take.
    case refusedVariant = "variants/refused-variant"
    /// A member that does not come back as it was sent.
    case changedValue = "variants/changed-value"
    /// A response that the contract forbids and the client takes.
    case acceptedIllegal = "variants/accepted-illegal"
    /// A response that the server's next version may send, and the client does not take; a warning.
    case evolution = "variants/evolution"
    /// A refusal with a status that is new, which ends with a value.
    case wrongSuccess = "variants/wrong-success"
    /// A request that a change of the contract has made wrong.
    case brokenRequest = "variants/broken-request"
    /// A call that does not ask for the operation that it is named after.
    case notSent = "variants/not-sent"
    /// A drop or a tolerance that nothing needs; a warning.
    case idleDrop = "variants/idle-drop"
}

extension CallOutcome {
    /// The outcome without what an error quotes from the server: `refused`, or `ServerProblem`.
    var kind: String {
        guard case .failed(let failure) = self else { return "\(self)" }
        let isShort = !failure.name.utf8.contains { $0 == UInt8(ascii: "\"") } && failure.name.utf8.count <= 40
        return isShort ? failure.name : failure.kind
    }

    /// Returns whether it is the outcome of another refusal, but for words of the server that an error repeats.
    ///
    /// - Parameter isChosen: whether the server has said something else of what it may choose from, such as a code: then
    ///   another error of the same type counts as the same.
    func isLike(_ other: CallOutcome, isChosen: Bool) -> Bool {
        switch (self, other) {
        case (.failed(let one), .failed(let two)):
            if one.name.exact == two.name.exact { return true }
            guard (one.decoding == nil) == (two.decoding == nil), type(of: one.error) == type(of: two.error) else {
                return false
            }
            return isChosen || one.kind.exact == two.kind.exact
        default: return "\(self)" == "\(other)"
        }
    }

    /// Returns whether both are errors of one type that come from no decoder.
    func hasType(of other: CallOutcome) -> Bool {
        guard case .failed(let one) = self, case .failed(let two) = other else { return false }
        return one.decoding == nil && two.decoding == nil && type(of: one.error) == type(of: two.error)
    }
}

extension CallFailure {
    /// The case of an enumeration, or else the error's type.
    fileprivate var kind: String {
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
        return mirror.children.first?.label ?? "\(error)"
    }
}
