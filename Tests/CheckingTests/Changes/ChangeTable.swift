import Basics
import Checking
import JSON
import Reports
import TestSupport

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
            for keyword in group.value.object?.members ?? [] {
                rows += (keyword.value.array ?? []).compactMap { Row($0.array ?? [], of: keyword.name) }
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

    /// What the check says of a change of one contract, without what is wrong in it.
    static func changes(from old: String, to new: String) throws -> [Finding] {
        let path = "Contracts/api.json"
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
