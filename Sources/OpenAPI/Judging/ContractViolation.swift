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
    /// What was found and what the contract wants, as a sentence without a closing full stop.
    package var message: String
    /// Where in the body; unknown for values that are not read from JSON.
    package var position: JSONPosition
    /// Where in the contract.
    package var contractPlace: Place
    /// The pointer of the keyword or object in the contract: `#/components/schemas/User/required`.
    package var contractPointer: String

    package init(
        id: String,
        severity: Finding.Severity = .error,
        part: Part,
        message: String,
        position: JSONPosition = .unknown,
        contractPlace: Place,
        contractPointer: String
    ) {
        self.id = id
        self.severity = severity
        self.part = part
        self.message = message
        self.position = position
        self.contractPlace = contractPlace
        self.contractPointer = contractPointer
    }
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
    /// The violation as reports want it.
    ///
    /// - Parameter file: the file that holds the body, as the user would write it; the finding then points into that
    ///   file and speaks of the contract's place too. Without one the finding points into the contract.
    package func finding(in file: String? = nil) -> Finding {
        guard let file else { return Finding(severity, id: id, message, at: contractPlace) }
        return finding(at: Place(file: file, position: position.isKnown ? position.text : nil, pointer: bodyPointer))
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
            related: [RelatedPlace(documented, "the contract says so here")]
        )
    }

    private var bodyPointer: String? {
        if case .body(let pointer) = part { pointer.description } else { nil }
    }
}
