import Basics
import Checking
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import Simulation
import StubServing
import TestSupport
import Testing

/// Requests and responses that the contract does not allow, and what becomes of them.
@Suite(.timeLimit(.minutes(15)))
struct JudgingTests {
    private static let json: HTTPFields = ["Content-Type": "application/json"]

    private func violations(_ stub: Stub, _ query: String = "") throws -> [[String]] {
        let journal = try stub.admin(.get, "journal\(query)")
        return (journal["exchanges"]?.array ?? []).map { exchange in
            (exchange["violations"]?.array ?? []).map { violation in
                let words = ["in", "part", "pointer", "id", "contract"].compactMap { violation[$0]?.string }
                return (words + (violation["deliberate"]?.bool == true ? ["on purpose"] : [])).joined(separator: " ")
            }
        }
    }

    @Test func `What the contract does not allow is answered as scripted, and noted with its place`() async throws {
        try await withStub(try ContractExample.library()) { stub in
            let client = try stub.client()
            #expect(try client.get("/notes?limit=0").code == 200)
            #expect(try client.get("/notes").code == 200)
            #expect(try client.get("/notes/7").text == #"{"id":"one","title":"t"}"#)
            #expect(try client.get("/extra").text == "extra")
            let noted = try violations(stub)
            #expect(noted.count == 4)
            #expect(noted[0].count == 1 && noted[0][0].hasPrefix("request query limit contract/invalid-parameter"))
            #expect(noted[1] == [])
            #expect(noted[2].count == 1 && noted[2][0].hasPrefix("response body /id contract/response-body"))
            #expect(noted[3] == ["request operation contract/undocumented-operation #/paths"])
            let wrong = try stub.admin(.get, "journal")["exchanges"]?[2]?["violations"]?[0]
            let lines = ContractExample.backend.split(separator: "\n", omittingEmptySubsequences: false)
            let line = try #require(lines.firstIndex { $0.contains(#""id": "one""#) }) + 1
            #expect(wrong?["source"]?.string?.contains("backend.json:\(line):") == true)
        }
    }

