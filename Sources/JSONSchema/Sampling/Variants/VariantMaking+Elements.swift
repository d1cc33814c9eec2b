import JSON

extension VariantMaking {
    /// Puts other numbers of elements in a place.
    mutating func changeElements(_ elements: [JSONValue], _ place: VariantPlace, of base: JSONValue) {
        offer([], "empty", place, base)
        guard let first = elements.first else { return }
        let hasPrefix = place.demand.arrays.contains { !$0.arrays.prefix.isEmpty }
        guard !hasPrefix else { return }
        offer([first], "of one element", place, base)
        let maximum = place.demand.arrays.compactMap(\.arrays.maximumCount).min() ?? .max
        if !place.demand.arrays.contains(where: \.arrays.isUnique) {
            offer([first, first], "of two equal elements", place, base)
            let size = max(1, first.utf8().count)
            let count = min(maximum, max(12, min(200, 16_000 / size)))
            if count > 2, count < 10_000 {
                offer(Array(repeating: first, count: count), "of \(count) elements", place, base)
            }
        }
        // A list in which one element has everything and the next nothing but the necessary.
        if maximum > 1, let plain = make(place.demand.elementSchemas(at: 0), name: place.pointer.tokens.last ?? "") {
            offer([first, plain, first], "of unlike elements", place, base)
            offer([plain, first], "of unlike elements, the plain one first", place, base)
        }
    }

    private mutating func offer(
        _ elements: [JSONValue],
        _ phrase: String,
        _ place: VariantPlace,
        _ base: JSONValue
    ) {
        offer(.array(elements), phrase, .legal, .element, at: place, of: base)
    }
}
