import ECMAPatterns
import JSON

/// The schemas that samples were made by so far, each read once and known by a number.
///
/// Grows as references are followed. Nothing that is made may depend on the numbers, which depend on what was asked
/// for first.
struct SchemaTable {
    struct Entry {
        let uri: String
        let value: JSONValue
        var facts: SchemaFacts?
        /// The schema itself and all that holds with it: what `$ref` and `allOf` lead to.
        var parts: [Int]?
        var minimalDepth: Int?
        var soundExamples: [JSONValue]?
    }

    let registry: SchemaRegistry
    /// The schemas that the rule under way may still look at; branches in branches could be without end.
    var rules = 0
    private(set) var entries: [Entry] = []
    private var numbers: [String: Int] = [:]
    private var patterns: [ExactText: ECMAPattern?] = [:]

    init(registry: SchemaRegistry) {
        self.registry = registry
    }

    /// The schema at a URI, pointer included.
    mutating func schema(at uri: String) -> Int? {
        if let number = numbers[uri] { return number }
        return registry.resolve(uri, against: uri).map { number(of: $0.value, at: $0.uri) }
    }

    /// The schema that a reference names; `nil` when there is none.
    mutating func schema(referredToBy reference: String, from uri: String) -> Int? {
        registry.resolve(reference, against: uri).map { number(of: $0.value, at: $0.uri) }
    }

    /// The number of a subschema.
    mutating func child(_ value: JSONValue, of uri: String, at tokens: String...) -> Int {
        let pointer = JSONPointer(tokens: tokens).fragment.dropFirst()
        let place = uri.utf8.contains(0x23) ? "\(uri)\(pointer)" : "\(uri)#\(pointer)"
        // An identifier of its own changes what references in it are relative to.
        if value["$id"] != nil || value["id"]?.string != nil,
            let found = registry.resolve(place, against: place)
        {
            return number(of: found.value, at: found.uri)
        }
        return number(of: value, at: place)
    }

    /// What a schema says.
    mutating func facts(of number: Int) -> SchemaFacts {
        if let facts = entries[number].facts { return facts }
        let facts = read(entries[number].value, at: entries[number].uri)
        entries[number].facts = facts
        return facts
    }

    /// The compiled expression, or `nil` when it is none.
    mutating func pattern(_ source: String) -> ECMAPattern? {
        if let known = patterns[ExactText(source)] { return known }
        let pattern: ECMAPattern?
        do { pattern = try ECMAPattern(source) } catch { pattern = nil }
        patterns[ExactText(source)] = .some(pattern)
        return pattern
    }

    mutating func note(_ parts: [Int], of number: Int) { entries[number].parts = parts }

    mutating func note(minimalDepth depth: Int, of number: Int) { entries[number].minimalDepth = depth }

    mutating func note(soundExamples examples: [JSONValue], of number: Int) {
        entries[number].soundExamples = examples
    }

    private mutating func number(of value: JSONValue, at uri: String) -> Int {
        if let number = numbers[uri] { return number }
        numbers[uri] = entries.count
        entries.append(Entry(uri: uri, value: value))
        return entries.count - 1
    }
}
