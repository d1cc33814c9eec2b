import Foundation
import TestSupport
import Testing

/// A Markdown file of the documentation: its code blocks, links and headings, each with its line.
///
/// Comments before a code block say what becomes of it; a reader does not see them:
///
/// - `<!-- file: NAME -->`: the block is written to this file before the commands that follow.
/// - `<!-- exit: N -->`: at least one command of the block exits with N, and the others with 0.
/// - `<!-- folder: NAME -->`: its commands run in this folder, which is made for them.
/// - `<!-- last -->`: its commands run after all others of the page.
/// - `<!-- wrong -->`: the file has mistakes on purpose.
/// - `<!-- workflow -->`: it is a part of a GitHub workflow, whose `run:` lines are its commands; an expression such as
///   `${{ matrix.version }}` is the first value of the matrix.
/// - `<!-- setup: COMMAND -->`: what the reader has done before its commands, such as building a tool.
/// - `<!-- checked by: FILE -->`: another test, which names the page, compares it with what is printed or drawn.
/// - `<!-- not run: REASON -->`: nothing is done with it.
///
/// `<!-- folder: repository -->` before the first block gives the page the scenarios and contracts of this repository.
struct GuidePage: Sendable, CustomTestStringConvertible {
    struct Block: Sendable {
        /// The word after the fence.
        var language: String
        var comments: [String: String]
        /// The number of the first line within.
        var line: Int
        var lines: [String] = []

        /// The `run:` lines of a workflow, by their places in the block.
        var steps: [(index: Int, command: String)] {
            lines.enumerated().compactMap { index, line in
                guard let step = line.firstRange(of: "- run: ") else { return nil }
                let command = line[step.upperBound...].replacing(/\$\{\{ matrix\.([a-z]+) \}\}/) { match in
                    firstValue(of: String(match.1)) ?? String(match.0)
                }
                return (index, String(command))
            }
        }

        /// The first value of a list in one line, without its quotation marks.
        private func firstValue(of name: String) -> String? {
            for line in lines {
                guard let start = line.firstRange(of: "\(name): [")?.upperBound else { continue }
                return line[start...].prefix { $0 != "," && $0 != "]" }.filter { $0 != "\"" }
            }
            return nil
        }
    }

    struct Link: Sendable {
        var target: String
        var line: Int
    }

    /// Relative to the package's folder.
    let path: String
    private(set) var blocks: [Block] = []
    private(set) var links: [Link] = []
    /// The anchors of its headings, as GitHub and DocC make them.
    private(set) var anchors: Set<String> = []
    /// Lines with links that only Xcode resolves.
    private(set) var symbolLinks: [Int] = []
    private(set) var usesRepository = false

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        var comments: [String: String] = [:]
        var block: Block?
        let lines = try Golden.text(of: "\(Project.folder)/\(path)").components(separatedBy: "\n")
        for (index, line) in lines.enumerated() {
            if let open = block, line == "```" {
                blocks.append(open)
                block = nil
            } else if block != nil {
                block?.lines.append(line)
            } else if line.hasPrefix("```") {
                block = Block(language: String(line.dropFirst(3)), comments: comments, line: index + 2)
                comments = [:]
            } else if line.hasPrefix("<!--"), let comment = line.wholeMatch(of: /<!-- ([a-z ]+)(?:: (.*))? -->/) {
                comments[String(comment.1)] = comment.2.map(String.init) ?? ""
            } else {
                if comments["folder"] == "repository" { usesRepository = true }
                comments = [:]
                readText(line, number: index + 1)
            }
        }
    }

    private mutating func readText(_ line: String, number: Int) {
        if line.contains("``") || line.contains("<doc:") || line.contains("](doc:") { symbolLinks.append(number) }
        if line.contains("](") {
            links += line.matches(of: /\]\(([^)\s]+)\)/).map { Link(target: String($0.1), line: number) }
        }
        if line.hasPrefix("#") {
            let heading = line.drop { $0 == "#" || $0 == " " }.lowercased()
            anchors.insert(
                String(heading.filter { $0.isLetter || $0.isNumber || " -_".contains($0) })
                    .replacingOccurrences(of: " ", with: "-")
            )
        }
    }

    /// Records an issue at a line of the page.
    func fail(_ sentence: String, line: Int) {
        let place = SourceLocation(
            fileID: "GuideTests/\(path.split(separator: "/").last ?? "")",
            filePath: "\(Project.folder)/\(path)",
            line: line,
            column: 1
        )
        Issue.record("\(path):\(line): \(sentence)", sourceLocation: place)
    }

    static let folder = "Sources/Guides/Guides.docc"

    /// The pages whose blocks are run: all of the catalogue, and README.md.
    static let all: [GuidePage] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Project.folder)/\(folder)")) ?? []
        let paths = ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        return paths.compactMap { try? GuidePage($0) }
    }()

    /// A page that another one links to.
    static func linked(_ path: String) throws -> GuidePage {
        let path = URL(filePath: "/\(path)").standardizedFileURL.path().dropFirst()
        return try all.first { $0.path == path } ?? GuidePage(String(path))
    }
}
