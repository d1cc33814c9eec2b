import Foundation
import Guides
import TestSupport
import Testing

@Suite struct `Every page of the documentation` {
    @Test(
        .enabled(if: GuideSession.missingTools.isEmpty, "bash, curl, jq, python3, awk and sed are needed"),
        .enabled(if: SpawnedCommand.executable != nil, "the command is not built"),
        arguments: GuidePage.all
    )
    func `has commands that run and print what it shows`(_ page: GuidePage) async throws {
        let session = GuideSession(page)
        guard !session.commands.isEmpty else { return }
        let results = try await session.results()
        #expect(results.count == session.commands.count, "\(page.path): the shell ended early")
        for result in results {
            let (command, printed) = (result.command, result.output.joined(separator: "\n"))
            if result.status != 0, result.status != command.exit {
                page.fail("\(command.text) exits with \(result.status ?? -1):\n\(printed)", line: command.line)
            }
            if let shown = command.shown, let difference = Transcript.difference(shown, result.output) {
                page.fail("\(difference.sentence):\n\(printed)", line: difference.line ?? command.line)
            }
        }
        for (block, results) in Dictionary(grouping: results, by: \.command.block) where block >= 0 {
            guard let command = results.first?.command, command.exit != 0 else { continue }
            if !results.contains(where: { $0.status == command.exit }) {
                page.fail("no command of this block exits with \(command.exit)", line: command.line)
            }
        }
    }

    @Test(arguments: GuidePage.all)
    func `has no code block that is neither run, compiled, loaded nor left out with a reason`(_ page: GuidePage) {
        let looked = ["sh", "console", "swift"]
        for block in page.blocks {
            if let reason = block.comments["not run"] {
                if reason.count < 10 { page.fail("the reason is missing", line: block.line) }
            } else if let file = block.comments["checked by"] {
                let test = try? Golden.text(of: "\(Project.folder)/\(file)")
                let name = page.path.split(separator: "/").last ?? ""
                if test?.contains(name) != true { page.fail("\(file) does not name \(name)", line: block.line) }
            } else if block.comments["workflow"] != nil {
                if block.steps.isEmpty { page.fail("the workflow has no line with \"- run: \"", line: block.line) }
            } else if block.comments["file"] == nil, !looked.contains(block.language) {
                page.fail("nothing looks at a block of '\(block.language)'", line: block.line)
            }
        }
    }

    @Test(arguments: GuidePage.all)
    func `quotes Swift that a test target compiles`(_ page: GuidePage) throws {
        for block in page.blocks where block.language == "swift" && block.comments["not run"] == nil {
            let lines = block.lines.map(\.trimmed)
            let isThere = SwiftSources.all.contains { $0.firstRange(of: lines) != nil }
            if !isThere { page.fail("no file of \(SwiftSources.folders) has these lines", line: block.line) }
        }
    }

    @Test(arguments: GuidePage.all + OtherPages.all)
    func `has links that a reader of the plain text can follow`(_ page: GuidePage) throws {
        for line in page.symbolLinks { page.fail("only Xcode resolves this link", line: line) }
        let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
        for link in page.links where !link.target.hasPrefix("https://") {
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? page.path : "\(folder)/\(parts[0])"
            let url = URL(filePath: "\(Project.folder)/\(target)").standardizedFileURL
            guard FileManager.default.fileExists(atPath: url.path()) else {
                page.fail("there is no file \(link.target)", line: link.line)
                continue
            }
            if parts.count > 1, target.hasSuffix(".md") {
                let isThere = try GuidePage.linked(target).anchors.contains(String(parts[1]))
                if !isThere { page.fail("\(target) has no heading for #\(parts[1])", line: link.line) }
            }
        }
    }

    @Test func `is short where it is the first one`() throws {
        #expect(try Golden.text(of: Project.folder + "/README.md").utf8.count <= 6_000)
    }
}

@Suite struct `The help` {
    @Test func `has every guide, and the overview lists them`() throws {
        let overview = try Golden.text(of: "\(Project.folder)/\(GuidePage.folder)/Guides.md")
        let unlisted: Set = ["Guides"]
        let files = GuidePage.all.map(\.path).filter { $0.hasPrefix(GuidePage.folder) }
            .map { String($0.dropFirst(GuidePage.folder.count + 1).dropLast(3)) }.filter { !unlisted.contains($0) }
        #expect(Set(Guide.all.map(\.name)) == Set(files))
        for guide in Guide.all {
            #expect(overview.contains("[\(guide.title)](\(guide.name).md)"), "\(guide.name)")
            #expect(guide.markdown.hasPrefix("# \(guide.title)\n\n\(guide.abstract).\n\n"), "\(guide.name)")
        }
    }

    @Test(arguments: Guide.all.map(\.name), [50, 80])
    func `sets a guide for a terminal`(name: String, columns: Int) throws {
        let guide = try #require(Guide.all.first { $0.name == name })
        let text = guide.text(columns: columns)
        #expect(text.hasPrefix(guide.title.uppercased()))
        for line in text.split(separator: "\n") where !line.hasPrefix("    ") {
            let isLong = line.count > columns && line.split(separator: " ").count > 2 && !line.contains("  ")
            #expect(!isLong && !line.contains("](") && !line.hasPrefix("<!--") && !line.hasPrefix("|--"), "\(line)")
        }
    }

    @Test(arguments: Guide.all.map(\.name))
    func `prints no guide that is longer than 250 lines`(name: String) throws {
        let guide = try #require(Guide.all.first { $0.name == name })
        let count = guide.text(columns: 80).split(separator: "\n", omittingEmptySubsequences: false).count - 1
        #expect(count <= 250, "split \(name).md: \(count) lines")
    }

    @Test(.enabled(if: SpawnedCommand.executable != nil, "the command is not built"))
    func `prints a guide by its name, and names the one that was meant`() async throws {
        let recipes = try #require(Guide.all.first { $0.name == "recipes" })
        let end = try await SpawnedCommand.run(["help", "recipes"])
        #expect(end.status == 0 && end.output == recipes.text(columns: 80))
        let typo = try await SpawnedCommand.run(["help", "reciepes"])
        #expect(
            typo.status == 2
                && typo.errors.hasPrefix("error: unknown command 'reciepes'; did you mean 'backlot help recipes'?")
        )
        let list = try await SpawnedCommand.run(["help"])
        let lines = list.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  recipes  ") && $0.contains("  \(recipes.abstract.prefix(20))") })
    }
}

/// Pages without blocks that are run, whose links count all the same.
private enum OtherPages {
    static let all = [".github/CONTRIBUTING.md", ".github/CHANGELOG.md", "Scenarios/STORIES.md"].compactMap {
        try? GuidePage($0)
    }
}

/// The files that guides quote, their lines without indentation.
private enum SwiftSources {
    static let folders = ["Tests/BacklotTestingTests/Guide", "Tests/BacklotTestServerTests/Guide"]
    static let all: [[String]] = folders.flatMap { folder in
        let names = FileManager.default.subpaths(atPath: "\(Project.folder)/\(folder)") ?? []
        return names.filter { $0.hasSuffix(".swift") }.compactMap { name in
            try? Golden.text(of: "\(Project.folder)/\(folder)/\(name)").components(separatedBy: "\n").map(\.trimmed)
        }
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
