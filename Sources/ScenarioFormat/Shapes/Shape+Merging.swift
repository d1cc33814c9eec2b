import JSONText

extension Shape {
    /// Lays a story's tree over its backend's, as RFC 7396 describes it, but along the format.
    ///
    /// Objects of the format merge member by member and `null` removes a member, so that afterwards none is left.
    /// Arrays and content (``Shape/anything``) are replaced as a whole: a `null` inside a reply's JSON stays. A key of
    /// an exclusive group removes its rivals: a story that says `"status": 500, "text": "…"` need not delete the
    /// backend's fixture first.
    func merging(_ patch: JSONValue, over base: JSONValue?) -> JSONValue {
        if case .array(let elements) = patch.content, let element = element {
            return JSONValue(.array(elements.map { element.merging($0, over: nil) }), at: patch.position)
        }
        guard case .object(let changes) = patch.content, let fields = fields(fitting: changes) else { return patch }
        var merged = JSONObject()
        if case .object(let object)? = base?.content { merged = object }
        for change in changes.members {
            if change.value.isNull && change.name != ObjectShape.comment {
                merged[change.name] = nil
                continue
            }
            for rival in fields.rivals(of: change.name) { merged[rival] = nil }
            let shape = fields.shape(of: change.name)
            merged.set(
                JSONObject.Member(
                    name: change.name,
                    namePosition: change.namePosition,
                    value: shape?.merging(change.value, over: merged[change.name]) ?? change.value
                )
            )
        }
        return JSONValue(.object(merged), at: patch.position)
    }

    private var element: Shape? {
        switch self {
        case .list(let element): element
        case .choice(let shapes): shapes.lazy.compactMap(\.element).first
        default: nil
        }
    }

    /// How the members of an object are shaped, if they merge one by one at all.
    private enum Fields {
        case named(ObjectShape)
        case chosen(Shape)

        func shape(of name: String) -> Shape? {
            switch self {
            case .named(let object): object[name]?.shape
            case .chosen(let element): element
            }
        }

        func rivals(of name: String) -> [String] {
            guard case .named(let object) = self else { return [] }
            return object.exclusive.filter { $0.contains(name) }.flatMap { $0 }.filter { $0 != name }
        }
    }

    private func fields(fitting object: JSONObject) -> Fields? {
        switch self {
        case .object(let name): .named(name.shape)
        case .variants(let names, let extra):
            names.first { object[$0.shape.verb] != nil }.map { .named($0.shape.adding(extra)) }
        case .map(let element, _): .chosen(element)
        case .choice(let shapes): shapes.first { $0.kinds == ["object"] }?.fields(fitting: object)
        default: nil
        }
    }
}
