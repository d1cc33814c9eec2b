import JSON
import TestSupport

/// A file with one slip in it, and where the slip is.
struct Mutation {
    enum Kind: String, CaseIterable {
        case renamedKey
        case changedWord
        case changedType
        case cutFile
        case swappedQuote
        case droppedComma
        case repeatedKey
    }

    var text: String
    /// The line on which a careful colleague would point to it.
    var line: Int
    /// What it was before, for "did you mean".
    var original: String?
    /// What was done, for a failing test.
    var summary: String

    /// A text that many mutations are made of.
    struct Original {
        fileprivate let source: JSONSource
        fileprivate let sites: Sites

        init?(_ text: String) {
            guard let root = try? JSONParser().parse(text).root else { return nil }
            (source, sites) = (JSONSource(text), Sites(of: root))
        }
    }

    /// Makes one slip; `nil` when this kind has no place in the file, or the result would be right again.
    static func make(_ kind: Kind, in original: Original, using generator: inout SeededGenerator) -> Mutation? {
        let (source, sites) = (original.source, original.sites)
        return switch kind {
        case .renamedKey: renamedKey(in: source, sites, using: &generator)
        case .changedWord: changedWord(in: source, sites, using: &generator)
        case .changedType: changedType(in: source, sites, using: &generator)
        case .cutFile: cut(source, using: &generator).ifBroken
        case .swappedQuote: swappedQuote(in: source, using: &generator)?.ifBroken
        case .droppedComma: droppedComma(in: source, using: &generator)?.ifBroken
        case .repeatedKey: repeatedKey(in: source, using: &generator)
        }
    }

    /// Itself, unless the text is JSON all the same.
    private var ifBroken: Mutation? {
        (try? JSONParser().parse(text)) == nil ? self : nil
    }
}
