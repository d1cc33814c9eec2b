package import Basics
package import JSON

/// Something in a request or a response that the contract does not allow, as the journal keeps it.
package struct Violation: Sendable, Hashable {
    /// Whose message it is.
    package enum Side: String, Sendable, Hashable {
        case request
        case response
    }

    /// The stable name of the rule: `contract/response-body`.
    package var id: String
    package var severity: Finding.Severity
    package var side: Side
    /// The part of the message: `body`, `query page`, `status`.
    package var part: String
    /// Where in the body, as a JSON Pointer; `nil` where it is not about the body.
    package var pointer: String?
    /// What was found and what the contract wants, as a sentence without a closing full stop.
    package var message: String
    /// Where in the contract, as file, line and column.
    package var place: String
    /// The pointer of the keyword or object in the contract.
    package var contractPointer: String
    /// Where in the fixture or the scenario the response has it, as file, line and column; `nil` for a request.
    package var source: String?
    /// Whether the scenario says that the response is so on purpose.
    package var isDeliberate = false

    package init(
        _ id: String,
        _ severity: Finding.Severity,
        in side: Side,
        part: String,
        pointer: String? = nil,
        message: String,
        place: String,
        contractPointer: String
    ) {
        self.id = id
        self.severity = severity
        self.side = side
        self.part = part
        self.pointer = pointer
        self.message = message
        self.place = place
        self.contractPointer = contractPointer
    }
}

extension Violation {
    /// The violation as the journal and problem documents show it.
    package var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(id)
        object["severity"] = .string(severity.rawValue)
        object["in"] = .string(side.rawValue)
        object["part"] = .string(part)
        if let pointer { object["pointer"] = .string(pointer) }
        object["message"] = .string(message)
        object["contract"] = .string(contractPointer)
        object["place"] = .string(place)
        if let source { object["source"] = .string(source) }
        if isDeliberate { object["deliberate"] = true }
        return .object(object)
    }
}
