import Basics

/// The properties of `\p{…}` (ECMA-262, section 22.2.1.9 and tables 66 to 68), as sets.
enum UnicodeProperty {
    /// Sets that were asked for once, since making one looks at every code point.
    private static let known = Lock<[String: ScalarSet]>([:])

    /// The set of a property and its value, or of a lone name; `nil` when ECMAScript has none of that name.
    static func set(name: String, value: String?) -> ScalarSet? {
        let key = value.map { "\(name)=\($0)" } ?? name
        if let set = known.withLock({ $0[key] }) { return set }
        guard let set = make(name, value) else { return nil }
        known.withLock { $0[key] = set }
        return set
    }

    private static func make(_ name: String, _ value: String?) -> ScalarSet? {
        switch (name, value) {
        case ("General_Category", let value?), ("gc", let value?):
            GeneralCategories.set(named: value)
        case ("Script", let value?), ("sc", let value?):
            set(named: value, in: UnicodeTables.scripts)
        case ("Script_Extensions", let value?), ("scx", let value?):
            set(named: value, in: UnicodeTables.scriptExtensions) ?? set(named: value, in: UnicodeTables.scripts)
        case (_, .some):
            nil
        case (_, nil):
            GeneralCategories.set(named: name) ?? set(named: name, in: UnicodeTables.properties)
                ?? BinaryProperties.set(named: name)
        }
    }

    /// Finds the line that has a name, and unpacks it.
    private static func set(named name: String, in table: String) -> ScalarSet? {
        for line in table.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            guard line[..<colon].split(separator: ",").contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                continue
            }
            var ranges: [ClosedRange<UInt32>] = []
            var numbers = PackedNumbers(line[line.index(after: colon)...])
            var next: UInt32 = 0
            while let gap = numbers.next(), let more = numbers.next() {
                ranges.append(next + gap...next + gap + more)
                next += gap + more + 1
            }
            return ScalarSet(ranges)
        }
        return nil
    }
}