    @Test func `A rendered response is judged by what it is, whatever was judged before`() async throws {
        let title = #""title": "{{request.query.title ?? null}}""#
        try await withStub(try ContractExample.library(#""title": "first""#, title)) { stub in
            let client = try stub.client()
            for query in ["?title=a", "?title=a", "", "", "?title=a", ""] { _ = try client.get("/notes\(query)") }
            let counts = try violations(stub).map { $0.count { $0.hasPrefix("response") } }
            #expect(counts == [0, 0, 1, 1, 0, 1])
        }
    }

    @Test func `The canonical journal has them, too`() async throws {
        try await withStub(try ContractExample.library()) { stub in
            _ = try stub.client().get("/notes/7")
            let noted = try violations(stub, "?canonical=true")
            #expect(noted.first?.count == 1)
        }
    }

    @Test func `A line below the exchange's says what is wrong`() async throws {
        var log: LogText?
        try await withStub(try ContractExample.library()) { stub in
            let client = try stub.client()
            _ = try client.get("/notes/7")
            _ = try client.get("/notes")
            _ = try client.get("/nowhere")
            _ = try client.get("/notes/7?on=purpose")
            log = stub.log
        }
        let lines = try #require(log).text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "2026-03-01 09:00:00.000  GET  /notes/7  200  0 ms  GET /notes/{id}",
                "  contract: response body /id: `id` is \"one\", but the contract requires an integer",
                "2026-03-01 09:00:00.000  GET  /notes  200  0 ms  GET /notes",
                #"2026-03-01 09:00:00.000  GET  /nowhere  404  0 ms  NO MATCH"#,
                "2026-03-01 09:00:00.000  GET  /notes/7?on=purpose  200  0 ms  GET /notes/{id} (case 1)",
            ]
        )
    }

    @Test func `A response that breaks the contract on purpose is only marked`() async throws {
        try await withStub(try ContractExample.library(), { $0.contract = .enforce }) { stub in
            #expect(try stub.client().get("/notes/7?on=purpose").text == #"{"id":1}"#)
            let exchange = try stub.admin(.get, "journal")["exchanges"]?[0]
            #expect(exchange?["breaks"]?.string == "old servers forget the title")
            let noted = try violations(stub)
            #expect(noted[0].allSatisfy { $0.hasSuffix("on purpose") } && !noted[0].isEmpty)
        }
    }

    @Test func `Nothing is held against a contract that is off`() async throws {
        try await withStub(try ContractExample.library(), { $0.contract = .off }) { stub in
            let client = try stub.client()
            #expect(try client.get("/notes/7").code == 200)
            #expect(try violations(stub) == [[]])
            #expect(try stub.admin(.get, "scenario")["contract"]?.isNull == true)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var method = HTTPMethod.post
        var target = "/notes"
        var fields: HTTPFields = ["Content-Type": "application/json"]
        var body = ""
        var code: Int
        var problem: String

        var testDescription: String { "\(method) \(target) \(body)" }
    }

    @Test(arguments: [
        Refusal(method: .get, target: "/notes?limit=x", code: 400, problem: "contract-invalid-parameter"),
        Refusal(body: #"{"title":1}"#, code: 422, problem: "contract-request-body"),
        Refusal(body: #"{"title":"#, code: 400, problem: "contract-body-syntax"),
        Refusal(code: 400, problem: "contract-missing-body"),
        Refusal(
            fields: ["Content-Type": "text/csv"],
            body: "title",
            code: 415,
            problem: "contract-undocumented-media-type"
        ),
        Refusal(method: .get, target: "/extra", code: 404, problem: "contract-undocumented-operation"),
        Refusal(method: .delete, target: "/notes", code: 405, problem: "contract-undocumented-operation"),
        Refusal(method: .get, target: "/notes/7", code: 500, problem: "contract-response-body"),
    ])
    func `An enforced contract answers instead`(refusal: Refusal) async throws {
        try await withStub(try ContractExample.library(), { $0.contract = .enforce }) { stub in
            let response = try stub.client().call(refusal.method, refusal.target, refusal.fields, refusal.body)
            #expect(response.code == refusal.code && response.problem == refusal.problem, "\(response.text)")
            let first = try response.json["violations"]?[0]
            #expect(first?["part"] != nil && first?["contract"] != nil && first?["message"] != nil)
            #expect((response.fields["Allow"] != nil) == (response.code == 405))
            let exchange = try stub.admin(.get, "journal")["exchanges"]?[0]
            #expect(exchange?["status"]?.int == refusal.code)
            let sent = try response.json
            #expect(exchange?["response"]?["body"]?["json"] == sent)
        }
    }

    @Test func `A refused request changes nothing`() async throws {
        try await withStub(try ContractExample.library(), { $0.contract = .enforce }) { stub in
            let client = try stub.client()
            _ = try client.call(.post, "/notes", Self.json, "{}")
            _ = try client.call(.post, "/notes", Self.json, #"{"title":7}"#)
            #expect(try client.call(.post, "/notes", Self.json, #"{"title":"a"}"#).json["id"]?.int == 1)
        }
    }

    @Test func `A response that waits on the clock is judged before it leaves`() async throws {
        try await withStub(try ContractExample.library(), { $0.contract = .enforce }) { stub in
            let client = try stub.client()
            client.expectResponse(to: .get)
            try client.send("GET /notes/7?late=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try stub.untilDecided(1)
            try stub.advance("1m")
            let response = try client.receive()
            #expect(response.problem == "contract-response-body", "\(response.text)")
        }
    }

    @Test(arguments: [("allow", 200, 0), ("warn", 200, 1), ("refuse", 404, 1)])
    func `A scenario says what becomes of undocumented requests`(rule: String, code: Int, count: Int) async throws {
        let library = try ContractExample.library(
            #""backend": "Notes","#,
            #""backend": "Notes", "undocumented": "\#(rule)","#
        )
        try await withStub(library) { stub in
            let client = try stub.client()
            #expect(try client.get("/extra").code == code)
            #expect(try violations(stub)[0].count == count)
            #expect(try client.call(.options, "/notes").code == 204)
            #expect(try violations(stub)[1] == [])
        }
    }

    @Test func `A contract that cannot be read keeps the server from starting`() async throws {
        let files = MemoryFiles(scenarios: [
            "backend.json": ContractExample.backend, "openapi.json": "{\n  \"openapi\": \"3.1.0\",\n",
        ])
        let library = try ScenarioLibrary("/project/Scenarios/backend.json", files: files)
        let error = #expect(throws: ScenarioError.self) {
            try StubServer(
                library,
                StubServer.Configuration(contractReader: OpenAPIReader()),
                log: .silent
            )
        }
        let finding = try #require(error?.findings.first)
        #expect(finding.place?.file?.hasSuffix("openapi.json") == true && finding.place?.position != nil)
    }
}
