/// A kind of finding, by its id.
///
/// The ids of token rules, `B1` to `B29`, are in the guide `rules`.
package struct FindingKind: Sendable, Hashable {
    /// `contract/bad-name`; one that ends with `/*` means all ids that begin so.
    package let id: String
    /// The severities that it can have, the heaviest first.
    package let severities: [String]
    /// The file that makes it, below `Sources`.
    package let file: String
    /// A sentence that says what was found.
    package let sentence: String
}

extension FindingKind {
    /// All kinds, sorted by their ids.
    package static let all: [FindingKind] = {
        let lines = (contracts + "\n" + scenarios).split(separator: "\n")
        let kinds = stride(from: 0, to: lines.count - 1, by: 2).map { number in
            let parts = lines[number].split(separator: "|").map(trimmed)
            return FindingKind(
                id: parts[0],
                severities: parts[1].split(separator: ",").map(trimmed),
                file: parts[2],
                sentence: trimmed(lines[number + 1])
            )
        }
        return kinds.sorted { $0.id < $1.id }
    }()

    private static func trimmed(_ text: Substring) -> String { String(text.trimming { $0 == " " }) }

    /// The list for a terminal.
    package static var text: String {
        "The ids of findings, each with its severities and the file in Sources that reports it. The rules B1 to B29"
            + " are in the guide \"rules\".\n\n"
            + all.map { kind in
                "\(kind.id) (\(kind.severities.joined(separator: ", "))), \(kind.file)\n    \(kind.sentence)\n"
            }
            .joined()
    }

    /// Returns whether an id is of this kind.
    package func covers(_ other: String) -> Bool {
        id.utf8.last == UInt8(ascii: "*") ? other.utf8.starts(with: id.utf8.dropLast()) : other.exact == id.exact
    }
}
