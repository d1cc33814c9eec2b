import Basics

/// Ranges of numbers that fit the names of properties.
enum PlausibleNumbers {
    static func range(of name: String, formats: [String]) -> ClosedRange<Int> {
        if formats.contains(where: { $0.exact == "unix-time" }) { return years }
        return NameParts(name).best(in: ranks).map { ranges[$0].1 } ?? 0...1_000
    }

    /// Seconds of the years 2023 and 2024.
    static let years = 1_672_531_200...1_735_689_599

    /// The ranges that a part of a name suggests, the most specific parts first.
    private static let ranges: [([String], ClosedRange<Int>)] = [
        (["expiresin"], 300...86_400),
        (["created", "updated", "timestamp", "expires", "arrivaldate"], years),
        (["year"], 2_000...2_030),
        (["month"], 1...12),
        (["day"], 1...28),
        (["hour"], 0...23),
        (["minute", "second"], 0...59),
        (["latitude", "lat"], -90...90),
        (["longitude", "lng", "lon"], -180...180),
        (["percent", "percentage", "progress"], 0...100),
        (["age"], 18...90),
        (["quantity", "count", "page"], 1...20),
        (["amount", "price", "total", "cost"], 100...10_000),
        (["id"], 1...9_999),
    ]
    private static let ranks = NameParts.ranks(of: ranges.map(\.0))
}
