import Basics
import JSON
import JSONSchema
import OpenAPI

/// Says what a sweep has found.
struct VariantCheckWords: Sendable {
    let contract: Contract
    let operation: Operation
    let status: Int
    let response: DocumentedResponse

    func finding(_ cause: VariantCheckCause, smallest: JSONValue?, at position: JSONPosition) -> Finding {
        let known = position.isKnown ? position : response.position
        let place = contract.place(of: known, operation: operation.label)
        let id = operation.id
        let label = cause.variant.label.printable
        let others = cause.count > 1 ? " (\(cause.count) variants)" : ""
        switch cause.kind {
        case .refused(let reason, let outcome):
            let why = reason.map { "the decoder stops at \($0.pathText), where \($0.words)" } ?? Self.words(of: outcome)
            let message = "\(id) refuses a \(status) that the contract allows, in which \(label): \(why)\(others)"
            let severity: Finding.Severity = cause.isRare ? .warning : .error
            return finding(.refusedVariant, message, place, severity, advice: smallest.map(Self.smallestRefused))
        case .changed:
            let member = cause.place.isRoot ? "its value" : cause.place.description.printable
            let message = "\(id) changes \(member): \(cause.words.printable), where \(label)\(others)"
            let isLost = cause.words.hasSuffix("became nothing")
            let advice =
                isLost
                ? "keep the member, or list it among the drops with a reason"
                : smallest.map { "the smallest body that comes back changed is \($0.text().shortBody)" }
            return finding(.changedValue, message, place, advice: advice)
        case .acceptedIllegal:
            let message = "\(id) returns a value for a \(status) that the contract forbids, in which \(label)\(others)"
            return finding(
                .acceptedIllegal,
                message,
                place,
                advice: "do without the member only where the contract does, or list it among the tolerances or drops"
                    + " with a reason"
            )
        case .evolution:
            let message =
                "\(id) refuses a \(status) that the server's next version may send, in which \(label)\(others)"
            return finding(
                .evolution,
                message,
                place,
                .warning,
                advice: "give what is not known yet a case of its own: apps stay installed for years"
            )
        case .otherError(let outcome, let usual):
            let message =
                "\(id), answered \(status), ends with \(outcome) where \(label), and else with \(usual)\(others)"
            return finding(.refusedVariant, message, place, advice: smallest.map(Self.smallestRefused))
        }
    }

    static func silence(of operation: Operation, in contract: Contract) -> Finding {
        Finding(
            .error,
            id: VariantCheckFault.notSent.rawValue,
            "\(operation.id) was called, and no \(operation.label) came to the server, so nothing of it was swept",
            at: contract.place(of: operation.position, operation: operation.label),
            advice: "see what the matrix says of its request"
        )
    }

    static func idle(_ drop: String, _ list: String, of operation: Operation, in contract: Contract) -> Finding {
        Finding(
            .warning,
            id: VariantCheckFault.idleDrop.rawValue,
            "\(operation.id) has \"\(drop.printable)\" among its \(list), but nothing needs it",
            at: contract.place(of: operation.position, operation: operation.label),
            advice: "take it out"
        )
    }

    private func finding(
        _ fault: VariantCheckFault,
        _ message: String,
        _ place: Place,
        _ severity: Finding.Severity = .error,
        advice: String?
    ) -> Finding {
        Finding(severity, id: fault.rawValue, message.printable, at: place, advice: advice?.printable)
    }

    private static func words(of outcome: String) -> String {
        switch outcome {
        case "hang": "the call never ends"
        case "loop": "it asks again and again"
        default: "it throws \(outcome)"
        }
    }

    private static func smallestRefused(_ body: JSONValue) -> String {
        "the smallest body that it refuses so is \(body.text().shortBody)"
    }
}

extension String {
    /// A body for a sentence; one that is very long says nothing to people.
    fileprivate var shortBody: String {
        unicodeScalars.count > 400 ? String(String.UnicodeScalarView(unicodeScalars.prefix(399))) + "…" : self
    }
}
