import Basics
import JSON

/// The allowed shape of a value in a scenario file.
///
/// Shapes are the one description of the format: the checker reads files against them, stories are merged along them,
/// and the JSON Schema that editors use is written from them. A key that is in no shape does not exist.
indirect enum Shape: Sendable {
    case text(TextForm)
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case boolean
    /// Only where `null` is a value: nothing removes anything there.
    case null
    /// Any JSON at all. It is content and not format: a story replaces it as a whole, and `null` in it means `null`.
    case anything
    case list(of: Shape, count: ClosedRange<Int> = 0...Int.max)
    /// An object whose member names are chosen by the author.
    case map(of: Shape, names: TextForm)
    case object(any FormatObject.Type)
    /// One of several objects, identified by its first key; `plus` are keys that each may also have.
    case variants([ObjectShape], plus: [ObjectShape.Key] = [])
    /// One of several shapes, identified by the kind of the JSON value.
    case choice([Shape])
    /// A shape that many keys have, which the JSON Schema defines once by this name.
    case shared(String, Shape)
    /// A shape with rules about its members that hold in this place.
    case restricted(Shape, ObjectRules)
}

extension Shape {
    /// The kinds of JSON value that this shape could accept, in the words of the error messages.
    var kinds: [String] {
        switch self {
        case .text: ["string"]
        case .integer, .number: ["number"]
        case .boolean: ["boolean"]
        case .null: ["null"]
        case .anything: ["null", "boolean", "number", "string", "array", "object"]
        case .list: ["array"]
        case .map, .object, .variants: ["object"]
        case .choice(let shapes): shapes.flatMap(\.kinds)
        case .shared(_, let shape), .restricted(let shape, _): shape.kinds
        }
    }

    /// A Boolean value that indicates whether a length of time is one of the values.
    var takesDurations: Bool {
        switch self {
        case .text(let form): [.duration, .signedDuration, .longDuration].contains(form)
        case .choice(let shapes): shapes.contains(where: \.takesDurations)
        case .shared(_, let shape), .restricted(let shape, _): shape.takesDurations
        default: false
        }
    }

    /// Says what would be right, with its article: "a duration such as \"90ms\"", "an object".
    var expectation: String {
        switch self {
        case .text(let form): form.expectation
        case .integer(let range):
            "a whole number"
                + Self.bounds(
                    range.lowerBound == .min ? nil : JSONNumber(range.lowerBound),
                    range.upperBound == .max ? nil : JSONNumber(range.upperBound)
                )
        case .number(let range): "a number" + Self.bounds(JSONNumber(range.lowerBound), JSONNumber(range.upperBound))
        case .boolean: "true or false"
        case .null: "null"
        case .anything: "any JSON value"
        case .list(let element, let count): "an array\(Self.size(count)), each element \(element.expectation)"
        case .map: "an object"
        case .object(let type): "an object (\(type.shape.summary))"
        case .variants: "an object"
        case .choice(let shapes): shapes.map(\.expectation).joined(separator: ", or ")
        case .shared(_, let shape), .restricted(let shape, _): shape.expectation
        }
    }

    private static func bounds(_ least: JSONNumber?, _ greatest: JSONNumber?) -> String {
        switch (least, greatest) {
        case (let least?, let greatest?): " from \(least) to \(greatest)"
        case (let least?, nil): " of at least \(least)"
        case (nil, let greatest?): " of at most \(greatest)"
        case (nil, nil): ""
        }
    }

    private static func size(_ count: ClosedRange<Int>) -> String {
        switch (count.lowerBound, count.upperBound) {
        case (0, _): ""
        case (let lower, let upper) where lower == upper: " of \(plural(lower, "element"))"
        case (let lower, _): " of at least \(plural(lower, "element"))"
        }
    }
}

extension Shape {
    static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Shape {
        .text(.oneOf(type.allCases.map(\.rawValue)))
    }

    /// One value, or an array of at least one.
    static func oneOrMore(_ element: Shape) -> Shape {
        .choice([element, .list(of: element, count: 1...Int.max)])
    }

    /// Any number that JSON can write.
    static let anyNumber = Shape.number(-Double.infinity...Double.infinity)

    /// Names of which there must be one, because none would hold for nothing.
    static let names = Shape.list(of: .text(.name), count: 1...Int.max)

    /// A Boolean value that indicates whether a story's value is laid over its backend's member by member, so that
    /// inside of it null removes.
    var isMerged: Bool {
        switch self {
        case .map, .variants: true
        case .object(let type): type.shape.merging == .members
        case .choice(let shapes): shapes.contains(where: \.isMerged)
        case .shared(_, let shape), .restricted(let shape, _): shape.isMerged
        default: false
        }
    }

    /// The shape itself and those of the values in it, down to objects with keys.
    var parts: [Shape] {
        let inner: [Shape] =
            switch self {
            case .list(let element, _), .map(let element, _), .shared(_, let element), .restricted(let element, _):
                [element]
            case .choice(let shapes): shapes
            case .variants(_, let extra): extra.map(\.shape)
            case .text, .integer, .number, .boolean, .null, .anything, .object: []
            }
        return [self] + inner.flatMap(\.parts)
    }

    /// The objects that a value of this shape may be or hold.
    var objects: [ObjectShape] {
        parts.flatMap { part -> [ObjectShape] in
            switch part {
            case .object(let type): [type.shape]
            case .variants(let shapes, _): shapes
            default: []
            }
        }
    }
}
