import JSON

/// A value as a style writes it: texts, and how they are put together.
indirect enum WireValue {
    /// A named part.
    struct Field {
        var name: String
        var value: WireValue
    }

    case text(String)
    case list([WireValue])
    /// Names may repeat and may be empty, as in `a[]=1&a[]=2`.
    case fields([Field])
    /// What was JSON on the wire already.
    case json(JSONValue)
    /// Ways to understand the same text, the likeliest first.
    case anyOf([WireValue])
}

extension WireValue {
    /// How many readings of one value are tried; each costs a validation.
    private static let readingLimit = 4

    /// The JSON values that may be meant, the likeliest first; at least one.
    ///
    /// A text that is no number is handed on as a string, so that validation says what is wrong with it.
    func readings(as shape: ValueShape, from shapes: ValueShapes) -> [JSONValue] {
        switch self {
        case .json(let value):
            return [value]
        case .anyOf(let ways):
            return ways.flatMap { $0.readings(as: shape, from: shapes) }
        case .text(let text):
            return Self.readings(of: text, as: shape.kinds)
        case .list(let elements):
            let elementShape = shapes.shape(ofAny: shape.items)
            let parts = elements.map { $0.readings(as: elementShape, from: shapes) }
            return Self.combinations(of: parts).map { .array($0) }
        case .fields(let fields):
            if !shape.kinds.contains(.object), shape.kinds.contains(.array),
                fields.allSatisfy({ Self.isIndex($0.name) })
            {
                return WireValue.list(fields.map(\.value)).readings(as: shape, from: shapes)
            }
            let parts = fields.map { field in
                field.value.readings(as: shapes.shape(ofAny: shape.schemas(ofProperty: field.name)), from: shapes)
            }
            return Self.combinations(of: parts).map { values in
                .object(JSONObject(zip(fields, values).map { ($0.name, $1) }))
            }
        }
    }

    /// All first readings, all second ones and so on: not every mixture, but a number that grows with nothing.
    private static func combinations(of parts: [[JSONValue]]) -> [[JSONValue]] {
        let count = min(readingLimit, parts.reduce(1) { max($0, $1.count) })
        return (0..<count).map { number in parts.map { $0[min(number, $0.count - 1)] } }
    }

    private static func readings(of text: String, as kinds: ValueKinds) -> [JSONValue] {
        let string = JSONValue.string(text)
        guard !kinds.isDisjoint(with: [.null, .boolean, .number]) else { return [string] }
        var typed: [JSONValue] = []
        if !kinds.isDisjoint(with: .number), let number = JSONNumber(text) { typed.append(.number(number)) }
        if kinds.contains(.boolean), text == "true" || text == "false" { typed.append(.bool(text == "true")) }
        if kinds.contains(.null), text.isEmpty || text == "null" { typed.append(.null) }
        if kinds == .all { return [string] + typed }
        return typed.isEmpty || kinds.contains(.string) ? typed + [string] : typed
    }

    private static func isIndex(_ name: String) -> Bool {
        name.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
