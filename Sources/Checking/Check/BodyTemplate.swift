import JSON
import ScenarioFormat

/// A JSON body with placeholders, as a tree that keeps the place of every value in its file.
///
/// The scenario's template knows the placeholders and not their places; the fixture's tree knows the places and not
/// the placeholders. Both are brought together by writing the template with a mark for each placeholder.
struct BodyTemplate {
    private let tree: JSONValue
    let placeholders: [Placeholder]
    /// Whether each placeholder is the whole of its string.
    private let isWhole: [Bool]

    /// - Parameters:
    ///   - template: the body as the scenario has it.
    ///   - source: the same body as it was read, with its places.
    /// - Returns: `nil` when the two are not the same.
    init?(_ template: ValueTemplate, source: JSONValue) {
        placeholders = template.placeholders
        var isWhole: [Bool] = []
        var bytes: [UInt8] = []
        for part in template.parts {
            switch part {
            case .bytes(let written):
                bytes += written
            case .value:
                bytes += "\"\(BodyTemplate.mark(isWhole.count))\"".utf8
                isWhole.append(true)
            case .fragment:
                bytes += BodyTemplate.mark(isWhole.count).utf8
                isWhole.append(false)
            }
        }
        guard let marked = try? JSONParser().parse(bytes).root else { return nil }
        tree = BodyTemplate.placed(marked, as: source)
        self.isWhole = isWhole
    }

    /// Private characters of the last plane, which no fixture has a reason to hold.
    private static let opening: Unicode.Scalar = "\u{10FFFC}"
    private static let closing: Unicode.Scalar = "\u{10FFFD}"

    private static func mark(_ number: Int) -> String { "\(opening)\(number)\(closing)" }

    /// A value with the places of another one of the same shape.
    private static func placed(_ value: JSONValue, as source: JSONValue) -> JSONValue {
        switch (value.content, source.content) {
        case (.array(let values), .array(let sources)) where values.count == sources.count:
            return JSONValue(.array(zip(values, sources).map { placed($0, as: $1) }), at: source.position)
        case (.object(let object), .object(let sources)) where object.count == sources.count:
            let members = zip(object.members, sources.members).map { member, source in
                JSONObject.Member(
                    name: member.name,
                    namePosition: source.namePosition,
                    value: placed(member.value, as: source.value)
                )
            }
            return JSONValue(.object(JSONObject(members)), at: source.position)
        default:
            return JSONValue(value.content, at: source.position)
        }
    }

    /// Where each placeholder's value stands, in their order.
    var places: [JSONPointer] {
        var places = [JSONPointer](repeating: JSONPointer(), count: placeholders.count)
        find(in: tree, at: JSONPointer(), &places)
        return places
    }

    private func find(in value: JSONValue, at pointer: JSONPointer, _ places: inout [JSONPointer]) {
        switch value.content {
        case .array(let values):
            for (index, value) in values.enumerated() { find(in: value, at: pointer.appending(index), &places) }
        case .object(let object):
            for member in object.members { find(in: member.value, at: pointer.appending(member.name), &places) }
        case .string(let text):
            for piece in BodyTemplate.pieces(of: text) {
                if case .placeholder(let number) = piece, places.indices.contains(number) { places[number] = pointer }
            }
        default: break
        }
    }

    /// The body with a value for each placeholder; one without a value leaves its member or element out.
    func filled(with values: [JSONValue?]) -> JSONValue {
        filled(tree, values) ?? .null
    }

    private func filled(_ value: JSONValue, _ values: [JSONValue?]) -> JSONValue? {
        switch value.content {
        case .array(let elements):
            return JSONValue(.array(elements.compactMap { filled($0, values) }), at: value.position)
        case .object(let object):
            let members = object.members.compactMap { member in
                filled(member.value, values).map {
                    JSONObject.Member(name: member.name, namePosition: member.namePosition, value: $0)
                }
            }
            return JSONValue(.object(JSONObject(members)), at: value.position)
        case .string(let text) where text.unicodeScalars.contains(BodyTemplate.opening):
            let pieces = BodyTemplate.pieces(of: text)
            if pieces.count == 1, case .placeholder(let number) = pieces[0], isWhole.indices.contains(number),
                isWhole[number]
            {
                return values[number]?.placed(at: value.position)
            }
            let texts = pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .placeholder(let number): values.indices.contains(number) ? values[number]?.plainText ?? "" : ""
                }
            }
            return JSONValue(.string(texts.joined()), at: value.position)
        default:
            return value
        }
    }

    private enum Piece {
        case text(String)
        case placeholder(Int)
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text.unicodeScalars[...]
        while let start = rest.firstIndex(of: opening), let end = rest[start...].firstIndex(of: closing) {
            if start > rest.startIndex { pieces.append(.text(String(rest[..<start]))) }
            let digits = String(rest[rest.index(after: start)..<end])
            if let number = Int(digits) { pieces.append(.placeholder(number)) }
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }
}

extension JSONValue {
    /// The value with one place for it and all that it holds, except for what has a place already.
    fileprivate func placed(at position: JSONPosition) -> JSONValue {
        let position = beginning ?? position
        switch content {
        case .array(let values):
            return JSONValue(.array(values.map { $0.placed(at: position) }), at: position)
        case .object(let object):
            let members = object.members.map {
                JSONObject.Member(
                    name: $0.name,
                    namePosition: $0.namePosition.isKnown ? $0.namePosition : position,
                    value: $0.value.placed(at: position)
                )
            }
            return JSONValue(.object(JSONObject(members)), at: position)
        default:
            return JSONValue(content, at: position)
        }
    }

    /// The value as it stands in a text: a string without quotes, nothing for null, else its JSON.
    var plainText: String {
        switch content {
        case .string(let text): text
        case .null: ""
        default: text(.compact)
        }
    }
}

extension JSONValue {
    /// Where the value begins; for an object that was made of parts, where the first of them does.
    var beginning: JSONPosition? {
        if position.isKnown { return position }
        return object?.members.lazy.map(\.value.position).first(where: \.isKnown)
    }
}
