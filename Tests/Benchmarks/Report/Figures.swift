/// Measurements of one thing, for what is said about all of them together.
struct Figures {
    private let sorted: [Double]

    init(_ values: some Sequence<Double>) {
        sorted = values.sorted()
    }

    var count: Int { sorted.count }
    var minimum: Double { sorted.first ?? .nan }
    var maximum: Double { sorted.last ?? .nan }
    var median: Double { percentile(0.5) }

    /// The value below which that part of all values lies, interpolated between neighbours.
    func percentile(_ part: Double) -> Double {
        guard let last = sorted.last else { return .nan }
        let place = part * Double(sorted.count - 1)
        let index = Int(place)
        guard index + 1 < sorted.count else { return last }
        return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
    }
}
