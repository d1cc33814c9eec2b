import Basics
import JSON
import ScenarioFormat
import TestSupport
import Testing

@testable import Checking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite struct `A hostile import` {
    private func refusal(_ bytes: [UInt8]) -> String? {
        do throws(CaptureProblem) {
            _ = try CapturedDocument.root(of: bytes, file: "a.har")
            return nil
        } catch {
            return error.finding.message
        }
    }

    @Test func `is refused by its size before it is read`() {
        let large = [UInt8](repeating: 0x20, count: CapturedDocument.mostBytes + 1)
        #expect(refusal(large) == "the file is larger than the limit of 128 MB for captures and imports")
        let many = [0x5B] + [UInt8](repeating: 0x2C, count: CapturedDocument.mostValues)
        #expect(refusal(many)?.contains("more than 10000000 values") == true)
        // In a text these are no values.
        let text = [0x22] + [UInt8](repeating: 0x2C, count: CapturedDocument.mostValues) + [0x22]
        #expect(refusal(text) == nil)
        #expect(refusal(Array(#"["\\",",[\\"]"#.utf8)) == nil)
    }

    @Test func `is refused where it is nested too deep`() {
        let deep = Array(#"{"log":{"entries":"#.utf8) + [UInt8](repeating: 0x5B, count: 100_000)
        #expect(refusal(deep)?.contains("nested deeper than the limit of 512 levels") == true)
        #expect(throws: CaptureProblem.self) { try Capture(har: deep, file: "a.har") }
    }

    private static func mapping(_ file: String, _ url: String) -> String {
        #"{"request": {"method": "GET", "url": "\#(url)"}, "response": {"status": 200, "bodyFileName": "\#(file)"}}"#
    }

    @Test func `reads bodies from the folder of WireMock only, to which hard links belong`() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        try other.write("secret", to: "secret.txt")
        try folder.write("inside", to: "__files/inside.txt")
        try folder.link("__files/linked.txt", to: "\(other.path)/secret.txt")
        try #require(link("\(other.path)/secret.txt", "\(folder.path)/__files/hard.txt") == 0)
        let up = "../../\(FilePath.name(of: other.path))/secret.txt"
        for (number, name) in ["inside.txt", "linked.txt", "hard.txt", up, "\(other.path)/secret.txt"].enumerated() {
            try folder.write(Self.mapping(name, "/\(number)"), to: "mappings/\(number).json")
        }
        // Links that lead round in circles.
        try folder.link("mappings/again", to: folder.path)
        try folder.link("mappings/and-again", to: folder.path)
        let draft = try StubDraft(wireMockFolder: folder.path, files: DiskFiles())
        let made = try draft.backend(schemaPath: nil)
        let routes = made.backend[.routes]
        let bodies = (0..<5).map { routes?["GET /\($0)"]?["text"]?.string }
        #expect(bodies == ["inside", nil, "secret", nil, nil])
        #expect([1, 3, 4].allSatisfy { routes?["GET /\($0)"]?["$comment"] != nil })
        #expect(made.files.allSatisfy { !$0.path.contains("..") && !FilePath.isAbsolute($0.path) })
    }

    @Test func `has names that stay in the folder of the draft`() throws {
        let hostile = [
            "..%2F..%2Fetc%2Fpasswd", "%00", "a%5C..%5Cb", "%1B[2J", "%E2%80%AE", "..", ".", "~", "-rf", "CON",
        ]
        let long = String(repeating: "{\"a\":1},", count: 40)
        let exchanges = hostile.map { RecordedExchange(target: "/x/\($0)/y", content: "[\(long)1]") }
        let files = try RecordedExchange.backend(exchanges).files
        #expect(files.count > 2)
        for file in files {
            let isPlain = file.path.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-/.".utf8.contains($0) }
            #expect(isPlain && !file.path.contains(".."), "\(file.path)")
        }
    }
}
