import Basics
import Foundation
import TestSupport
import Testing

/// The guide prints what is compiled and run here.
@Suite struct `The guide` {
    private static let guide = "\(Project.folder)/Tests/BacklotTestingTests/Guide"
    private static let catalogue = "\(Project.folder)/Sources/Guides/Guides.docc"
    /// What a generator writes is too long to be printed.
    private static let generated = ["Generated/Client.swift", "Generated/PetsAPI.swift"]

    @Test(arguments: ["test-your-swift-client.md", "example-clients.md"])
    func `prints whole files, as they are`(_ article: String) throws {
        let files = try Set(Self.files.map { try Self.text("\(Self.guide)/\($0)") })
        let blocks = try CodeBlocks(in: Self.text("\(Self.catalogue)/\(article)")).swift
            // A part of a file is looked for by the tests of all guides.
            .filter { $0.hasPrefix("import ") }
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
    /// Those of Swift, each with a line break at its end, without those that a comment leaves out.
    var swift: [String] = []

    init(in text: String) {
        var block: String?
        var isLeftOut = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            switch (block, line) {
            case (nil, "```swift"): block = ""
            case (let code?, "```"):
                if !isLeftOut { swift.append(code) }
                (block, isLeftOut) = (nil, false)
            case (let code?, _): block = code + line + "\n"
            case (nil, _): isLeftOut = line.hasPrefix("<!-- not run: ")
            }
        }
    }
}
