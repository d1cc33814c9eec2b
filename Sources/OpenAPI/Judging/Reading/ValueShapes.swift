import Basics
import JSON
import JSONSchema

/// The shapes of a contract's schemas, each worked out when it is first asked for.
///
/// A class, because a judge is copied and what was worked out is shared.
final class ValueShapes: Sendable {
    /// How many schemas one shape may be made of, and how many may refer to one another on the way; beyond it the rest
    /// is left out, which only makes readings rougher.
    private static let reachLimit = 500
    private static let depthLimit = 50

    private let registry: SchemaRegistry
    private let known = Lock(Known())

    init(registry: SchemaRegistry) {
        self.registry = registry
    }

    /// The shape of a schema that the model refers to, which is found by its number and not by its URI.
    func shape(of reference: SchemaReference) -> ValueShape {
        guard let number = reference.number else { return shape(of: reference.uri) }
        if let shape = known.withLock({ $0.numbered[number] }) { return shape }
        let shape = shape(of: reference.uri)
        known.withLock { $0.numbered[number] = shape }
        return shape
    }

    func shape(of uri: String) -> ValueShape {
        let key = ByteKey(uri)
        if let shape = known.withLock({ $0.named[key] }) { return shape }
        var trail = Trail()
        let shape = derive(uri, against: uri, on: &trail)
        known.withLock { $0.named[key] = shape }
        return shape
    }

    /// The last long part of a body as a text: a client in many schedules sends the same file again and again.
    private let lastOctets = Lock<(bytes: [UInt8], text: String)?>(nil)

    /// A scalar for each byte, as ``BodyText/octets(_:)`` has it.
    func octets(_ bytes: [UInt8]) -> String {
        guard 16_384...4_194_304 ~= bytes.count else { return BodyText.octets(bytes) }
        if let last = lastOctets.withLock({ $0 }), last.bytes.hasSameBytes(as: bytes) { return last.text }
        let text = BodyText.octets(bytes)
        lastOctets.withLock { $0 = (bytes, text) }
        return text
    }

    private struct Known {
        var named: [ByteKey: ValueShape] = [:]
        var numbered: [Int: ValueShape] = [:]
    }

    /// The shape of a value that any of these schemas may be meant for.
    func shape(ofAny uris: [String]) -> ValueShape {
        switch uris.count {
        case 0: .anything
        case 1: shape(of: uris[0])
        default: ValueShape(union: uris.map { shape(of: $0) })
        }
    }

    private func derive(_ reference: String, against base: String, on trail: inout Trail) -> ValueShape {
        guard trail.steps < Self.reachLimit, trail.open.count < Self.depthLimit,
            let (value, uri) = registry.resolve(reference, against: base), let schema = value.object,
            trail.open.insert(Array(uri.utf8)).inserted
        else { return .anything }
        trail.steps += 1
        var shape = ValueShape(ownKeywordsOf: schema, at: uri)
        if let target = schema["$ref"]?.string {
            shape.narrow(by: derive(target, against: uri, on: &trail))
        }
        for number in (schema["allOf"]?.array ?? []).indices {
            shape.narrow(by: derive(Self.child(of: uri, "allOf", number), against: uri, on: &trail))
        }
        for keyword in ["anyOf", "oneOf"] {
            guard let branches = schema[keyword]?.array, !branches.isEmpty else { continue }
            let shapes = branches.indices.map { number in
                derive(Self.child(of: uri, keyword, number), against: uri, on: &trail)
            }
            shape.narrow(by: ValueShape(union: shapes))
        }
        trail.open.remove(Array(uri.utf8))
        return shape
    }

    /// The way to a schema: the same one may lie on two branches, but a circle must end.
    private struct Trail {
        var open: Set<[UInt8]> = []
        var steps = 0
    }

    private static func child(of uri: String, _ keyword: String, _ number: Int) -> String {
        ValueShape.uri(uri, appending: [keyword, String(number)])
    }
}

extension [UInt8] {
    /// The same as `==`, eight bytes at a time.
    fileprivate func hasSameBytes(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                var offset = 0
                while offset + 8 <= one.count {
                    let (left, right) = (
                        one.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                        other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    )
                    guard left == right else { return false }
                    offset += 8
                }
                while offset < one.count {
                    guard one[offset] == other[offset] else { return false }
                    offset += 1
                }
                return true
            }
        }
    }
}
