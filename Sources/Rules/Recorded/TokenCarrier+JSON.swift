import JSON
import ScenarioFormat
import Simulation

extension TokenCarrier {
    /// The place in the words of a scenario file.
    var json: JSONValue {
        switch self {
        case .header(let name, let scheme, let isExact):
            var object: JSONObject = ["header": .string(name)]
            if let scheme { object["scheme"] = .string(scheme) }
            if isExact { object["exactScheme"] = true }
            return .object(object)
        case .body(let pointer): return ["body": .string(pointer.description)]
        case .query(let name): return ["query": .string(name)]
        }
    }

    init(_ json: RecordedValue) throws(RecordingProblem) {
        if let name = json.optional("query") {
            self = .query(try name.string())
        } else if let pointer = json.optional("body") {
            self = .body(JSONPointer(try pointer.string()) ?? JSONPointer())
        } else {
            self = .header(
                name: try json.member("header").string(),
                scheme: try json.optional("scheme")?.string(),
                isExact: try json.optional("exactScheme")?.bool() ?? false
            )
        }
    }
}
