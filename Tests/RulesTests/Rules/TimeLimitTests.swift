import Foundation
import Rules
import TestSupport
import Testing

/// The durations by which rules go, in code and in the article about them.
@Suite struct `The time limits of the rules` {
    private static let article = Project.folder + "/Sources/Rules/Rules.docc/Time-limits.md"

    @Test func `stand in the article as they are`() throws {
        let text = try Golden.text(of: Self.article)
        let start = try #require(text.range(of: "| name |")?.lowerBound)
        let expected = text[..<start] + TimeLimit.markdown
        if Golden.isUpdated { try Golden.update(Self.article, to: String(expected)) }
        #expect(text == expected)
    }

    @Test func `have names and reasons of their own`() {
        let all = TimeLimit.all
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.reason)).count == all.count)
        #expect(all.allSatisfy { !$0.rules.isEmpty && $0.value > .zero })
    }

    /// A rule with a duration of its own would be one that nobody finds.
    @Test func `are the only durations in the rules`() throws {
        for folder in ["Rules", "History"] {
            let path = "\(Project.folder)/Sources/Rules/\(folder)"
            for file in try FileManager.default.contentsOfDirectory(atPath: path) where file != "TimeLimit.swift" {
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                for unit in ["milliseconds", "seconds"] {
                    #expect(text.ranges(of: try Regex("\\.\(unit)\\([0-9]")).isEmpty, "\(file)")
                }
            }
        }
    }
}
