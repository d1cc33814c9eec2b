/// How one attempt goes about making a value; later attempts are plainer.
struct SampleStrategy {
    /// Whether examples and defaults inside of the schema stand for made values.
    var usesExamples: Bool
    /// How probable null is where it is one of several types.
    var nullShare: Double
    /// How probable an optional property is, by its depth; deeper ones than listed are left out.
    var optionalShares: [Double]
    /// The most elements of an array that may have more.
    var elements: Int
    /// The values below which everything is made as small as it may be.
    var nodes: Int
    /// Whether any kind of value may stand where `type` is missing, not only the one that other keywords speak of.
    var isSurprising = false

    func optionalShare(at depth: Int) -> Double {
        depth < optionalShares.count ? optionalShares[depth] : 0
    }

    /// Whether only what is required is made at a depth.
    func isPlain(at depth: Int) -> Bool { depth >= optionalShares.count }

    /// All attempts, in their order.
    static func ladder(_ preference: SchemaSampler.Preference) -> [SampleStrategy] {
        let rich = SampleStrategy(
            usesExamples: preference == .examples,
            nullShare: 0.08,
            optionalShares: [0.9, 0.6, 0.35, 0.15],
            elements: 3,
            nodes: 700
        )
        var made = rich
        made.usesExamples = false
        made.nullShare = 0
        var full = made
        full.optionalShares = [1, 1]
        full.elements = 2
        var plain = made
        plain.optionalShares = []
        plain.elements = 1
        var surprising = made
        surprising.isSurprising = true
        return [rich, rich, rich, made, made, made, plain, plain, full, full]
            + [plain, made, surprising, full, surprising, surprising, surprising, surprising]
    }
}
