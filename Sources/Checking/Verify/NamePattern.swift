/// A pattern for names: a star stands for any number of characters.
package struct NamePattern: Sendable, Hashable {
    private let pattern: [UInt8]

    package init(_ text: some StringProtocol) {
        pattern = Array(text.utf8)
    }

    /// Goes back to the last star only, so the time is bounded by the product of the lengths.
    package func fits(_ name: String) -> Bool {
        let star = UInt8(ascii: "*")
        let text = Array(name.utf8)
        var (inPattern, inText) = (0, 0)
        var retry: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == star {
                inPattern += 1
                retry = (inPattern, inText)
            } else if inPattern < pattern.count, pattern[inPattern] == text[inText] {
                inPattern += 1
                inText += 1
            } else if let last = retry {
                inPattern = last.pattern
                inText = last.text + 1
                retry = (last.pattern, inText)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == star }
    }
}
