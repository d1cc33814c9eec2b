package import JSON
package import ScenarioFormat

/// A place in the words of a scenario file.
extension TokenCarrier: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        if let name: String = try json.read(ifPresent: "query") {
            self = .query(name)
        } else if let name: String = try json.read(ifPresent: "form") {
            self = .form(name)
        } else if let name: String = try json.read(ifPresent: "cookie") {
            self = .cookie(name)
        } else if let part: BasicPart = try json.read(ifPresent: "basic") {
            self = .basic(part)
        } else if let pointer: JSONPointer = try json.read(ifPresent: "body") {
            self = .body(pointer)
        } else {
            self = .header(
                name: try json.read("header"),
                scheme: try json.read(ifPresent: "scheme"),
                isExact: try json.read(ifPresent: "exactScheme") ?? false
            )
        }
    }

    package func json(in style: RecordedStyle) -> JSONValue { json }

    package var json: JSONValue {
        switch self {
        case .header(let name, let scheme, let isExact):
            var object: JSONObject = ["header": .string(name)]
            if let scheme { object["scheme"] = .string(scheme) }
            if isExact { object["exactScheme"] = true }
            return .object(object)
        case .body(let pointer): return ["body": .string(pointer.description)]
        case .query(let name): return ["query": .string(name)]
        case .form(let name): return ["form": .string(name)]
        case .cookie(let name): return ["cookie": .string(name)]
        case .basic(let part): return ["basic": .string(part.rawValue)]
        }
    }
}

extension BasicPart: Recorded {}

extension JSONPointer: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        guard let pointer = JSONPointer(try String(json, in: style)) else {
            throw json.problem("requires a JSON Pointer such as \"/token\" (RFC 6901)")
        }
        self = pointer
    }

    package func json(in style: RecordedStyle) -> JSONValue { .string(description) }
}
