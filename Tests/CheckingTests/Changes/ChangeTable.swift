import Basics
import Checking
import JSON
import Reports
import TestSupport
import Testing

/// The table of changes in `Table`: what each of them does to a client, decided by JSON Schema 2020-12 and OpenAPI.
///
/// A file has objects by version, keyword and row: the verdicts, the old and the new value. `E` can break a client, `W`
/// depends on it or cannot be decided, `N` breaks none, and `-` is no change.
struct ChangeTable {
    enum Version: String, Sendable, CaseIterable {
        case openAPI30 = "3.0"
        case openAPI31 = "3.1"

        var full: String { rawValue + ".0" }
    }

    struct Row: Sendable, CustomStringConvertible {
        var keyword: String
        /// In both directions of the change; of a schema, each for a request and for a response.
        var verdicts: [Character]
        /// The part of a contract that has the values; empty for schemas.
        var part = ""
        var old: JSONValue
        var new: JSONValue
        /// A part of a sentence about the change.
        var words: String
        /// The number among the rows of all versions, or `nil` for a row of one version.
        var number: Int?
        /// The schemas that the values refer to.
        var components: [JSONObject.Member]

        init?(_ cells: [JSONValue], of keyword: String) {
            self.keyword = keyword
            verdicts = Array((cells.first?.string ?? "").filter { $0 != " " })
            var rest = cells.dropFirst()
            if let part = rest.first?.string {
                self.part = part
                rest = rest.dropFirst()
            }
            guard rest.count > 1 else { return nil }
            (old, new) = (rest.removeFirst(), rest.removeFirst())
            words = rest.first?.string ?? ""
            components = rest.dropFirst().first?.object?.members ?? []
        }

        var description: String { "\(keyword): \(old) → \(new)" }
    }

    static func rows(of file: String, _ version: Version) throws -> [Row] {
        let path = FilePath.join(FilePath.folder(of: #filePath), "Table/\(file).json")
        var rows: [Row] = []
        let groups = try JSONParser().parse(Array(Golden.text(of: path).utf8)).root.object?.members ?? []
        for group in groups where group.name.contains(version.rawValue) {
            let isOfAll = Version.allCases.allSatisfy { group.name.contains($0.rawValue) }
            var number = 0
            for keyword in group.value.object?.members ?? [] {
                for cells in try #require(keyword.value.array, "\(keyword.name)") {
                    var row = try #require(Row(cells.array ?? [], of: keyword.name), "\(keyword.name): \(cells)")
                    if isOfAll { row.number = number }
                    number += 1
                    rows.append(row)
                }
            }
        }
        return rows
    }

    /// The verdict in the table's letters on the findings about one change.
    static func verdict(_ findings: [Finding]) -> Character {
        let severities = findings.map(\.severity)
        return severities.contains(.error)
            ? "E" : severities.contains(.warning) ? "W" : severities.isEmpty ? "-" : "N"
    }

    /// The findings about one change that a row does not want: none at all of the wanted words and severity, or one that is
    /// elsewhere in the new or in the old contract than the values are.
    ///
    /// - Parameters:
    ///   - words: what the sentence says, if the row names it for this direction.
    ///   - areas: where a finding is in the new contract, and where it refers to in the old one.
    static func unwanted(
        _ findings: [Finding],
        _ wanted: Character,
        _ words: String,
        _ areas: (new: [Area], old: [Area])
    ) -> [String] {
        var unwanted: [String] = []
        if verdict(findings) != wanted { unwanted.append("the verdict is \(verdict(findings)) instead of \(wanted)") }
        if wanted != "-", !words.isEmpty,
            !findings.contains(where: { $0.message.contains(words) && verdict([$0]) == wanted })
        {
            unwanted.append("no finding of severity \(wanted) says \(words)")
        }
        for finding in findings {
            if !areas.new.contains(where: { $0.contains(finding.place, in: path) }) {
                unwanted.append("\(finding): not in \(areas.new)")
            }
            for related in finding.related
            where !areas.old.contains(where: { $0.contains(related.place, in: "main:\(path)") }) {
                unwanted.append("\(finding): \(related.place) is not in \(areas.old)")
            }
        }
        return unwanted
    }

    /// A part of one line of a contract, or the contract as a whole.
    struct Area: CustomStringConvertible {
        var line = 0
        var columns = 0..<0

        static var file: Area { Area() }

        private init() {}

        /// The place of a text, and of the begin of what a heading introduces.
        ///
        /// - Parameters:
        ///   - contract: the contract, or lines of it.
        ///   - first: the number of the first line.
        ///   - heading: a text that is there once.
        ///   - length: the number of bytes, beginning `offset` bytes after the heading.
        init(in contract: String, from first: Int = 1, after heading: String, _ offset: Int = 0, length: Int = 1) throws
        {
            let found = contract.ranges(of: heading)
            try #require(found.count == 1, "\(heading) is there \(found.count) times")
            let before = contract[..<found[0].upperBound].split(separator: "\n", omittingEmptySubsequences: false)
            line = first + before.count - 1
            let begin = before[before.count - 1].utf8.count + offset + 1
            columns = begin..<begin + length
        }

        func contains(_ place: Place?, in file: String) -> Bool {
            guard let place, place.file == file else { return false }
            guard let position = place.position else { return line == 0 }
            return position.line == line && columns.contains(position.column)
        }

        var description: String { "\(line):\(columns)" }
    }

    private static let path = "Contracts/api.json"

    /// What the check says of a change of one contract, without what is wrong in it.
    static func changes(from old: String, to new: String) throws -> [Finding] {
        let earlier = EarlierRevision(files: MemoryFiles([path: old]), name: "main")
        let findings = try ChangeCheck(files: MemoryFiles([path: new]), since: earlier).run().allFindings
        if let other = findings.first(where: { !$0.id.hasPrefix("changes/") || $0.place == nil }) {
            throw BrokenTable(finding: other)
        }
        return findings
    }

    /// A row is not a document of OpenAPI, or a finding has no place.
    struct BrokenTable: Error { var finding: Finding }
}
