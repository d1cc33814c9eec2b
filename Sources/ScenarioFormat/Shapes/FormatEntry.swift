import Basics
package import JSON

/// An object or a key of the format as its declaration describes it, for readers outside this target.
package struct FormatEntry: Sendable, Hashable {
    /// The name of the object, or of the key.
    package var name: String
    /// The objects that have the key; empty for an object.
    package var objects: [String] = []
    /// The meaning, as a sentence.
    package var meaning: String
    /// The value that is accepted; empty for an object.
    package var value = ""
    /// The default, as it is written in a file or in words; `nil` for a required key and an object.
    package var fallback: String?
    package var isRequired = false
    /// An example of the key's value, `nil` for an object.
    package var example: JSONValue?
    /// The keys of an object; empty for a key.
    package var keys: [String] = []
}

extension FormatEntry {
    /// Every object and every key, in the order of the format; a key that several objects declare in the same way is one
    /// entry.
    package static let all: [FormatEntry] = {
        var entries = ObjectShape.all.map { shape in
            FormatEntry(
                name: shape.name,
                meaning: [shape.sentence, shape.discussion].filter { !$0.isEmpty }.joined(separator: " "),
                keys: shape.keys.map(\.name)
            )
        }
        var places: [FormatEntry: Int] = [:]
        for shape in ObjectShape.all {
            for key in shape.keys {
                var entry = FormatEntry(key)
                if let place = places[entry] {
                    entries[place].objects.append(shape.name)
                } else {
                    places[entry] = entries.count
                    entry.objects = [shape.name]
                    entries.append(entry)
                }
            }
        }
        return entries
    }()

    private init(_ key: ObjectShape.Key) {
        name = key.name
        meaning = key.summary
        value = key.shape.expectation
        fallback = key.isRequired ? nil : key.fallback
        isRequired = key.isRequired
        example = key.sample
    }

    /// The key's or object's names in `explain`: `count`, and with its objects `requestExpectation.count`.
    package var spellings: [String] { [name] + objects.map { "\($0).\(name)" } }

    /// The keys that other tools' words, such as `delay`, may mean, as advice; `nil` for an unknown word.
    package static func advice(forForeignWord word: String) -> String? {
        ForeignWords.advice(for: word, among: ObjectShape.all.flatMap { $0.keys.map(\.name) }.unique, unless: nil)
    }
}
