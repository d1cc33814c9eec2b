/// The keys of one kind of object in a scenario file.
package struct ObjectShape: Sendable {
    /// One key: its name, what its value may be, and a sentence for editors and help.
    package struct Key: Sendable {
        package var name: String
        package var shape: Shape
        package var summary: String
        package var isRequired: Bool

        init(_ name: String, _ shape: Shape, _ summary: String, required: Bool = false) {
            self.name = name
            self.shape = shape
            self.summary = summary
            isRequired = required
        }
    }

    package var keys: [Key]
    /// Groups of keys of which one object has at most one; when a story sets one, the backend's others go.
    package var exclusive: [[String]]
    /// Keys of which one object has at least one, because without it it would mean nothing.
    package var needed: [String]
    /// How such an object is laid over another file's.
    package var merging: Merging

    /// How a story's object and its backend's become one.
    package enum Merging: Sendable {
        /// Member by member; `null` removes one.
        case members
        /// The story's replaces the backend's, and `null` in it is a value.
        case whole
        /// It is itself laid over something, so that it may lack what is required and remove what is there.
        case change
    }

    init(
        _ keys: [Key],
        exclusive: [[String]] = [],
        needed: [String] = [],
        merging: Merging = .members
    ) {
        self.keys = keys
        self.exclusive = exclusive
        self.needed = needed
        self.merging = merging
    }

    /// Any of its keys will do, but an object without one would mean nothing.
    init(anyOf keys: [Key]) {
        self.init(keys, needed: keys.map(\.name))
    }

    /// The key that tells a variant from its siblings: the first one.
    var verb: String { keys.first?.name ?? "" }

    func adding(_ extra: [Key]) -> ObjectShape {
        ObjectShape(keys + extra, exclusive: exclusive, needed: needed, merging: merging)
    }

    subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}
