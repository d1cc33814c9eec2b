import Basics
import JSON

/// Collects what is wrong with one message, up to a limit that a person still reads.
struct ViolationList {
    /// How many violations are kept; the rest is counted.
    static let limit = 20

    private let judge: ContractEvaluator
    private let operation: Operation
    private var violations: [ContractViolation] = []
    private var omitted = 0
    private var omittedSeverity = Finding.Severity.note

    init(of operation: Operation, by judge: ContractEvaluator) {
        self.operation = operation
        self.judge = judge
    }

    /// What was found, closed by a count of what was left out.
    var all: [ContractViolation] {
        guard omitted > 0 else { return violations }
        return violations + [
            ContractViolation(
                id: "contract/more-violations",
                severity: omittedSeverity,
                part: .operation,
                message: "and \(omitted) more",
                contractPlace: place(of: operation.position, uri: operation.uri),
                contractPointer: Self.pointer(operation.uri)
            )
        ]
    }

    /// - Parameters:
    ///   - contract: where the contract says what is not met.
    ///   - uri: the absolute URI of the same place.
    mutating func add(
        _ id: String,
        _ severity: Finding.Severity = .error,
        _ part: ContractViolation.Part,
        _ message: String,
        at position: JSONPosition = .unknown,
        contract: JSONPosition,
        uri: String
    ) {
        guard violations.count < Self.limit else {
            omitted += 1
            omittedSeverity = max(omittedSeverity, severity)
            return
        }
        violations.append(
            ContractViolation(
                id: id,
                severity: severity,
                part: part,
                message: message,
                position: position,
                contractPlace: place(of: contract, uri: uri),
                contractPointer: Self.pointer(uri)
            )
        )
    }

    private func place(of position: JSONPosition, uri: String) -> Place {
        var place = judge.contract.sources.place(of: position)
        place.pointer = String(Self.pointer(uri).dropFirst())
        place.operation = operation.label
        return place
    }

    /// The fragment of a URI with its number sign.
    private static func pointer(_ uri: String) -> String {
        let bytes = uri.utf8
        return bytes.firstIndex(of: UInt8(ascii: "#")).map { String(uri[$0...]) } ?? "#"
    }
}
