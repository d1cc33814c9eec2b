import Basics
import Foundation
import TestSupport
import Testing

/// The guide prints what is compiled and run here.
@Suite struct `The guide` {
    private static let guide = "\(Project.folder)/Tests/BacklotTestingTests/Guide"
    private static let catalogue = "\(Project.folder)/Sources/Guides/Guides.docc"

    @Test func `prints a whole file as it is`() throws {
        let files = try Set(Self.files.map { try Self.text("\(Self.guide)/\($0)") })
        let blocks = try CodeBlocks(in: Self.text("\(Self.catalogue)/test-your-swift-client.md")).swift
            // The tests of all guides look for parts of files.
            .filter { $0.hasPrefix("import ") }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(files.contains(block), "no file of the guide is this:\n\(block)") }
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
