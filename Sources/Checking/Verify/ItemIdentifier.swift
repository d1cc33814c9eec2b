import JSON

/// The value in a JSON object that a parameter of a path means, such as `id` for `{petId}` below `/pets`.
enum ItemIdentifier {
    /// - Parameters:
    ///   - name: the parameter's name.
    ///   - collection: the segment of the path in front of the parameter, such as `pets`.
    /// - Returns: the text or integer of the member with that name; else of the one with the name that remains without
    ///   the collection's noun, as `name` of `petName`; else of `id`, where an id is meant.
    static func value(named name: String, of collection: String, in object: JSONObject) -> JSONValue? {
        let wanted = plain(name)
        if let value = member(wanted, in: object) { return value }
        let noun = noun(of: collection)
        let rest = wanted.hasPrefix(noun) ? String(wanted.dropFirst(noun.count)) : nil
        if let rest, !rest.isEmpty, let value = member(rest, in: object) { return value }
        guard wanted.hasSuffix("id") || wanted == "pk" || rest?.isEmpty == true else { return nil }
        return ["id", "uuid", "pk"].lazy.compactMap { member($0, in: object) }.first
    }

    /// A text or integer that can be a segment of a path.
    static func segment(_ value: JSONValue) -> JSONValue? {
        if let text = value.string {
            // Such a segment would lead to another path (RFC 3986, section 5.2.4).
            return text.isEmpty || text == "." || text == ".." ? nil : value
        }
        return value.number?.isInteger == true ? value : nil
    }

    /// `petId`, `pet_id` and `_id` are written in several ways.
    static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }

    /// The singular of a collection's name: `pet` of `pets`, `category` of `categories`.
    static func noun(of collection: String) -> String {
        let plain = plain(collection)
        if plain.hasSuffix("ies") { return plain.dropLast(3) + "y" }
        return ["sses", "xes", "ches", "shes"].contains(where: plain.hasSuffix)
            ? String(plain.dropLast(2)) : plain.hasSuffix("s") ? String(plain.dropLast()) : plain
    }

    private static func member(_ wanted: String, in object: JSONObject) -> JSONValue? {
        object.members.first { plain($0.name) == wanted }.flatMap { segment($0.value) }
    }
}
