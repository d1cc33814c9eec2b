import Basics
import EventLoops
import Foundation
import HTTPCodec
import HTTPServing
import JSON
import TestSupport
import Testing

/// The MCP server and its tools, as processes of the built command.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `The MCP server` {
    private let folder: TemporaryFolder
    private let client: ModelContextClient

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
        let slow = "exec 3>'\(folder.path)/alive'; echo $$ >&3; exec sleep 3600"
        client = try ModelContextClient(root: folder.path, clients: ["none": "exit 0", "slow": slow])
    }

    private func read(_ uri: JSONValue, _ id: JSONValue) async throws -> JSONValue {
        client.send(["jsonrpc": "2.0", "id": id, "method": "resources/read", "params": ["uri": uri]])
        return try await client.response(id)
    }

    @Test func `agrees on a protocol revision`() async throws {
        for (id, version) in ["2025-11-25", "2025-06-18", "2024-11-05"].enumerated() {
            let number = JSONValue.number(JSONNumber(id))
            client.send([
                "jsonrpc": "2.0", "id": number, "method": "initialize", "params": ["protocolVersion": .string(version)],
            ])
            let result = try await client.response(number)["result"]
            #expect(result?["protocolVersion"]?.string == version)
            #expect(result?["capabilities"]?["tools"] != nil && result?["serverInfo"]?["name"]?.string == "backlot")
        }
        client.send([
            "jsonrpc": "2.0", "id": "new", "method": "initialize", "params": ["protocolVersion": "2099-01-01"],
        ])
        #expect(try await client.response("new")["result"]?["protocolVersion"]?.string == "2025-11-25")
        // This revision requires batches.
        client.send([
            "jsonrpc": "2.0", "id": "batch", "method": "initialize", "params": ["protocolVersion": "2025-03-26"],
        ])
        #expect(try await client.response("batch")["result"]?["protocolVersion"]?.string == "2025-11-25")
        func discover(_ version: JSONValue) -> JSONValue {
            [
                "jsonrpc": "2.0", "id": "discover \(version)", "method": "server/discover",
                "params": ["_meta": ["io.modelcontextprotocol/protocolVersion": version]],
            ]
        }
        client.send(discover("2026-07-28"))
        let found = try await client.response(#"discover "2026-07-28""#)["result"]
        #expect(found?["supportedVersions"]?[0]?.string == "2026-07-28" && found?["resultType"]?.string == "complete")
        client.send(discover("2027-01-01"))
        let refused = try await client.response(#"discover "2027-01-01""#)["error"]
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
    func `answers a wrong message with the protocol's error`(message: String, code: Int) async throws {
        client.send(message)
        let answer = try await client.first { _ in true }
        #expect(answer["error"]?["code"]?.int == code && answer["jsonrpc"]?.string == "2.0")
        #expect(answer["error"]?["message"]?.string?.isEmpty == false && answer["id"] != nil)
    }

    @Test func `lists its tools with schemas, and its resources`() async throws {
        client.send(["jsonrpc": "2.0", "id": 1, "method": "tools/list"])
        let tools = try await #require(client.response(1)["result"]?["tools"]?.array)
        let names = tools.compactMap { $0["name"]?.string }
        #expect(
            Set(names) == [
                "serve", "stop", "advance", "tokens", "journal", "verdict", "run", "explore", "check", "explain",
                "prove", "session",
            ]
        )
        for tool in tools { #expect(tool["inputSchema"]?["type"]?.string == "object", "\(tool)") }
        // The schemas are those of the command line's declarations.
        let prove = tools.first { $0["name"] == "prove" }?["inputSchema"]
        #expect(prove?["required"] == ["story", "client", "before", "after"])
        let seeds = prove?["properties"]?["seeds"]
        #expect(seeds?["type"] == "integer" && seeds?["minimum"] == 1 && seeds?["maximum"] == 1_000)
        #expect(prove?["properties"]?["client"]?["enum"] == ["none", "slow"])
        let session = tools.first { $0["name"] == "session" }?["inputSchema"]
        #expect(session?["properties"]?["action"]?["enum"] == ["save", "diff", "restore", "delete"])
        client.send(["jsonrpc": "2.0", "id": 2, "method": "resources/list"])
        let found = try await #require(client.response(2)["result"]?["resources"]?.array)
        let resources = found.compactMap { $0["uri"]?.string }
        #expect(resources.contains("backlot:guide/rules") && resources.contains("backlot:file/Scenarios/app/a-1.json"))
        for uri in ["backlot:guide/rules", "backlot:file/Scenarios/app/a-1.json"] {
            let content = try await read(.string(uri), .string(uri))["result"]?["contents"]?[0]
            #expect(content?["text"]?.string?.isEmpty == false)
        }
    }

    @Test func `performs calls that need no server`() async throws {
        let explained = try await client.call(1, "explain", ["id": ["B2"]])
        #expect(explained["structuredContent"]?["explanations"]?[0]?["id"]?.string == "B2 refresh-storm")
        #expect(explained["isError"]?.bool == false)
        let checked = try await client.call(2, "check", ["path": ["Scenarios"]])
        #expect(checked["structuredContent"]?["outcome"]?.string == "passed")
        let run = try await client.call(3, "run", ["story": ["Scenarios/app/a-1.json"], "client": "none"])
        #expect(run["structuredContent"]?["outcome"]?.string == "passed")
        #expect(
            try await read("backlot:report/run", 4)["result"]?["contents"]?[0]?["text"]?.string?.contains("passed")
                == true
        )
    }

    @Test func `serves, steers and stops one server`() async throws {
        #expect(try await client.call(1, "verdict")["isError"]?.bool == true)
        let served = try await client.call(2, "serve", ["scenario": "Scenarios/app/backend.json"])
        let url = try #require(served["structuredContent"]?["url"]?.string, "\(served)")
        #expect(try await client.call(3, "serve", ["scenario": "Scenarios/app"])["isError"]?.bool == true)
        #expect(try await client.call(4, "advance", ["duration": "2h"])["structuredContent"]?["now"] != nil)
        #expect(try await client.call(5, "tokens")["structuredContent"]?["devices"] != nil)
        #expect(
            try await client.call(6, "session", ["action": "save", "name": "a"])["structuredContent"]?["saved"] == "a"
        )
        let changes = try await client.call(7, "session", ["action": "diff", "name": "a"])
        #expect(changes["structuredContent"]?["exchangeCount"] == 0)
        // An integer of JSON Schema may have a fraction of zero.
        let limit = try JSONParser().parse(Array(#"{"limit":5.0}"#.utf8)).root
        #expect(try await client.call(8, "journal", limit)["structuredContent"]?["exchanges"] == [])
        let connection = try connection(to: url)
        #expect(try await client.call(9, "stop")["structuredContent"]?["outcome"]?.string == "passed")
        try expectEnd(of: connection)
    }

    @Test func `ends a server when its client disappears`() async throws {
        let served = try await client.call(1, "serve", ["scenario": "Scenarios/app/backend.json"])
        let url = try #require(served["structuredContent"]?["url"]?.string)
        let connection = try connection(to: url)
        #expect(await client.end() == .exited(0))
        try expectEnd(of: connection)
    }

    /// A connection that a server has accepted, which shows the server's end.
    ///
    /// After that, another test's server may have the port.
    private func connection(to url: String) throws -> HTTPClient {
        let port = try #require(URL(string: url)?.port.flatMap { UInt16($0) })
        let connection = try HTTPClient(host: "127.0.0.1", port: port)
        #expect(try connection.exchange(HTTPRequest(target: "/notes")).response.status == 200)
        return connection
    }

    private func expectEnd(of connection: HTTPClient) throws {
        let failure = #expect(throws: HTTPClientFailure.self) { try connection.receive() }
        #expect(failure != .timedOut)
    }

    @Test(
        arguments: [
            ("check", #"{"path":["/etc"]}"#, "not in the project's folder"),
            ("check", #"{"path":["../.."]}"#, "not in the project's folder"),
            ("check", #"{"path":["Scenarios/../../x"]}"#, "not in the project's folder"),
            ("check", #"{"path":["out/link"]}"#, "not in the project's folder"),
            ("check", #"{"path":[]}"#, "/path"), ("check", #"{"paths":["Scenarios"]}"#, "paths"),
            ("run", #"{"story":["Scenarios"],"client":"rm"}"#, "/client"),
            ("explain", #"{"id":["--help"]}"#, "hyphen"), ("journal", #"{"limit":"many"}"#, "/limit"),
            ("journal", #"{"limit":0}"#, "/limit"),
            ("run", #"{"story":["Scenarios"],"client":"none","seed":-1}"#, "/seed"),
            ("run", #"{"story":["Scenarios"],"client":"none","seed":1.5}"#, "/seed"),
            ("run", #"{"story":["Scenarios"],"client":"none","seed":1e30}"#, "seed"),
            ("prove", #"{"story":["a.json"],"client":"none","before":"a","after":"b","seeds":1e30}"#, "/seeds"),
            ("prove", #"{"story":["a.json"],"client":"none","before":"a"}"#, "after"),
            ("session", "{}", "no server runs"), ("tokens", #"{"action":"steal"}"#, "/action"),
        ]
    )
    func `refuses arguments that it does not allow`(tool: String, arguments: String, reason: String) async throws {
        try folder.link("out/link", to: "/etc")
        let result = try await client.call(1, tool, JSONParser().parse(Array(arguments.utf8)).root)
        #expect(result["isError"]?.bool == true)
        let text = result["content"]?[0]?["text"]?.string ?? ""
        #expect(text.contains(reason), "\(text)")
    }

    @Test func `lists no resource outside the project`() async throws {
        let other = try TemporaryFolder()
        try other.write("{}", to: "folder/secret.json")
        try folder.link("Scenarios/app/link.json", to: "\(other.path)/folder/secret.json")
        try folder.link("Scenarios/linked", to: "\(other.path)/folder")
        client.send(["jsonrpc": "2.0", "id": 1, "method": "resources/list"])
        let found = try await #require(client.response(1)["result"]?["resources"]?.array).compactMap {
            $0["uri"]?.string
        }
        #expect(found.filter { $0.contains("file/") }.count == 2, "\(found)")
        for path in ["Scenarios/app/link.json", "Scenarios/linked/secret.json"] {
            let uri = JSONValue.string("backlot:file/\(path)")
            #expect(try await read(uri, uri)["error"]?["code"]?.int == -32_002)
        }
    }

    @Test(arguments: [false, true]) func `reports progress, and cancels a call`(disconnects: Bool) async throws {
        let pipe = "\(folder.path)/alive"
        try #require(try await SpawnedProgram("/bin/sh", ["-c", "mkfifo '\(pipe)'"]).end().status == 0)
        // Reads the client's number, and then until the client has ended.
        let reader = try SpawnedProgram("/bin/sh", ["-c", "exec cat '\(pipe)'"])
        // No time limit ends the client, however long this test waits for a processor.
        client.send([
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": [
                "name": "run",
                "arguments": ["story": ["Scenarios/app/a-1.json"], "client": "slow", "time-limit": "1d"],
                "_meta": ["progressToken": "p"],
            ],
        ])
        _ = try await client.first { $0["method"]?.string == "notifications/progress" }
        #expect(await Int(reader.firstLine()) != nil)
        for _ in 1...2 {
            client.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 1]])
        }
        if disconnects {
            #expect(await client.end() == .exited(0))
            #expect(await reader.end().status == 0)
        } else {
            // Another tool, at the same time if the run has not ended yet.
            #expect(try await client.call(2, "explain", ["id": ["B1"]])["isError"]?.bool == false)
            #expect(await reader.end().status == 0)
            // The report is kept before the call would be answered; the answer to a later call comes after that.
            var (report, attempt): (JSONValue?, Int) = (nil, 2)
            while report == nil {
                attempt += 1
                report = try await read("backlot:report/run", .number(JSONNumber(attempt)))["result"]
            }
            let text = report?["contents"]?[0]?["text"]?.string ?? ""
            #expect(try JSONParser().parse(Array(text.utf8)).root["outcome"]?.string == "interrupted", "\(text)")
            #expect(try await client.call(-1, "explain", ["id": ["B2"]])["isError"]?.bool == false)
            #expect(await client.end() == .exited(0))
        }
        #expect(client.messages.allSatisfy { $0["id"] != 1 })
    }

    @Test func `serves only a folder that is a project`() async throws {
        try folder.write("", to: "part/place.json")
        let whole = try await SpawnedCommand.run(["mcp", "--root", folder.path])
        #expect(whole.status == 0, "\(whole)")
        let part = try await SpawnedCommand.run(["mcp", "--root", "\(folder.path)/part"])
        #expect(part.status == 2 && part.errors.contains("use --root \(folder.path)"), "\(part)")
    }
}
