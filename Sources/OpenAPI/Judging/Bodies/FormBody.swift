import Basics
import HTTPCodec
import JSON

/// Judges a body of `application/x-www-form-urlencoded` as the object that it encodes.
///
/// A property is written as a query parameter would be: form style and exploded, unless its encoding says otherwise
/// (OpenAPI 3.1, section 4.8.15).
struct FormBody {
    let rule: BodyEvaluation

    private var shapes: ValueShapes { rule.judge.shapes }

    func judge(_ bytes: [UInt8], into list: inout ViolationList) {
        guard let schema = rule.content.schema else { return }
        let shape = shapes.shape(of: schema)
        rule.judge(value(of: BodyText.text(bytes[...]), by: schema).readings(as: shape, from: shapes), into: &list)
    }

    /// The object that a text encodes.
    func value(of text: String, by schema: SchemaReference) -> WireValue {
        read(WirePairs(query: text), shape: shapes.shape(of: schema))
    }

    private func read(_ pairs: WirePairs, shape: ValueShape) -> WireValue {
        var fields: [WireValue.Field] = []
        var isClaimed = [Bool](repeating: false, count: pairs.pairs.count)
        let groups = PairGroups(pairs)
        for property in shape.properties {
            let own = groups.numbers(of: property.name)
            // An exploded object is written under the names of its properties and not under its own.
            guard !own.isEmpty || rule.content.encoding(of: property.name)?.style == .form else { continue }
            let numbers = own.isEmpty ? Array(pairs.pairs.indices) : own
            let shape = shapes.shape(ofAny: property.schemas)
            let found = find(property.name, in: pairs.selecting(numbers), shape: shape)
            guard !found.values.isEmpty else { continue }
            fields.append(WireValue.Field(name: property.name, value: .anyOf(found.values)))
            for number in found.claimed { isClaimed[numbers[number]] = true }
        }
        for (number, pair) in pairs.pairs.enumerated() where !isClaimed[number] {
            fields.append(WireValue.Field(name: pair.name, value: .text(pairs.decoded(pair.value))))
        }
        return .fields(fields)
    }

    private func find(_ name: String, in pairs: WirePairs, shape: ValueShape) -> PairedValue.Found {
        let encoding = rule.content.encoding(of: name)
        let own = pairs.indices(of: name)
        guard let style = encoding?.style else {
            guard !own.isEmpty else { return PairedValue.Found() }
            // Without a style, an object is one text of JSON (section 4.8.14.4).
            if let value = json(own, in: pairs, shape: shape, type: encoding?.contentType) {
                return PairedValue.Found(values: [value], claimed: own)
            }
            let explode = encoding?.explode ?? true
            return PairedValue(pairs: pairs, style: .form, explode: explode).find(name, shape: shape)
        }
        return PairedValue(pairs: pairs, style: style, explode: encoding?.explode ?? (style == .form))
            .find(name, shape: shape)
    }

    private func json(_ own: [Int], in pairs: WirePairs, shape: ValueShape, type: String?) -> WireValue? {
        let isJSON = type.flatMap { MediaType(parsing: $0) }?.isJSON ?? (shape.kinds == .object)
        guard isJSON, own.count == 1 else { return nil }
        do throws(JSONSyntaxError) {
            return .json(try JSONParser().parse(pairs.decoded(pairs.pairs[own[0]].value)).root)
        } catch {
            return nil
        }
    }
}

/// Bytes as the strings that a schema judges.
enum BodyText {
    /// UTF-8 where the bytes are valid UTF-8.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validUTF8: bytes) ?? octets(bytes)
    }

    /// A scalar for each byte, so that a length counts bytes, as `maxLength` of binary strings does (OpenAPI 3.1,
    /// section 4.8.14.2).
    static func octets(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return "" }
            return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
                guard let start = text.baseAddress else { return 0 }
                var (next, end) = (0, 0)
                while next < bytes.count {
                    let byte = source[next]
                    next += 1
                    if byte < 0x80 {
                        start[end] = byte
                        end += 1
                    } else {
                        // The two bytes of UTF-8 for U+0080 to U+00FF.
                        start[end] = 0xC0 | byte >> 6
                        start[end + 1] = 0x80 | byte & 0x3F
                        end += 2
                    }
                }
                return end
            }
        }
    }
}
