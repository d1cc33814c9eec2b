import JSON

/// An object of the format: the type that holds its keys, from which everything that knows the object is made: the
/// checker, the merge of a story with its backend, the decoder, the JSON Schema, and the reference page.
protocol FormatObject: Sendable {
    static var shape: ObjectShape { get }
}

/// A key of an object, with a value of any type.
protocol FormatKey: Sendable {
    var declaration: ObjectShape.Key { get }
}

extension FormatKey {
    var name: String { declaration.name }
}

extension ObjectShape.Key: FormatKey {
    var declaration: ObjectShape.Key { self }
}

/// The declaration of one kind of object in a scenario file.
struct ObjectShape: Sendable {
    /// One key: its name, what its value may be, and what the reference says about it.
    struct Key: Sendable {
        var name: String
        var shape: Shape
        /// One sentence: what the value means.
        var summary: String
        var isRequired = false
        /// The default without the key, as it is written in a file or in words.
        var fallback: String?
        /// A value, where the shape alone does not make one.
        var example: JSONValue?
    }

    /// The name of the definition in the JSON Schema and of the entry on the reference page.
    var name: String
    /// The object in a sentence, with its article.
    var article: String
    /// The purpose of the object, in a few words.
    var summary: String
    /// The discussion that belongs to no single key, in Markdown.
    var discussion: String
    var keys: [Key]
    /// Groups of keys of which one object has at most one; when a story sets one, the backend's others go.
    var exclusive: [[String]]
    /// Keys of which one object has at least one, because without it it would mean nothing.
    var needed: [String]
    /// Rules about several keys.
    var rules: [ObjectRules]
    /// The merging of such an object over another file's.
    var merging: Merging

    /// The merging of a story's object with its backend's.
    enum Merging: Sendable {
        /// Member by member; `null` removes one.
        case members
        /// The story's replaces the backend's, and `null` in it is a value.
        case whole
        /// It is itself laid over something, so that it may lack what is required and remove what is there.
        case change
    }

    init(
        _ name: String,
        _ article: String,
        _ summary: String,
        _ keys: [any FormatKey],
        exclusive: [[String]] = [],
        needed: [String] = [],
        rules: ObjectRules...,
        merging: Merging = .members,
        discussion: String = ""
    ) {
        self.name = name
        self.article = article
        self.summary = summary
        self.discussion = discussion
        self.keys = keys.map(\.declaration)
        self.exclusive = exclusive
        self.needed = needed
        self.rules = rules
        self.merging = merging
    }

    /// The purpose as a sentence.
    var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }

    /// The keys of a response, where another object has all of them.
    var responseKeys: Set<String> {
        let response = StubResponse.shape
        let names = Set(response.keys.map(\.name))
        return name != response.name && names.isSubset(of: keys.map(\.name)) ? names : []
    }

    /// The key that tells a variant from its siblings: the first one.
    var verb: String { keys.first?.name ?? "" }

    func adding(_ extra: [Key]) -> ObjectShape {
        var shape = self
        shape.keys += extra
        return shape
    }

    subscript(name: String) -> Key? {
        // By a pointer: a build for debugging would copy each key.
        keys.withUnsafeBufferPointer { keys in
            guard let first = keys.baseAddress else { return nil }
            for number in 0..<keys.count where first[number].name == name { return first[number] }
            return nil
        }
    }

    /// The member that every object may have and that is not read.
    static let comment = "$comment"

    /// Every object of the format, in the order in which they are mentioned from the whole file on.
    static let all: [ObjectShape] = {
        var found: [ObjectShape] = []
        var names: Set<String> = []
        func add(_ shape: ObjectShape) {
            guard names.insert(shape.name).inserted else { return }
            found.append(shape)
            for object in shape.keys.flatMap(\.shape.objects) { add(object) }
        }
        add(Scenario.shape)
        return found
    }()
}
