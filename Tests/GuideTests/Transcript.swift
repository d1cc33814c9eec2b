import Foundation

/// What a page shows of a command's output, compared with what it printed.
///
/// `…` in a line stands for any text, and `…` as a line for any lines. Times, ports and how long something took may
/// differ.
enum Transcript {
    /// The line of the page from which on the output is another, and why; `nil` where it is as shown.
    static func difference(_ shown: [(text: String, line: Int)], _ printed: [String]) -> (line: Int?, sentence: String)?
    {
        let printed = printed.map(timeless)
        let shown = shown.map { (text: timeless($0.text), line: $0.line) }
        var rest = printed[...]
        var segments = shown.split(omittingEmptySubsequences: false) { $0.text == "…" }[...]
        guard let first = segments.popFirst() else { return nil }
        guard starts(rest, with: first) else { return (first.first?.line, "the output begins otherwise") }
        rest = rest.dropFirst(first.count)
        let isOpen = !segments.isEmpty
        let last = segments.popLast() ?? []
        for segment in segments where !segment.isEmpty {
            guard let place = rest.indices.first(where: { starts(rest[$0...], with: segment) }) else {
                return (segment.first?.line, "the output has nothing like this")
            }
            rest = rest[(place + segment.count)...]
        }
        if !isOpen {
            return rest.isEmpty ? nil : (shown.last?.line, "the output goes on")
        }
        if last.isEmpty { return nil }
        return rest.count >= last.count && starts(rest.suffix(last.count), with: last)
            ? nil : (last.first?.line, "the output ends otherwise")
    }

    private static func starts(_ printed: ArraySlice<String>, with shown: ArraySlice<(text: String, line: Int)>) -> Bool
    {
        printed.count >= shown.count && zip(shown, printed).allSatisfy { fits($0.text, $1) }
    }

    private static func fits(_ shown: String, _ printed: String) -> Bool {
        let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return shown == printed }
        guard printed.hasPrefix(parts[0]), let last = parts.last else { return false }
        var rest = printed.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static func timeless(_ line: String) -> String {
        // Most lines hold none of these words, which is found out sooner than that no pattern fits.
        func has(_ word: String) -> Bool { line.range(of: word) != nil }
        var line = line
        if has("127.0.0.1:") { line = line.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT") }
        if line.utf8.first.map({ 0x30...0x39 ~= $0 }) ?? false {
            line = line.replacing(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/, with: "TIME")
        }
        if has(" ms") { line = line.replacing(#/  [\d.]+ ms/#, with: "  N ms") }
        if has("exchange") { line = line.replacing(/(exchanges?), [0-9a-z.]+/) { "\($0.1), N ms" } }
        return line
    }
}
