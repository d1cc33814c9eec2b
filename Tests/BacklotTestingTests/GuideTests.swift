import Basics
import Foundation
import TestSupport
import Testing

/// The guide prints what is compiled and run here.
@Suite struct `The guide` {
    private static let guide = "\(Project.folder)/Tests/BacklotTestingTests/Guide"
    private static let catalogue = "\(Project.folder)/Sources/BacklotTesting/BacklotTesting.docc"
    /// What a generator writes is too long to be printed.
    private static let generated = ["Generated/Client.swift", "Generated/PetsAPI.swift"]

    @Test(arguments: ["AdaptYourOwnClient.md", "ClientsOfTheGuide.md"])
    func `prints whole files, as they are`(_ article: String) throws {
        let files = try Set(Self.files.map { try Self.text("\(Self.guide)/\($0)") })
        let blocks = try CodeBlocks(in: Self.text("\(Self.catalogue)/\(article)")).swift
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(files.contains(block), "no file of the guide is this:\n\(block)") }
    }

    @Test func `leaves no file out`() throws {
        var blocks: Set<String> = []
        for name in DiskFiles().entries(of: Self.catalogue) where name.hasSuffix(".md") {
            blocks.formUnion(try CodeBlocks(in: Self.text("\(Self.catalogue)/\(name)")).swift)
        }
        for file in Self.files where !Self.generated.contains(file) {
            #expect(try blocks.contains(Self.text("\(Self.guide)/\(file)")), "\(file)")
        }
    }

    @Test func `is quoted by the README`() throws {
        let readme = try Self.text("\(Project.folder)/README.md")
        let start = try #require(readme.range(of: "## Test your own client\n"))
        let section = readme[start.upperBound...].prefix(upTo: readme[start.upperBound...].endOfSection)
        let file = try Self.text("\(Self.guide)/URLSession/PetsClientTests.swift")
        let blocks = CodeBlocks(in: String(section)).swift
        #expect(blocks.count == 2)
        for block in blocks { #expect(file.contains(block.indented), "\(block)") }
    }

    private static var files: [String] {
        let disk = DiskFiles()
        return disk.entries(of: guide).flatMap { name in
            disk.isFolder("\(guide)/\(name)") ? disk.entries(of: "\(guide)/\(name)").map { "\(name)/\($0)" } : [name]
        }
        .filter { $0.hasSuffix(".swift") }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try DiskFiles().read(path), as: UTF8.self)
    }
}

/// The code blocks of a Markdown text.
struct CodeBlocks {
    /// Those of Swift, each with a line break at its end.
    var swift: [String] = []

    init(in text: String) {
        var block: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            switch (block, line) {
            case (nil, "```swift"): block = ""
            case (let code?, "```"):
                swift.append(code)
                block = nil
            case (let code?, _): block = code + line + "\n"
            case (nil, _): break
            }
        }
    }
}

extension Substring {
    /// Where the next section of a Markdown text begins.
    fileprivate var endOfSection: Index { range(of: "\n## ")?.lowerBound ?? endIndex }
}

extension String {
    /// As it stands within a type.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }
}
