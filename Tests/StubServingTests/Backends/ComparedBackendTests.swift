import Basics
import Checking
import JSON
import Proxying
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// The four backends behind a proxy that compares their responses with a scenario.
@Suite(.timeLimit(.minutes(15)))
struct ComparedBackendTests {
    /// A change of a scenario's file that the backend has not made.
    struct Change: Sendable {
        var file: String
        var old: String
        var new: String
        /// The ends of the sentences of the differences at the change.
        var found: [String]
        /// Differences at other lines, each with its line.
        var foundOutside: [String] = []
    }

    private static let changes: [String: [Change]] = [
        "smeem": [
            Change(
                file: "fixtures/version.json",
                old: #""success": true"#,
                new: #""succeeded": true"#,
                found: ["the real response has no /succeeded"],
                foundOutside: ["1 the real response also has /success"]
            ),
            Change(
                file: "backend.json",
                old: #""json": { "success": true, "message": "플랜 조회 성공""#,
                new: #""json": { "success": "yes", "message": "플랜 조회 성공""#,
                found: ["/success is a boolean instead of a string"]
            ),
            Change(
                file: "backend.json",
                old: #""headers": { "Accept": "application/json, application/*+json" }"#,
                new: #""headers": { "Accept": "application/json, application/*+json", "X-Total": "1" }"#,
                found: ["the real response has no X-Total"]
            ),
        ],
        "whipit": [
            Change(
                file: "backend.json",
                old: #""json": { "token": "{{token.access}}" }"#,
                new: #""json": { "token": "{{token.access}}", "scope": "all" }"#,
                found: ["the real response has no /scope"]
            ),
            Change(
                file: "backend.json",
                old: #""status": 409, "json": { "message": "사용이 불가한 이메일입니다." }"#,
                new: #""status": 412, "json": { "message": "사용이 불가한 이메일입니다." }"#,
                found: ["the real status is 409 instead of 412"]
            ),
            Change(
                file: "backend.json",
                old: #""json": { "data": "{{found.posts#/items}}", "next_cursor": "{{found.posts#/next}}" }"#,
                new: #""json": { "data": "{{found.posts#/items}}", "next_cursor": 0 }"#,
                found: ["/next_cursor is a string instead of a number"]
            ),
        ],
        "kiwit": [
            Change(
                file: "fixtures/profile.json",
                old: #""point": "{{account#/point}}","#,
                new: #""point": "{{account#/point}}", "rank": 1,"#,
                found: ["the real response has no /rank"]
            ),
            Change(
                file: "fixtures/profile.json",
                old: #""status": "{{account#/status}}""#,
                new: #""status": ["{{account#/status}}"]"#,
                found: ["/status is a string instead of an array"]
            ),
        ],
        "runwithu": [
            Change(
                file: "backend.json",
                old: #"      "json": { "message": "사용 가능한 이메일입니다." }"#,
                new: #"      "json": { "message": ["사용 가능한 이메일입니다."] }"#,
                found: ["/message is a string instead of an array"]
            ),
            Change(
                file: "backend.json",
                old: #""status": 409, "json": { "message": "사용이 불가한 이메일입니다." }"#,
                new: #""status": 422, "json": { "message": "사용이 불가한 이메일입니다." }"#,
                found: ["the real status is 409 instead of 422"]
            ),
        ],
    ]

    /// The scenarios on disk, of which some files have other contents.
    private struct ChangedScenario {
        private(set) var texts: [String: String] = [:]
        /// The differences that must be found: their lines and the ends of their sentences.
        private(set) var expected: [String] = []

        init(_ folder: String, _ changes: [Change]) throws {
            for change in changes {
                let path = "\(folder)/\(change.file)"
                let text = try texts[path] ?? Golden.text(of: path)
                let start = try #require(text.ranges(of: change.old).first?.lowerBound, "\(change.file): \(change.old)")
                texts[path] = text.replacing(change.old, with: change.new, maxReplacements: 1)
                let same = zip(change.old, change.new).prefix { $0 == $1 }.map(\.0)
                let line = (text[..<start] + String(same)).split(separator: "\n", omittingEmptySubsequences: false)
                    .count
                expected += change.found.map { "\(path):\(line) \($0)" }
                expected += change.foundOutside.map { "\(path):\($0)" }
            }
        }
    }

    @Test(arguments: ["smeem", "whipit", "kiwit", "runwithu"])
    func `Only changes are differences`(name: String) async throws {
        let table = try AnswerTable(name)
        let folder = "\(Project.scenarios)/\(table.backend)"
        let changed = try ChangedScenario(folder, try #require(Self.changes[name]))
        let files = ChangedFiles(DiskFiles(), changed.texts)
        let loaded = try ScenarioLibrary("\(folder)/backend.json", files: files).load()
        let comparison = MockComparison(loaded, files: files)
        try await withStub(try ScenarioLibrary("\(folder)/backend.json")) { upstream in
            let made: JSONValue = ["backend": "Upstream"]
            try await withStub(
                try ScenarioLibrary.made(made, named: "upstream"),
                {
                    $0.upstream = "http://127.0.0.1:\(upstream.port)"
                    $0.forwarder = Forwarder(comparison: comparison)
                    $0.allowsSignOut = true
                }
            ) { proxy in
                for _ in 1...2 { for row in table.rows { try table.play(row, on: upstream, through: proxy) } }
            }
        }
        let result = comparison.result
        #expect(result.compared >= 300)
        // A fixture may belong to several routes.
        let found = result.differences.map { finding in
            let end = finding.message.split(separator: ": ").last ?? ""
            return "\(finding.place?.file ?? ""):\(finding.place?.position?.line ?? 0) \(end)"
        }
        #expect(Set(found) == Set(changed.expected))
    }
}
