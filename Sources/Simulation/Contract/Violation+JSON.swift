import Basics
package import JSON

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
