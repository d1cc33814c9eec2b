/// Values made in code, where there is no text that they stand in.
extension JSONValue {
    package static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }

    package static func number(_ value: JSONNumber) -> JSONValue { JSONValue(.number(value)) }

    package static func string(_ value: String) -> JSONValue { JSONValue(.string(value)) }

    package static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }

    package static func object(_ object: JSONObject) -> JSONValue { JSONValue(.object(object)) }
}
