import JSON

/// The condition of a case, made of single requirements.
struct DraftCondition: Sendable, Hashable {
    private(set) var object = JSONObject()

    init() {}

    /// - Parameter object: a condition in the words of a scenario file.
    init(_ object: JSONObject) { self.object = object }

    var isEmpty: Bool { object.isEmpty }
    var json: JSONValue { .object(object) }

    /// Adds a requirement on a value of the request.
    ///
    /// - Parameters:
    ///   - part: the part of the request, such as `query`.
    ///   - name: the name there, or the JSON Pointer into a body.
    mutating func require(_ part: String, _ name: String, _ matcher: JSONValue) {
        var members = object[part]?.object ?? JSONObject()
        guard members[name] == nil else { return require([part: [name: matcher]]) }
        members[name] = matcher
        object[part] = .object(members)
    }

    /// Adds a condition that has to hold as well.
    mutating func require(_ condition: JSONObject) {
        object["all"] = .array((object["all"]?.array ?? []) + [.object(condition)])
    }

    mutating func require(_ other: DraftCondition) {
        for member in other.object.members {
            switch member.name {
            case "all": for part in member.value.array ?? [] { require(part.object ?? JSONObject()) }
            case "path", "header", "query", "body", "form", "cookie", "state":
                for field in member.value.object?.members ?? [] { require(member.name, field.name, field.value) }
            default: require([member.name: member.value])
            }
        }
    }

    /// The number of its requirements.
    var count: Int {
        object.members.reduce(0) { count, member in
            count + (member.value.array?.count ?? member.value.object?.count ?? 1)
        }
    }

    /// The names of path parameters that it looks at.
    var pathParameters: Set<String> { Self.pathParameters(of: json) }

    private static func pathParameters(of value: JSONValue) -> Set<String> {
        var names = Set(value["path"]?.object?.names ?? [])
        for name in ["all", "any"] {
            for part in value[name]?.array ?? [] { names.formUnion(pathParameters(of: part)) }
        }
        if let part = value["not"] { names.formUnion(pathParameters(of: part)) }
        return names
    }

    /// The same with other names of path parameters.
    func renaming(_ names: [String: String]) -> DraftCondition {
        guard names.contains(where: { $0.key != $0.value }), !pathParameters.isEmpty else { return self }
        var condition = DraftCondition()
        condition.object = Self.renamed(object, names)
        return condition
    }

    private static func renamed(_ object: JSONObject, _ names: [String: String]) -> JSONObject {
        JSONObject(
            object.members.map { member in
                switch member.name {
                case "path":
                    let fields = member.value.object?.members ?? []
                    return ("path", .object(JSONObject(fields.map { (names[$0.name] ?? $0.name, $0.value) })))
                case "all", "any":
                    let parts = (member.value.array ?? []).map { part in
                        JSONValue.object(renamed(part.object ?? JSONObject(), names))
                    }
                    return (member.name, .array(parts))
                case "not": return ("not", .object(renamed(member.value.object ?? JSONObject(), names)))
                default: return (member.name, member.value)
                }
            }
        )
    }
}
