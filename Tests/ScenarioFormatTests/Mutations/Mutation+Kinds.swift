import JSON
import TestSupport

@testable import ScenarioFormat

extension Mutation {
    static func renamedKey(
        in source: JSONSource,
        _ sites: Sites,
        using generator: inout SeededGenerator
    ) -> Mutation? {
        guard let key = sites.keys.randomElement(using: &generator) else { return nil }
        let name = misspelt(key.name, using: &generator)
        guard !key.siblings.contains(name) else { return nil }
        return Mutation(source, at: key.position, by: "\"\(name)\"", original: key.name)
    }

    static func changedWord(
        in source: JSONSource,
        _ sites: Sites,
        using generator: inout SeededGenerator
    ) -> Mutation? {
        guard let site = sites.words.randomElement(using: &generator), let word = site.string else { return nil }
        return Mutation(source, at: site.position, by: "\"\(misspelt(word, using: &generator))\"", original: word)
    }

    static func changedType(
        in source: JSONSource,
        _ sites: Sites,
        using generator: inout SeededGenerator
    ) -> Mutation? {
        guard let site = sites.values.randomElement(using: &generator) else { return nil }
        let others = [("boolean", "true"), ("number", "-7"), ("string", "\"?\""), ("array", "[7]"), ("null", "null")]
            .filter { !site.shape.kinds.contains($0.0) && !(site.isRemovable && $0.0 == "null") }
        guard let other = others.randomElement(using: &generator)?.1 else { return nil }
        return Mutation(source, at: site.value.position, by: other)
    }

    static func cut(_ source: JSONSource, using generator: inout SeededGenerator) -> Mutation {
        let end = source.end(of: source.next(from: 0)) - 1
        let offset = Int.random(in: 0..<end, using: &generator)
        return Mutation(
            text: source.replacing(offset..<source.scalars.count, by: "").text,
            line: source.line(of: offset),
            summary: "cut at \(offset)"
        )
    }

    static func swappedQuote(in source: JSONSource, using generator: inout SeededGenerator) -> Mutation? {
        guard let offset = source.offsets(of: "\"").randomElement(using: &generator) else { return nil }
        return Mutation(
            text: source.replacing(offset..<(offset + 1), by: "'").text,
            line: source.line(of: offset),
            summary: "quote at \(offset), line \(source.line(of: offset))"
        )
    }

    /// What follows is where the comma is missed, so that is the line.
    static func droppedComma(in source: JSONSource, using generator: inout SeededGenerator) -> Mutation? {
        guard let offset = source.offsets(of: ",").randomElement(using: &generator) else { return nil }
        return Mutation(
            text: source.replacing(offset..<(offset + 1), by: "").text,
            line: source.line(of: source.next(from: offset + 1)),
            summary: "comma at \(offset), line \(source.line(of: offset))"
        )
    }

    /// The copy goes before its original, which then is the second one.
    static func repeatedKey(in source: JSONSource, using generator: inout SeededGenerator) -> Mutation? {
        guard let colon = source.offsets(of: ":").randomElement(using: &generator) else { return nil }
        let quotes = source.offsets(of: "\"").filter { $0 < colon }
        guard quotes.count > 1 else { return nil }
        let start = quotes[quotes.count - 2]
        let end = source.end(of: source.next(from: colon + 1))
        let member = JSONSource(source.scalars[start..<end])
        return Mutation(
            text: source.replacing(start..<start, by: member.text + ",\n").text,
            line: source.line(of: start) + member.line(of: member.scalars.count),
            summary: "repeated \(member.text.prefix(40))"
        )
    }

    private init(_ source: JSONSource, at position: JSONPosition, by text: String, original: String? = nil) {
        let start = source.offset(of: position)
        let end = source.end(of: start)
        self.text = source.replacing(start..<end, by: text).text
        self.original = original
        line = Int(position.line)
        summary = "\(position): \(JSONSource(source.scalars[start..<end].prefix(40)).text) became \(text)"
    }

    /// One letter is another, too many, missing, or has changed places with its neighbour.
    private static func misspelt(_ name: String, using generator: inout SeededGenerator) -> String {
        var letters = Array(name)
        let letter = Array("abcdefghijklmnopqrstuvwxyz").randomElement(using: &generator) ?? "x"
        let index = Int.random(in: 0..<letters.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where letters.count > 1: letters.remove(at: index)
        case 1: letters.insert(letter, at: index)
        case 2 where index + 1 < letters.count && letters[index] != letters[index + 1]: letters.swapAt(index, index + 1)
        default: letters[index] = letters[index] == letter ? "q" : letter
        }
        let misspelt = String(letters)
        return misspelt == name ? name + "x" : misspelt
    }
}
