/// The part of a text that a command writes, between `<!-- NAME -->` and `<!-- /NAME -->` on lines of their own.
package struct MarkedSection: Sendable {
    private let before: [Substring]
    private let after: [Substring]
    /// The lines between the markers.
    private let lines: [Substring]

    /// Finds the part.
    ///
    /// - Returns: `nil` when the text lacks one of the markers, or has them in another order.
    package init?(_ name: String, in text: String) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard
            let start = all.firstIndex(where: { $0.utf8.elementsEqual("<!-- \(name) -->".utf8) }),
            let end = all[start...].firstIndex(where: { $0.utf8.elementsEqual("<!-- /\(name) -->".utf8) })
        else { return nil }
        before = Array(all[...start])
        lines = Array(all[(start + 1)..<end])
        after = Array(all[end...])
    }

    /// Where the part differs from what it should be: the number of the first such line, counted from 1 in the whole
    /// text; `nil` when it does not.
    package func firstDifference(from content: String) -> Int? {
        let wanted = Self.lines(of: content)
        guard !lines.elementsEqual(wanted, by: { $0.utf8.elementsEqual($1.utf8) }) else { return nil }
        let shared = zip(lines, wanted).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        return before.count + shared + 1
    }

    /// The whole text with another part.
    package func replacing(with content: String) -> String {
        (before + Self.lines(of: content) + after).joined(separator: "\n")
    }

    /// The lines of a part, which empty ones set apart from the markers.
    private static func lines(of content: String) -> [Substring] {
        var lines = content.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return [""] + lines + [""]
    }
}
