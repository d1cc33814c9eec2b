import Basics
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite
struct `What the loader says` {
    private static let folder = Project.folder + "/Tests/ScenarioFormatTests/Diagnostics"
    /// The number of examples of each sheet.
    private static let counts = [
        "collections.txt": 9,
        "contract.txt": 8,
        "cookies.txt": 4,
        "exceptions.txt": 5,
        "expectations.txt": 7,
        "files.txt": 16,
        "first-mistakes.txt": 13,
        "gates.txt": 4,
        "history.txt": 4,
        "issuer.txt": 3,
        "items.txt": 1,
        "launches.txt": 5,
        "matchers.txt": 1,
        "names.txt": 7,
        "origins.txt": 4,
        "placeholders.txt": 4,
        "routes.txt": 18,
        "shapes.txt": 18,
        "streams.txt": 3,
        "tokens.txt": 3,
        "variants.txt": 6,
    ]

    private static func path(_ sheet: String) -> String { "\(folder)/\(sheet)" }

    @Test
    func `is in sheets that are all listed`() {
        #expect(DiskFiles().entries(of: Self.folder).sorted() == Self.counts.keys.sorted())
    }

    @Test(arguments: counts)
    func `to mistakes is exactly this`(sheet: String, count: Int) throws {
        let differences = try SheetExample.differences(from: Self.path(sheet), count: count) { example in
            let files = MemoryFiles(Dictionary(uniqueKeysWithValues: example.files.map { ($0.name, $0.text) }))
            return load(example.files.first?.name ?? "", of: files).lines
        }
        #expect(differences == [])
    }

    @Test
    func `covers every kind of finding that the loader has`() throws {
        let shown = try Self.counts.flatMap { try SheetExample.all(in: Self.path($0), count: $1) }.flatMap(\.lines)
        let ids = Set(shown.compactMap { $0.split(separator: "[").last?.dropLast() }.map(String.init))
        #expect(ids.subtracting(Self.ids) == [])
        #expect(Self.ids.subtracting(ids) == [])
    }

    private static let ids: Set<String> = [
        "json/syntax", "scenario/bad-items", "scenario/bad-name", "scenario/bad-pattern",
        "scenario/bad-range",
        "scenario/bad-route",
        "scenario/bad-value",
        "scenario/body-not-allowed", "scenario/broken-silence", "scenario/circular-extends", "scenario/close-code",
        "scenario/contract",
        "scenario/embed-circle", "scenario/fixture", "scenario/foreign-kind",
        "scenario/no-request", "scenario/no-upload",
        "scenario/held-response",
        "scenario/idle-event", "scenario/idle-key", "scenario/no-stream",
        "scenario/idle-null", "scenario/idle-state", "scenario/managed-field",
        "scenario/launch-order", "scenario/misplaced-event", "scenario/missing-file", "scenario/missing-key",
        "scenario/no-caller", "scenario/no-own-response",
        "scenario/outside-root", "scenario/overrun-history", "scenario/placeholder", "scenario/placeholder-name",
        "scenario/reserved-name", "scenario/rival-keys", "scenario/same-field", "scenario/same-name",
        "scenario/same-route",
        "scenario/token-not-granted", "scenario/unknown-device", "scenario/unknown-key", "scenario/unknown-launch",
        "scenario/unknown-member",
        "scenario/unknown-name",
        "scenario/unordered-history", "scenario/unreachable-state", "scenario/unreadable-file",
        "scenario/unusual-method", "scenario/wrong-type",
    ]

    @Test(arguments: [
        ("", "b.json:1:1: error: the text is empty; JSON requires a value, such as {} [json/syntax]"),
        (
            "\u{FEFF}{}",
            "b.json:1:1: error: the text begins with a byte order mark; save the text as UTF-8 without the mark"
                + " [json/syntax]"
        ),
        (
            "\"B\"",
            #"b.json:1:1: error: found the string "B", but expected an object (a backend or a story) [scenario/wrong-type]"#
        ),
        (
            "null",
            "b.json:1:1: error: found null, but expected an object (a backend or a story); null removes a key from the extended file, but that file does not set this key [scenario/wrong-type]"
        ),
    ])
    func `to a file that is hardly one is exactly this`(text: String, line: String) {
        #expect(load(text).lines == [line])
    }

    @Test
    func `names a file that is not there`() {
        let outcome = load("smem.json", of: MemoryFiles(["smeem.json": "{}"]))
        #expect(
            outcome.lines == [
                #"error: there is no file "smem.json"; did you mean "smeem.json"? [scenario/missing-file]"#
            ]
        )
    }

    @Test
    func `is in the order of the files and places, each thing once`() {
        let outcome = load(
            story: #"{ "extends": "b.json", "id": "S", "title": "T", "x": 1 }"#,
            over:
                #"{ "backend": "B", "y": 1, "routes": { "GET /a": { "fixture": "f.json" }, "GET /b": { "fixture": "f.json" } } }"#,
            with: ["f.json": #"["{{a b}}"]"#]
        )
        #expect(outcome.findings.compactMap { $0.place?.description } == ["s.json:1:49", "b.json:1:19", "f.json:1:2"])
    }

    @Test
    func `at depth is still said, and nothing breaks`() {
        let depth = 200
        let nots =
            String(repeating: #"{"not": "#, count: depth) + #"{"quer": {}}"# + String(repeating: "}", count: depth)
        let outcome = load(#"{ "backend": "B", "routes": { "GET /a": { "cases": [{ "when": \#(nots) }] } } }"#)
        #expect(outcome.findings.map(\.id) == ["scenario/unknown-key"])
        let deeper = String(repeating: "[", count: 100_000)
        #expect(load(#"{ "backend": \#(deeper)"#).findings.map(\.id) == ["json/syntax"])
        let content = String(repeating: "[", count: 505) + String(repeating: "]", count: 505)
        #expect(load(#"{ "backend": "B", "unmatched": { "json": \#(content) } }"#).findings.isEmpty)
    }
}
