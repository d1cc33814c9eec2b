import Basics
import Foundation
import JSON
import ProgramInterface
import TestSupport
import Testing

/// The MCP server: its messages in this process, and its tools as processes of the built command.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `The MCP server` {
    private let folder: TemporaryFolder
    private let messages = Messages()
    private let server: ModelContextServer

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("", to: ".git/HEAD")
        try folder.write(
            #"{ "backend": "App", "routes": { "GET /notes": { "json": [] } } }"#,
            to: "Scenarios/app/backend.json"
        )
        try folder.write(
            #"""
            { "extends": "backend.json", "id": "A-1", "title": "Nothing is sent", "silent": true,
              "expect": [{ "request": "GET /notes", "count": 0 }] }
            """#,
            to: "Scenarios/app/a-1.json"
        )
        try folder.write("{}", to: "scratch/place.json")
        var configuration = ModelContextServer.Configuration(
            program: SpawnedCommand.executable ?? "",
            version: "1",
            root: folder.path,
            scratch: "\(folder.path)/scratch"
        )
        configuration.clients = [
            "none": "exit 0", "slow": "exec 3>'\(folder.path)/alive'; echo $$ >&3; exec sleep 3600",
        ]
        server = ModelContextServer(configuration) { [messages] in messages.add($0) }
    }

    private func send(_ message: JSONValue) { server.send(message) }

    /// Waits for the response to a request; separate processes decide when it comes.
    private func response(_ id: JSONValue) async throws -> JSONValue { try await messages.first { $0["id"] == id } }

    private func call(_ id: Int, _ tool: String, _ arguments: JSONValue = [:]) async throws -> JSONValue {
        try #require(try await server.call(id, tool, arguments, messages))
    }

    @Test func `agrees on a protocol revision`() async throws {
        for (id, version) in ["2025-11-25", "2025-06-18", "2024-11-05"].enumerated() {
            let number = JSONValue.number(JSONNumber(id))
            send([
                "jsonrpc": "2.0", "id": number, "method": "initialize", "params": ["protocolVersion": .string(version)],
            ])
            let result = try await response(number)["result"]
            #expect(result?["protocolVersion"]?.string == version)
            #expect(result?["capabilities"]?["tools"] != nil && result?["serverInfo"]?["name"]?.string == "backlot")
        }
        send(["jsonrpc": "2.0", "id": "new", "method": "initialize", "params": ["protocolVersion": "2099-01-01"]])
        #expect(try await response("new")["result"]?["protocolVersion"]?.string == "2025-11-25")
        // This revision requires batches.
        send(["jsonrpc": "2.0", "id": "batch", "method": "initialize", "params": ["protocolVersion": "2025-03-26"]])
        #expect(try await response("batch")["result"]?["protocolVersion"]?.string == "2025-11-25")
        func discover(_ version: JSONValue) -> JSONValue {
            [
                "jsonrpc": "2.0", "id": "discover \(version)", "method": "server/discover",
                "params": ["_meta": ["io.modelcontextprotocol/protocolVersion": version]],
            ]
        }
        send(discover("2026-07-28"))
        let found = try await response(#"discover "2026-07-28""#)["result"]
        #expect(found?["supportedVersions"]?[0]?.string == "2026-07-28" && found?["resultType"]?.string == "complete")
        send(discover("2027-01-01"))
        let refused = try await response(#"discover "2027-01-01""#)["error"]
        #expect(refused?["code"]?.int == -32_022 && refused?["data"]?["supported"] == ["2026-07-28"])
    }

    @Test(
        arguments: [
            ("{", -32_700), ("[]", -32_600), ("{}", -32_600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1}"#, -32_600), (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/lists"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sevre"}}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, -32_002),
        ]
    )
    func `answers a wrong message with the protocol's error`(message: String, code: Int) throws {
        server.take(Array(message.utf8))
        let answer = try #require(messages.all.first)
        #expect(answer["error"]?["code"]?.int == code && answer["jsonrpc"]?.string == "2.0")
        #expect(answer["error"]?["message"]?.string?.isEmpty == false && answer["id"] != nil)
    }

    @Test func `lists its tools with schemas, and its resources`() async throws {
        send(["jsonrpc": "2.0", "id": 1, "method": "tools/list"])
        let tools = try await #require(response(1)["result"]?["tools"]?.array)
        let names = tools.compactMap { $0["name"]?.string }
        #expect(
            Set(names) == [
                "serve", "stop", "advance", "tokens", "journal", "verdict", "run", "explore", "check", "explain",
                "prove", "session",
            ]
        )
        for tool in tools { #expect(tool["inputSchema"]?["type"]?.string == "object", "\(tool)") }
        send(["jsonrpc": "2.0", "id": 2, "method": "resources/list"])
        let found = try await #require(response(2)["result"]?["resources"]?.array)
        let resources = found.compactMap { $0["uri"]?.string }
        #expect(resources.contains("backlot:guide/rules") && resources.contains("backlot:file/Scenarios/app/a-1.json"))
        for uri in ["backlot:guide/rules", "backlot:file/Scenarios/app/a-1.json"] {
            send(["jsonrpc": "2.0", "id": .string(uri), "method": "resources/read", "params": ["uri": .string(uri)]])
            let content = try await response(.string(uri))["result"]?["contents"]?[0]
            #expect(content?["text"]?.string?.isEmpty == false)
        }
    }

    @Test func `performs calls that need no server`() async throws {
        let explained = try await call(1, "explain", ["ids": ["B2"]])
        #expect(explained["structuredContent"]?["explanations"]?[0]?["id"]?.string == "B2 refresh-storm")
        #expect(explained["isError"]?.bool == false)
        let checked = try await call(2, "check", ["paths": ["Scenarios"]])
        #expect(checked["structuredContent"]?["outcome"]?.string == "passed")
        let run = try await call(3, "run", ["stories": ["Scenarios/app/a-1.json"], "client": "none"])
        #expect(run["structuredContent"]?["outcome"]?.string == "passed")
        send(["jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": ["uri": "backlot:report/run"]])
        #expect(try await response(4)["result"]?["contents"]?[0]?["text"]?.string?.contains("passed") == true)
    }

    @Test func `serves, steers and stops one server`() async throws {
        #expect(try await call(1, "verdict")["isError"]?.bool == true)
        let served = try await call(2, "serve", ["scenario": "Scenarios/app/backend.json"])
        let url = try #require(served["structuredContent"]?["url"]?.string, "\(served)")
        #expect(try await call(3, "serve", ["scenario": "Scenarios/app"])["isError"]?.bool == true)
        #expect(try await call(4, "advance", ["duration": "2h"])["structuredContent"]?["now"] != nil)
        #expect(try await call(5, "tokens")["structuredContent"]?["devices"] != nil)
        #expect(try await call(6, "session", ["action": "save", "name": "a"])["structuredContent"]?["saved"] == "a")
        let changes = try await call(7, "session", ["action": "diff", "name": "a"])
        #expect(changes["structuredContent"]?["exchangeCount"] == 0)
        // An integer of JSON Schema may have a fraction of zero.
        let limit = try JSONParser().parse(Array(#"{"limit":5.0}"#.utf8)).root
        #expect(try await call(8, "journal", limit)["structuredContent"]?["exchanges"] == [])
        #expect(try await call(9, "stop")["structuredContent"]?["outcome"]?.string == "passed")
        let end = try await SpawnedCommand.run(["clock", "--url", url])
        #expect(end.status == 2 && end.errors.contains("no server responds"))
    }

    @Test func `ends a server when its client disappears`() async throws {
        let served = try await call(1, "serve", ["scenario": "Scenarios/app/backend.json"])
        let url = try #require(served["structuredContent"]?["url"]?.string)
        server.end()
        #expect(try await SpawnedCommand.run(["clock", "--url", url]).status == 2)
    }

    @Test(
        arguments: [
            ("check", #"{"paths":["/etc"]}"#, "not in the project's folder"),
            ("check", #"{"paths":["../.."]}"#, "not in the project's folder"),
            ("check", #"{"paths":["Scenarios/../../x"]}"#, "not in the project's folder"),
            ("check", #"{"paths":["out/link"]}"#, "not in the project's folder"),
            ("check", #"{"paths":[]}"#, "/paths"), ("check", #"{"path":["Scenarios"]}"#, "path"),
            ("run", #"{"stories":["Scenarios"],"client":"rm"}"#, "not configured"),
            ("explain", #"{"ids":["--help"]}"#, "hyphen"), ("journal", #"{"limit":"many"}"#, "/limit"),
            ("journal", #"{"limit":0}"#, "/limit"),
            ("run", #"{"stories":["Scenarios"],"client":"none","seed":-1}"#, "/seed"),
        ]
    )
    func `refuses arguments that it does not allow`(tool: String, arguments: String, reason: String) async throws {
        try folder.link("out/link", to: "/etc")
        let result = try await call(1, tool, JSONParser().parse(Array(arguments.utf8)).root)
        #expect(result["isError"]?.bool == true)
        let text = result["content"]?[0]?["text"]?.string ?? ""
        #expect(text.contains(reason), "\(text)")
    }

    @Test func `lists no resource outside the project`() async throws {
        let other = try TemporaryFolder()
        try other.write("{}", to: "folder/secret.json")
        try folder.link("Scenarios/app/link.json", to: "\(other.path)/folder/secret.json")
        try folder.link("Scenarios/linked", to: "\(other.path)/folder")
        send(["jsonrpc": "2.0", "id": 1, "method": "resources/list"])
        let found = try await #require(response(1)["result"]?["resources"]?.array).compactMap { $0["uri"]?.string }
        #expect(found.filter { $0.contains("file/") }.count == 2, "\(found)")
        for path in ["Scenarios/app/link.json", "Scenarios/linked/secret.json"] {
            let uri = JSONValue.string("backlot:file/\(path)")
            send(["jsonrpc": "2.0", "id": uri, "method": "resources/read", "params": ["uri": uri]])
            #expect(try await response(uri)["error"]?["code"]?.int == -32_002)
        }
    }

    @Test(arguments: [false, true]) func `reports progress, and cancels a call`(disconnects: Bool) async throws {
        let pipe = "\(folder.path)/alive"
        try #require(try await SpawnedProgram("/bin/sh", ["-c", "mkfifo '\(pipe)'"]).end().status == 0)
        // Reads the client's number, and then until the client has ended.
        let reader = try SpawnedProgram("/bin/sh", ["-c", "exec cat '\(pipe)'"])
        send([
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": [
                "name": "run",
                "arguments": ["stories": ["Scenarios/app/a-1.json"], "client": "slow", "timeLimit": "1h"],
                "_meta": ["progressToken": "p"],
            ],
        ])
        _ = try await messages.first { $0["method"]?.string == "notifications/progress" }
        #expect(await Int(reader.firstLine()) != nil)
        for _ in 1...2 {
            send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1]])
        }
        if disconnects { server.end() }
        #expect(await reader.end().status == 0)
        // Another tool, at the same time if the run has not ended yet.
        if !disconnects { #expect(try await call(2, "explain", ["ids": ["B1"]])["isError"]?.bool == false) }
        #expect(messages.all.allSatisfy { $0["id"] != 1 })
        server.end()
        #expect(messages.all.allSatisfy { $0["id"] != 1 })
        // The client did not end by itself or by its time limit.
        send(["jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": ["uri": "backlot:report/run"]])
        let report = try await response(3)["result"]?["contents"]?[0]?["text"]?.string ?? ""
        #expect(try JSONParser().parse(Array(report.utf8)).root["outcome"]?.string == "interrupted", "\(report)")
    }

    @Test func `serves only a folder that is a project`() async throws {
        try folder.write("", to: "part/place.json")
        let whole = try await SpawnedCommand.run(["mcp", "--root", folder.path])
        #expect(whole.status == 0, "\(whole)")
        let part = try await SpawnedCommand.run(["mcp", "--root", "\(folder.path)/part"])
        #expect(part.status == 2 && part.errors.contains("use --root \(folder.path)"), "\(part)")
    }
}
