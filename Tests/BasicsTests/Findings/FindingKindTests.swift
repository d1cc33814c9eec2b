import Basics
import Foundation
import TestSupport
import Testing

/// The list of finding ids is that of the sources.
@Suite struct `The list of findings` {
    /// The text of every source file but the list itself, by its path below Sources.
    private static let sources: [String: String] = {
        let folder = URL(filePath: "\(Project.folder)/Sources")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path())) ?? []
        var sources: [String: String] = [:]
        for path in paths where path.hasSuffix(".swift") && !path.hasPrefix("Basics/Findings/FindingKind") {
            sources[path] = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return sources
    }()

    private static let groups = Set(FindingKind.all.map { $0.id.prefix { $0 != "/" } })

    /// The ids in a text, by a pattern whose first group is the id; only those of the list's groups.
    private func ids(in text: String, _ pattern: String) throws -> Set<String> {
        let found = text.matches(of: try Regex(pattern)).compactMap { $0.output[1].substring.map(String.init) }
        return Set(found.filter { Self.groups.contains($0.prefix { $0 != "/" }) })
    }

    @Test func `has each id of the sources`() throws {
        #expect(Self.sources.count > 500)
        for (path, text) in Self.sources {
            let unlisted = try ids(in: text, #""([a-z]+/[a-z0-9-]+)""#)
                .filter { id in !FindingKind.all.contains { $0.covers(id) } }
            #expect(unlisted.isEmpty, "\(path) has \(unlisted.sorted())")
        }
    }

    /// They are written without the group.
    @Test func `has each kind of change`() throws {
        for (path, text) in Self.sources where path.hasPrefix("Checking/Changes/") {
            let kinds = text.matches(of: try Regex(#"\btell\(\s*"([a-z-]+)""#)).compactMap { $0.output[1].substring }
            let unlisted = kinds.filter { kind in !FindingKind.all.contains { $0.id == "changes/\(kind)" } }
            #expect(unlisted.isEmpty, "\(path) has \(unlisted)")
        }
    }

    @Test(arguments: FindingKind.all) func `has no id that its file does not make`(kind: FindingKind) throws {
        let text = try #require(Self.sources[kind.file], "there is no file \(kind.file)")
        let parts = kind.id.split(separator: "/")
        let made =
            ["\"\(kind.id)\"", "\"\(parts[0])/\\("] + (parts[1] == "*" ? ["\"\(parts[0])/"] : ["\"\(parts[1])\""])
        #expect(made.contains { text.contains($0) })
    }

    @Test func `is sorted, and a sentence explains each id`() {
        let ids = FindingKind.all.map(\.id)
        #expect(ids.count > 150)
        #expect(ids == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(Set(ids).count == ids.count)
        let severities = Set(Finding.Severity.allCases.map(\.rawValue) + ["any"])
        for kind in FindingKind.all {
            #expect(kind.sentence.first?.isUppercase == true && kind.sentence.hasSuffix("."), "\(kind.id)")
            #expect(severities.isSuperset(of: kind.severities) && !kind.severities.isEmpty, "\(kind.id)")
        }
    }

    @Test func `has each id that a guide names`() throws {
        let folder = URL(filePath: "\(Project.folder)/Sources/Guides/Guides.docc")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".md") }
        #expect(pages.count > 20)
        for page in pages {
            let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
            let unlisted = try ids(in: text, "`([a-z]+/[a-z0-9-]+)`")
                .filter { id in !FindingKind.all.contains { $0.covers(id) } }
            #expect(unlisted.isEmpty, "\(page) has \(unlisted.sorted())")
        }
    }

    @Test func `is printed as a topic of help`() {
        let text = FindingKind.text
        for kind in FindingKind.all { #expect(text.contains("\(kind.id) (")) }
    }
}
