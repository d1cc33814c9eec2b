import JSON

/// What an adapter says about one operation, and which of it was needed.
struct VariantCheckTerms {
    let root: JSONPointer
    private let drops: [(place: BodyPlace, text: String)]
    private let tolerances: [(place: BodyPlace, text: String)]
    private var needed: Set<Int> = []

    init(_ operation: ClientOperation<some Sendable>) {
        root = operation.root
        drops = operation.drops.map { (BodyPlace($0.place), $0.place) }
        tolerances = operation.tolerances.map { (BodyPlace($0.place), $0.place) }
    }

    /// Whether a place need not come back; then the drop is one that was needed.
    mutating func drops(_ place: JSONPointer) -> Bool {
        guard let index = drops.firstIndex(where: { $0.place.covers(place) }) else { return false }
        needed.insert(index)
        return true
    }

    /// Whether a required member may be missing.
    mutating func tolerates(_ place: JSONPointer) -> Bool {
        guard let index = tolerances.firstIndex(where: { $0.place.matches(place) }) else { return false }
        needed.insert(drops.count + index)
        return true
    }

    /// The drops and tolerances that nothing has needed, as the adapter writes them.
    var idle: (drops: [String], tolerances: [String]) {
        (
            drops.indices.filter { !needed.contains($0) }.map { drops[$0].text },
            tolerances.indices.filter { !needed.contains(drops.count + $0) }.map { tolerances[$0].text }
        )
    }
}
