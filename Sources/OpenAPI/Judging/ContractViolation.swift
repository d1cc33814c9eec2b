package import Basics
package import JSON

/// Something in a request or a response that its contract does not allow.
package struct ContractViolation: Sendable, Hashable {
    /// The part of the message that is wrong.
    package enum Part: Sendable, Hashable {
        case operation
        case path(String)
        case query(String)
        case header(String)
        case cookie(String)
        case status
        case mediaType
        /// The body, and where in it.
        case body(JSONPointer)
        case security
    }

    /// A stable name, such as `contract/response-body` or `contract/undocumented-status`.
    package var id: String
    /// An error breaks the contract; a warning is what the contract does not mention; a note is for information.
    package var severity: Finding.Severity
    package var part: Part
    /// The finding and the requirement of the contract, as a sentence without a closing full stop.
    package var message: String
    /// The position in the body; unknown for values that are not read from JSON.
    package var position = JSONPosition.unknown
    /// The position in the contract.
    package var contractPlace: Place
    /// The pointer of the keyword or object in the contract: `#/components/schemas/User/required`.
    package var contractPointer: String
    /// The value that it is about, where it is a part of a body.
    package var subject: Finding.Subject?
}

extension ContractViolation.Part: CustomStringConvertible {
    /// A short name for log lines and journals: `query limit`, `body /data/planId`.
    package var description: String {
        switch self {
        case .operation: "operation"
        case .path(let name): "path \(name)"
        case .query(let name): "query \(name)"
        case .header(let name): "header \(name)"
        case .cookie(let name): "cookie \(name)"
        case .status: "status"
        case .mediaType: "media type"
        case .body(let pointer): pointer.isRoot ? "body" : "body \(pointer)"
        case .security: "security"
        }
    }
}

extension ContractViolation {
    /// The violation in the form of a report.
    ///
    /// - Parameter file: the file that holds the body, as the user would write it; the finding then points into that
    ///   file and mentions the contract's place too. Without one the finding points into the contract.
    package func finding(in file: String? = nil) -> Finding {
        guard let file else { return Finding(severity, id: id, message, at: contractPlace) }
        let pointer: String? = if case .body(let pointer) = part { pointer.description } else { nil }
        return finding(at: Place(file: file, position: position.isKnown ? position.text : nil, pointer: pointer))
    }

    /// The violation as a finding at a place that the caller knows better.
    package func finding(at place: Place) -> Finding {
        var place = place
        var documented = contractPlace
        place.operation = place.operation ?? documented.operation
        documented.operation = nil
        return Finding(
            severity,
            id: id,
            message,
            at: place,
            related: [RelatedPlace(documented, "this is the requirement in the contract")]
        )
    }
}

/// Collects what is wrong with one message, up to a limit for readers.
struct ViolationList {
    /// The limit of violations; further ones are counted.
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

    /// The violations, with a count of those that were left out.
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

    /// The number of violations so far.
    var count: Int { violations.count + omitted }

    /// Adds an explanation to the violations that came after the first ones.
    mutating func explain(_ words: String, after count: Int) {
        for index in violations.indices.dropFirst(count) { violations[index].message += "; \(words)" }
    }

    /// - Parameters:
    ///   - contract: where the contract says what is not met.
    ///   - uri: the absolute URI of the same place.
    ///   - subject: the value that it is about, where it is a part of a body.
    mutating func add(
        _ id: String,
        _ severity: Finding.Severity = .error,
        _ part: ContractViolation.Part,
        _ message: String,
        at position: JSONPosition = .unknown,
        contract: JSONPosition,
        uri: String,
        subject: Finding.Subject? = nil
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
                contractPointer: Self.pointer(uri),
                subject: subject
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
