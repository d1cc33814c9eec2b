import JSON
import JSONSchema

/// Makes a value smaller as long as it still fails in the same way: without members and elements, with shorter texts.
struct ValueShrinking {
    /// The values that may still be tried.
    var allowance = 150
    /// Whether a smaller value may still be served.
    let isLegal: (JSONValue) -> Bool
    /// Whether it still fails.
    let fails: (JSONValue) async -> Bool

    /// The smallest value that was found.
    mutating func smallest(from value: JSONValue) async -> JSONValue {
        var value = value
        var isSmaller = true
        while isSmaller, allowance > 0 {
            isSmaller = false
            for place in Self.places(in: value) {
                for candidate in Self.smaller(value, at: place) where allowance > 0 && isLegal(candidate) {
                    allowance -= 1
                    guard await fails(candidate) else { continue }
                    value = candidate
                    isSmaller = true
                    break
                }
            }
        }
        return value
    }

    /// All places inside of a value, the outer ones first: what goes with them need not be looked at.
    private static func places(in value: JSONValue) -> [JSONPointer] {
        var places = [JSONPointer()]
        var next = 0
        while next < places.count, places.count < 2_000 {
            let place = places[next]
            next += 1
            switch place.value(in: value)?.content {
            case .object(let object): places += object.names.map(place.appending)
            case .array(let elements): places += elements.indices.map(place.appending)
            default: break
            }
        }
        return places
    }

    private static func smaller(_ value: JSONValue, at place: JSONPointer) -> [JSONValue] {
        guard let here = place.value(in: value) else { return [] }
        var candidates: [JSONValue] = []
        if !place.isRoot { candidates.append(value.replacing(place, with: nil)) }
        switch here.content {
        case .array(let elements) where elements.count > 1:
            let half = elements.count / 2
            candidates.append(value.replacing(place, with: .array(Array(elements.prefix(half)))))
            candidates.append(value.replacing(place, with: .array(Array(elements.suffix(half)))))
        case .string(let text) where !text.isEmpty:
            let scalars = text.unicodeScalars
            for count in [0, 1, scalars.count / 2] where count < scalars.count {
                let short = String(String.UnicodeScalarView(scalars.prefix(count)))
                candidates.append(value.replacing(place, with: .string(short)))
            }
        default: break
        }
        return candidates
    }
}
