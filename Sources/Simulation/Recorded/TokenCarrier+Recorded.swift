package import JSON
package import ScenarioFormat

/// A place in the words of a scenario file.
extension TokenCarrier: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        if let name: String = try json.read(ifPresent: "query") {
            self.init(.query(name))
        } else if let name: String = try json.read(ifPresent: "form") {
            self.init(.form(name))
        } else if let name: String = try json.read(ifPresent: "cookie") {
            self.init(.cookie(name))
        } else if let part: BasicPart = try json.read(ifPresent: "basic") {
            self.init(.basic(part))
        } else if let pointer: JSONPointer = try json.read(ifPresent: "body") {
            self.init(.body(pointer))
        } else {
            self.init(
                .header(try json.read("header")),
                scheme: try json.read(ifPresent: "scheme"),
                isExact: try json.read(ifPresent: "exactScheme") ?? false
            )
        }
    }

    package func json(in style: RecordedStyle) -> JSONValue { json }

    package var json: JSONValue {
        let member: (name: String, value: String) =
            switch part {
            case .method: ("method", "")
            case .pathParameter(let name): ("path", name)
            case .header(let name): ("header", name)
            case .query(let name): ("query", name)
            case .body(let pointer): ("body", pointer.description)
            case .form(let name): ("form", name)
            case .parameter(let name): ("parameter", name)
            case .part(let name, _): ("part", name)
            case .cookie(let name): ("cookie", name)
            case .basic(let part): ("basic", part.rawValue)
            case .device: ("device", "")
            case .account: ("account", "")
            }
        var object: JSONObject = [member.name: .string(member.value)]
        if let scheme { object["scheme"] = .string(scheme) }
        if isExact { object["exactScheme"] = true }
        return .object(object)
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
