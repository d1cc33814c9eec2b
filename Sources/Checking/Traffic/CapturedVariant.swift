import JSON

/// The properties that distinguish a request of a route from others, as far as a condition can express them.
struct CapturedVariant: Hashable {
    /// A header field by which a request asks for a part of a resource, or for what has changed.
    struct Precondition: Hashable {
        var name: String
        var value: String
    }

    var path: [String: String] = [:]
    /// The first value of each name.
    var query: [String: String] = [:]
    /// Texts, numbers and booleans of a body.
    var body: [CapturedPlace: JSONValue] = [:]
    var precondition: Precondition?
    /// The names in the query whose values are secrets.
    var secretNames: Set<String> = []
    /// Further values of names in the query, which no condition sees.
    var hidden: [String] = []

    static func == (left: CapturedVariant, right: CapturedVariant) -> Bool {
        left.path == right.path && left.query == right.query && left.body == right.body
            && left.precondition == right.precondition
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(query)
        hasher.combine(body)
        hasher.combine(precondition)
    }
}

/// The requests of a route by what tells them apart.
struct CapturedVariants {
    struct Group {
        var variant: CapturedVariant
        /// Places among the capture's entries.
        var entries: [Int]
    }

    private(set) var groups: [Group] = []
    /// A Boolean value that indicates whether requests of one group differ in what no condition sees.
    private(set) var hasHiddenDifferences = false
    /// The names of query items in any of them.
    let queryNames: Set<String>
    /// The places of texts, numbers and booleans in the body of any of them, by their names.
    let bodyPlaces: [CapturedPlace]

    init(_ entries: [Int], _ variant: (Int) -> CapturedVariant) {
        var places: [CapturedVariant: Int] = [:]
        for entry in entries {
            let variant = variant(entry)
            guard let place = places[variant] else {
                places[variant] = groups.count
                groups.append(Group(variant: variant, entries: [entry]))
                continue
            }
            if groups[place].variant.hidden != variant.hidden { hasHiddenDifferences = true }
            groups[place].entries.append(entry)
        }
        queryNames = groups.reduce(into: []) { $0.formUnion($1.variant.query.keys) }
        let found = groups.reduce(into: Set<CapturedPlace>()) { $0.formUnion($1.variant.body.keys) }
        bodyPlaces = found.sorted { $0.name < $1.name }
    }

    /// The group of the route's own response: the first one with a success, and without a precondition if there is one.
    func own(where isSuccess: (Int) -> Bool) -> Group? {
        let plain = groups.filter { $0.variant.precondition == nil }
        return plain.first { $0.entries.contains(where: isSuccess) } ?? plain.first ?? groups.first
    }
}
