import Basics
import Checking
import HTTPCodec
import HTTPServing
import Proxying
import Reports
import StubServing
import TestSupport
import Testing

/// Scenarios that get the statuses and members of real responses.
@Suite(.timeLimit(.minutes(15)))
struct DriftUpdateTests {
    private struct Row {
        var name: String
        var files: [String: String]
        var real: (status: HTTPStatus, body: String)
        /// The files after the update, as far as they change.
        var changed: [String: String] = [:]
        /// A part of each reason why something is not updated.
        var reasons: [String] = []
    }

    private static func backend(_ response: String) -> String {
        "{ \"backend\": \"Mock\",\n  \"routes\": {\n    \"GET /a\": \(response)\n  }\n}\n"
    }

    private static let fixture =
        "{\n  \"id\": 7,\n  \"name\": \"Ada\",\n  \"tags\": [\n    {\n      \"a\": 1\n    }\n  ]\n}\n"

    private static let rows = [
        Row(
            name: "a renamed member, secrets and personal data",
            files: ["backend.json": backend(#"{ "fixture": "a.json" }"#), "a.json": fixture],
            real: (
                .ok,
                #"{"id":8431,"fullName":"Grace Hopper","apiToken":"real-token-123","mail":"g@navy.mil","tags":[{"a":9},{"b":"{{x}}"}]}"#
            ),
            changed: [
                "a.json": """
                {
                  "id": 7,
                  "tags": [
                    {
                      "a": 1,
                      "b": "{{\\"{{\\"}}x}}"
                    }
                  ],
                  "fullName": "Placeholder",
                  "apiToken": "concealed",
                  "mail": "user1@example.com"
                }

                """
            ]
        ),
        Row(
            name: "a fixture on few lines",
            files: ["backend.json": backend(#"{ "fixture": "a.json" }"#), "a.json": "{ \"id\": 7 }\n"],
            real: (.ok, #"{"id":"x"}"#),
            changed: ["a.json": "{ \"id\": \"x\" }\n"]
        ),
        Row(
            name: "a status in JSON, without a change of its comment",
            files: ["backend.json": backend(#"{ "$comment": "é", "status":  201, "json": {"a": 1} }"#)],
            real: (.ok, #"{"a":2}"#),
            changed: ["backend.json": backend(#"{ "$comment": "é", "status":  200, "json": {"a": 1} }"#)]
        ),
        Row(
            name: "a status that is not written",
            files: ["backend.json": backend(#"{ "json": {"a": 1} }"#)],
            real: (201, #"{"a":2}"#),
            changed: ["backend.json": backend(#"{ "status": 201, "json": {"a": 1} }"#)]
        ),
        Row(
            name: "a status in YAML",
            files: [
                "backend.yaml":
                    "backend: Mock # name\nroutes:\n  GET /a:\n    status: 201 # created\n    json: {a: 1}\n"
            ],
            real: (.ok, #"{"a":2}"#),
            changed: [
                "backend.yaml":
                    "backend: Mock # name\nroutes:\n  GET /a:\n    status: 200 # created\n    json: {a: 1}\n"
            ]
        ),
        Row(
            name: "a body in JSON",
            files: ["backend.json": backend("{ \"json\":  { \"a\": \"}\\\"\" }, \"latency\": \"1ms\" }")],
            real: (.ok, #"{"a":"x","b":true}"#),
            changed: ["backend.json": backend("{ \"json\":  { \"a\": \"}\\\"\", \"b\": true }, \"latency\": \"1ms\" }")]
        ),
        Row(
            name: "a body on lines",
            files: [
                "backend.json": backend("{ \"json\": {\n      \"a\": 1,\n      \"b\": [\n        2\n      ]\n    } }")
            ],
            real: (.ok, #"{"a":1,"b":[2],"c":{"d":true}}"#),
            changed: [
                "backend.json": backend(
                    "{ \"json\": {\n      \"a\": 1,\n      \"b\": [\n        2\n      ],\n      \"c\": {\n        \"d\": true\n"
                        + "      }\n    } }"
                )
            ]
        ),
        Row(
            name: "a body with few members on each line",
            files: ["backend.json": backend("{ \"json\": {\n      \"a\": 1, \"b\": [2]\n    } }")],
            real: (.ok, #"{"a":1,"c":[2]}"#),
            changed: ["backend.json": backend("{ \"json\": {\n      \"a\": 1,\n      \"c\": [2]\n    } }")]
        ),
        Row(
            name: "a status and a body",
            files: ["backend.json": backend(#"{ "json": {"a": 1}, "status": 201 }"#)],
            real: (.ok, #"{"a":2}"#),
            changed: ["backend.json": backend(#"{ "json": {"a": 1}, "status": 200 }"#)]
        ),
        Row(
            name: "a body in YAML",
            files: ["backend.yaml": "backend: Mock\nroutes:\n  GET /a:\n    json: {a: 1}\n"],
            real: (.ok, #"{"b":2}"#),
            reasons: ["written in YAML"]
        ),
        Row(
            name: "placeholders",
            files: [
                "backend.json": backend(#"{ "fixture": "a.json" }"#),
                "a.json": #"{"id": 7, "now": "{{clock}}"}"# + "\n",
            ],
            real: (.ok, #"{"id":8}"#),
            reasons: ["placeholders"]
        ),
        Row(
            name: "a fixture of two responses",
            files: [
                "backend.json": backend(
                    #"{ "fixture": "a.json", "cases": [{ "when": { "query": { "b": "1" } }, "fixture": "a.json" }] }"#
                ),
                "a.json": "{ \"id\": 7 }\n",
            ],
            real: (.ok, #"{"key":7}"#),
            reasons: ["has the same fixture"]
        ),
        Row(
            name: "a status without a body",
            files: ["backend.json": backend(#"{ "json": {"a": 1} }"#)],
            real: (204, ""),
            reasons: ["the scenario would be invalid"]
        ),
        Row(
            name: "a missing field",
            files: ["backend.json": backend(#"{ "headers": { "X-Total": "3" }, "json": {"a": 1} }"#)],
            real: (.ok, #"{"a":2}"#),
            reasons: ["neither the status nor the members"]
        ),
    ]

    @Test(arguments: rows.indices) func `Files get the real members and statuses, or stay as they are`(index: Int)
        async throws
    {
        let row = Self.rows[index]
        let folder = try TemporaryFolder()
        let disk = DiskFiles()
        for (name, text) in row.files { try disk.write(Array(text.utf8), to: "\(folder.path)/\(name)") }
        let loaded = try ScenarioLibrary(folder.path).load()
        let comparison = MockComparison(loaded, files: disk)
        let (status, body) = row.real
        try await RawUpstream.run { _, _ in
            let fields: HTTPFields = body.isEmpty ? [:] : ["Content-Type": "application/json"]
            return .now(OutgoingResponse(HTTPResponse(status: status, fields: fields, body: Array(body.utf8))))
        } _: { _, url in
            try await withProxy(to: url, comparison: comparison, { _ in }) { _ = try $0.client().get("/a") }
        }
        #expect(!comparison.result.differences.isEmpty, "\(row.name)")
        let update = DriftUpdate(comparison.updates, of: loaded, files: disk)
        #expect(update.findings.count == row.reasons.count, "\(row.name): \(update.findings)")
        for (finding, reason) in zip(update.findings, row.reasons) {
            #expect(finding.message.contains(reason), "\(row.name): \(finding)")
            let isYAML = row.files["backend.yaml"] != nil
            #expect(finding.place?.position?.line == (isYAML ? 4 : 3), "\(row.name): \(finding)")
        }
        let shown = update.changes.flatMap(\.lines).joined(separator: "\n")
        #expect(shown.isEmpty == row.changed.isEmpty, "\(row.name)")
        #expect(update.write(to: disk) == nil)
        for (name, text) in row.files {
            let now = String(decoding: try disk.read("\(folder.path)/\(name)"), as: UTF8.self)
            #expect(now == row.changed[name] ?? text, "\(row.name)")
            for secret in ["real-token-123", "navy", "Grace"] {
                #expect(!now.contains(secret) && !shown.contains(secret))
            }
        }
        guard row.reasons.isEmpty else { return }
        #expect(try Check(files: disk).run([folder.path]).allFindings.isEmpty, "\(row.name)")
        // The same response is not different now.
        let again = MockComparison(try ScenarioLibrary(folder.path).load(), files: disk)
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(HTTPResponse(status: status, contentType: "application/json", body: body)))
        } _: { _, url in
            try await withProxy(to: url, comparison: again, { _ in }) { _ = try $0.client().get("/a") }
        }
        #expect(again.result.compared == 1)
        #expect(again.result.differences.isEmpty, "\(row.name): \(again.result.differences)")
    }

    @Test func `Several responses in one file are updated, and members of any real response stay`() async throws {
        let folder = try TemporaryFolder()
        let disk = DiskFiles()
        let before = """
            { "backend": "Mock",
              "routes": {
                "GET /a": { "cases": [{ "when": { "query": { "b": "1" } }, "json": { "case": 1 } }],
                  "json": { "old": 1, "rare": 2 } },
                "GET /c": { "status": 201, "json": [{ "old": 1 }] } } }

            """
        try disk.write(Array(before.utf8), to: "\(folder.path)/backend.json")
        let loaded = try ScenarioLibrary(folder.path).load()
        let comparison = MockComparison(loaded, files: disk)
        let bodies = [
            "/a?n=1": #"{"new":1,"rare":5,"apiToken":"real-token-123"}"#, "/a?n=2": #"{"new":1}"#,
            "/a?b=1": #"{"case":"x"}"#, "/c": #"[{"old":1,"more":true}]"#, "/c?n=2": #"[{"old":2}]"#,
        ]
        try await RawUpstream.run { request, _ in
            .now(
                OutgoingResponse(
                    HTTPResponse(
                        status: request.path == "/c" ? .created : .ok,
                        contentType: "application/json",
                        body: bodies[request.target] ?? ""
                    )
                )
            )
        } _: { _, url in
            try await withProxy(to: url, comparison: comparison, { _ in }) { proxied in
                for target in bodies.keys.sorted() { _ = try proxied.client().get(target) }
            }
        }
        let update = DriftUpdate(comparison.updates, of: loaded, files: disk)
        #expect(update.findings.isEmpty, "\(update.findings)")
        #expect(update.write(to: disk) == nil)
        let after = before.replacing(#"{ "case": 1 }"#, with: #"{ "case": "x" }"#)
            .replacing(#"{ "old": 1, "rare": 2 }"#, with: #"{ "rare": 2, "new": 1, "apiToken": "concealed" }"#)
            .replacing(#"[{ "old": 1 }]"#, with: #"[{ "old": 1, "more": true }]"#)
        let now = String(decoding: try disk.read("\(folder.path)/backend.json"), as: UTF8.self)
        #expect(now == after, "\(now)")
    }
}
