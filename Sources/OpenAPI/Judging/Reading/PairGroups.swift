/// The pairs of a form by what their names begin with, up to the first bracket.
///
/// With it every property looks at its own pairs only, so that a large form of many properties costs no more than its
/// length.
struct PairGroups {
    private var numbers: [[UInt8]: [Int]] = [:]

    init(_ pairs: WirePairs) {
        for (number, pair) in pairs.pairs.enumerated() {
            let bytes = Array(pair.name.utf8)
            numbers[bytes, default: []].append(number)
            let base = Array(bytes.prefix { $0 != UInt8(ascii: "[") })
            if base.count < bytes.count { numbers[base, default: []].append(number) }
        }
    }

    /// The positions of the pairs that may belong to a property.
    func numbers(of name: String) -> [Int] { numbers[Array(name.utf8)] ?? [] }
}
