import JSON

/// The making of all variants of one schema.
struct VariantMaking {
    var maker: SampleMaker
    var collection: VariantCollection
    let root: Int
    /// The places that may still be looked at.
    var places = 400
    /// The values that may still be added to make the rich value.
    var additions = 2_000
    /// Changes that are legal by themselves and may come together: what is absent and what is null.
    var gaps: [VariantGap] = []

    init(maker: SampleMaker, collection: VariantCollection, root: Int) {
        self.maker = maker
        self.collection = collection
        self.root = root
    }

    mutating func makeAll(examples: [(name: String, value: JSONValue)], seed: UInt64) {
        let sound = examples.filter { collection.accepts($0.value) == true }
        guard let base = richValue(examples: sound.map(\.value), seed: seed) else { return }
        let whole = place(of: base, by: [root], at: JSONPointer(), .whole)
        collection.offer(base, "everything is there", .legal, .whole, at: whole)
        for example in sound {
            let known = known(example.value, by: [root])
            let label = "the example \(example.name)"
            collection.offer(example.value, label, .legal, .whole, at: whole, known: known)
        }
        let firstGaps = changeEverything(in: base, from: whole)
        gaps = firstGaps
        combineGaps(of: base, at: whole, seed: seed)
        layOut(base, at: whole)
        takeChances(at: whole, seed: seed)
    }

    /// Values that chance has made, which may differ in many things at once.
    private mutating func takeChances(at whole: VariantPlace, seed: UInt64) {
        for number in 1...8 {
            for (attempt, strategy) in SampleStrategy.ladder(.schema).prefix(6).enumerated() {
                let seed = seed &+ UInt64(number) &* 0x9E37_79B9 &+ UInt64(attempt) &* 0xD134_2543_DE82_EF95
                guard let value = maker.make(root, by: strategy, seed: seed) else { continue }
                let known = known(value, by: [root])
                let label = "made by chance, number \(number)"
                if collection.offer(value, label, .legal, .chance, at: whole, known: known) { break }
            }
        }
    }
}

/// A member that is left out or null, legal by itself.
struct VariantGap {
    var place: VariantPlace
    /// What stands there instead: nothing, or null.
    var value: JSONValue?
}
