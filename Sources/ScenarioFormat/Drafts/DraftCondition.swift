package import JSON

extension Draft where Key == DraftKeys.Matcher {
    /// Matches a text, in which nothing is a placeholder.
    package static func equals(literal text: String) -> Draft { [.equals: .string(DraftText.literal(text))] }

    /// Matches a value, in whose strings nothing is a placeholder.
    package static func equals(literal value: JSONValue) -> Draft { [.equals: DraftText.literal(value)] }

    package static func not(_ matcher: Draft) -> Draft { [.not: matcher.json] }
}

/// The condition of a case, made of single requirements.
extension Draft where Key == DraftKeys.Condition {
    package init(_ part: Key, _ name: String, _ matcher: DraftMatcher) { self = [part: .object([name: matcher.json])] }

    package static func all(_ conditions: [Draft]) -> Draft { [.all: .array(conditions.map(\.json))] }

    package static func any(_ conditions: [Draft]) -> Draft { [.any: .array(conditions.map(\.json))] }

    /// Adds a requirement on a value of the request.
    ///
    /// - Parameters:
    ///   - part: the part of the request, such as `query`.
    ///   - name: the name there, or the JSON Pointer into a body.
    package mutating func require(_ part: Key, _ name: String, _ matcher: DraftMatcher) {
        require(part, name, value: matcher.json)
    }

    package mutating func require(_ part: Key, _ name: String, value: JSONValue) {
        var members = self[part]?.object ?? JSONObject()
        guard members[name] == nil else { return add([part: .object([name: value])]) }
        members[name] = value
        self[part] = .object(members)
    }

    /// Adds a condition that has to hold as well.
    package mutating func add(_ condition: Draft) { self[.all] = .array((self[.all]?.array ?? []) + [condition.json]) }

    /// Adds the requirements of another condition.
    package mutating func require(_ other: Draft) {
        for member in other.object.members {
            switch Key(rawValue: member.name) {
            case .all: for part in member.value.array ?? [] { add(Draft(part.object ?? JSONObject())) }
            case let part? where Self.maps.contains(part):
                for field in member.value.object?.members ?? [] { require(part, field.name, value: field.value) }
            default: add(Draft(JSONObject([member])))
            }
        }
    }

    private static var maps: Set<Key> { [.path, .header, .query, .body, .form, .cookie, .state] }

    /// The number of its requirements.
    package var count: Int {
        object.members.reduce(0) { count, member in
            count + (member.value.array?.count ?? member.value.object?.count ?? 1)
        }
    }

    /// The conditions in it.
    private var parts: [Draft] {
        [Key.all, .any, .not].flatMap { self[$0].map { $0.array ?? [$0] } ?? [] }.map { Draft($0.object ?? [:]) }
    }

    /// The names of path parameters that it looks at.
    package var pathParameters: Set<String> {
        parts.reduce(into: Set(self[.path]?.object?.names ?? [])) { $0.formUnion($1.pathParameters) }
    }

    /// The same with other names of path parameters.
    package func renaming(_ names: [String: String]) -> Draft {
        guard names.contains(where: { $0.key != $0.value }), !pathParameters.isEmpty else { return self }
        var renamed = self
        for member in object.members {
            switch Key(rawValue: member.name) {
            case .path:
                let fields = member.value.object?.members ?? []
                renamed[.path] = .object(JSONObject(fields.map { (names[$0.name] ?? $0.name, $0.value) }))
            case let part? where [.all, .any, .not].contains(part):
                func rename(_ value: JSONValue) -> JSONValue { Draft(value.object ?? [:]).renaming(names).json }
                renamed[part] = member.value.array.map { .array($0.map(rename)) } ?? rename(member.value)
            default: break
            }
        }
        return renamed
    }
}
