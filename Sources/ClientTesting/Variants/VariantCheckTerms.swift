import Basics
import JSON
import JSONSchema
import OpenAPI

/// An adapter's declarations about one operation, and those that were needed.
struct VariantCheckTerms {
    let root: JSONPointer
    private let drops: [(place: BodyPlace, text: String)]
    private let tolerances: [(place: BodyPlace, text: String)]
    private var needed: Set<Int> = []

    init(_ operation: ClientOperation<some Sendable>) {
        root = operation.root
        drops = operation.drops.map { (BodyPlace($0.place), $0.place) }
        tolerances = operation.tolerances.map { (BodyPlace($0.place), $0.place) }
    }

    /// Returns whether a place need not come back; then the drop is one that was needed.
    mutating func drops(_ place: JSONPointer) -> Bool {
        guard let index = drops.firstIndex(where: { $0.place.covers(place) }) else { return false }
        needed.insert(index)
        return true
    }

    /// Returns whether a required member may be missing.
    mutating func tolerates(_ place: JSONPointer) -> Bool {
        guard let index = tolerances.firstIndex(where: { $0.place.matches(place) }) else { return false }
        needed.insert(drops.count + index)
        return true
    }

    /// The drops and tolerances that nothing has needed, as the adapter writes them.
    var idle: (drops: [String], tolerances: [String]) {
        (
            drops.indices.filter { !needed.contains($0) }.map { drops[$0].text },
            tolerances.indices.filter { !needed.contains(drops.count + $0) }.map { tolerances[$0].text }
        )
    }
}

/// A pattern of places in a body: segments, of which `*` matches any member or element.
struct BodyPlace: Sendable {
    let segments: [String]

    /// Takes segments separated by slashes, with one at the beginning or without.
    init(_ text: String) {
        segments = text.utf8.split(separator: UInt8(ascii: "/")).map { part in
            JSONPointer("/" + String(decoding: part, as: UTF8.self))?.tokens.first
                ?? String(decoding: part, as: UTF8.self)
        }
    }

    /// Returns whether a place is this one or inside of it.
    func covers(_ pointer: JSONPointer) -> Bool {
        guard pointer.tokens.count >= segments.count else { return false }
        return zip(segments, pointer.tokens).allSatisfy { segment, token in
            segment.exact == "*" || segment.exact == token.exact
        }
    }

    /// Returns whether a place is this one.
    func matches(_ pointer: JSONPointer) -> Bool {
        pointer.tokens.count == segments.count && covers(pointer)
    }
}

extension JSONPointer {
    func isAround(_ other: JSONPointer) -> Bool {
        tokens.count <= other.tokens.count && zip(tokens, other.tokens).allSatisfy { $0.exact == $1.exact }
    }
}

/// The messages of a test of response variants.
struct VariantCheckWords: Sendable {
    let contract: Contract
    let operation: Operation
    let status: Int
    let response: DocumentedResponse

