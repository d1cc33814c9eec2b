import JSON

/// The places of documents that compilation came by, each once, so that two ways to a schema end at one node.
struct PlaceTree: Sendable {
    struct Place: Sendable {
        var parent: Int32
        var token: String
        var document: Int32
        /// The innermost resource around it.
        var resource: Int32
        /// How schemas are read here, as a number of the compiler's.
        var rules: Int32
        var value: JSONValue
    }

    private struct Key: Hashable {
        var parent: Int32
        var token: ExactText
    }

    private(set) var places: [Place] = []
    private var children: [Key: Int32] = [:]

    subscript(number: Int32) -> Place { places[Int(number)] }

    func child(of parent: Int32, _ token: String) -> Int32? {
        children[Key(parent: parent, token: ExactText(token))]
    }

    mutating func add(_ place: Place) -> Int32 {
        let number = Int32(places.count)
        places.append(place)
        children[Key(parent: place.parent, token: ExactText(place.token))] = number
        return number
    }

    /// The names and indices from the root of the resource around a place.
    func path(of number: Int32) -> [String] {
        var tokens: [String] = []
        var number = number
        let resource = self[number].resource
        while self[number].parent >= 0, self[self[number].parent].resource == resource {
            tokens.append(self[number].token)
            number = self[number].parent
        }
        return tokens.reversed()
    }
}