    func finding(_ cause: VariantCheckCause, smallest: JSONValue?, at position: JSONPosition) -> Finding {
        let known = position.isKnown ? position : response.position
        let place = contract.place(of: known, operation: operation.label)
        let id = operation.id
        let whole = contract.place(of: response.position, operation: operation.label)
        let label = cause.variant.phrase.printable
        let others = cause.count > 1 ? " (\(cause.count) variants)" : ""
        switch cause.kind {
        case .refused(let reason, let outcome):
            let why = reason.map { "the decoder stops at \($0.pathText), where \($0.words)" } ?? Self.words(of: outcome)
            let message =
                "\(id) rejects a \(status) response that the contract allows, "
                + "in which \(label): \(why)\(others)"
            let severity: Finding.Severity = cause.isRare ? .warning : .error
            return finding(.refusedVariant, message, place, severity, advice: smallest.map(Self.smallestRefused))
        case .refusedEach(let outcome):
            let message =
                "\(id) rejects each \(status) response that the contract allows: \(Self.words(of: outcome))\(others)"
            let advice = "see the call in the test of documented responses; the members of the body are not the reason"
            return finding(.refusedVariant, message, whole, advice: advice)
        case .lostAll:
            let message = "\(id) returns nothing for \(status), so the members of the body are lost"
            let advice = "return the call's value in the adapter's closure, or add a reason for dropping the members"
            return finding(.changedValue, message, whole, advice: advice)
        case .changed:
            let member = cause.place.isRoot ? "its value" : cause.place.description.printable
            let message = "\(id) changes \(member): \(cause.words.printable), where \(label)\(others)"
            let advice =
                cause.isLoss
                ? "keep the member, or add a reason for dropping the member"
                : smallest.map { "the smallest changed body is \($0.text().shortBody)" }
            return finding(.changedValue, message, place, cause.isRare ? .warning : .error, advice: advice)
        case .acceptedIllegal:
            let message =
                "\(id) returns a value for a \(status) response that the contract forbids, "
                + "in which \(label)\(others)"
            return finding(
                .acceptedIllegal,
                message,
                place,
                advice:
                    "require the member that the contract requires, or add a reason for tolerating or dropping the member"
            )
        case .evolution, .evolutionLoss:
            let isLoss = cause.kind == .evolutionLoss
            let message =
                "\(id) \(isLoss ? "drops an element of" : "rejects") a \(status) response that a later server version may "
                + "send, in which \(label)\(others)"
            let advice =
                isLoss
                ? "keep an element whose values are unknown, or add a reason for dropping the member"
                : "add a case for unknown values, because apps remain installed for years"
            return finding(.evolution, message, place, .warning, advice: advice)
        case .wrongSuccess:
            return finding(
                .wrongSuccess,
                "\(id) returns a value for a new \(status) error response",
                place,
                advice: "treat unknown statuses as failures"
            )
        case .otherError(let outcome, let usual):
            let message =
                "\(id), answered with \(status), ends with \(outcome) if \(label), but otherwise with \(usual)\(others)"
            let severity: Finding.Severity = cause.isRare ? .warning : .error
            return finding(
                .refusedVariant,
                message,
                place,
                severity,
                advice: smallest.map { body in
                    "the smallest body with this error is \(body.text().shortBody)"
                }
            )
        }
    }

    static func silence(of operation: Operation, in contract: Contract) -> Finding {
        Finding(
            .error,
            id: VariantCheckFault.notSent.rawValue,
            "\(operation.id) was called, but no \(operation.label) request reached the server, "
                + "so no variant was tested",
            at: contract.place(of: operation.position, operation: operation.label),
            advice: "see the request's result in the test of documented responses"
        )
    }

    /// - Parameter name: the call's name in reports.
    static func paged(_ count: Int, _ name: String, of operation: Operation, in contract: Contract) -> Finding {
        Finding(
            .warning,
            id: VariantCheckFault.refusedVariant.rawValue,
            "\(name) loads further pages, so its values for \(plural(count, "response")) were not compared",
            at: contract.place(of: operation.position, operation: operation.label),
            advice: "adapt the function that loads one page instead"
        )
    }

    static func idle(_ drop: String, _ list: String, of operation: Operation, in contract: Contract) -> Finding {
        Finding(
            .warning,
            id: VariantCheckFault.idleDrop.rawValue,
            "the entry \"\(drop.printable)\" in the \(list) of \(operation.id) is never used",
            at: contract.place(of: operation.position, operation: operation.label),
            advice: "remove the entry"
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
        case "loop": "the call repeats its request"
        case "pages": "the call loads one page after the other without end; adapt the function that loads one page"
        default: "the call throws \(outcome)"
        }
    }

    private static func smallestRefused(_ body: JSONValue) -> String {
        "the smallest rejected body is \(body.text().shortBody)"
    }
}

extension String {
    /// A body for a sentence; one that is very long is not shown.
    fileprivate var shortBody: String {
        unicodeScalars.count > 400 ? String(String.UnicodeScalarView(unicodeScalars.prefix(399))) + "…" : self
    }
}
