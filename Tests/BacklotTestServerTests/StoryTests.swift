import BacklotTestServer
import BacklotTesting
import Basics
import Foundation
import TestSupport
import Testing

/// Where stories come from, and what is said of those that cannot be played.
@Suite struct StoryTests {
    @Test func `a path is found beside the source file and above it`() async throws {
        for path in [
            "Guide/Scenarios/pets/expired.json", "Tests/BacklotTestServerTests/Guide/Scenarios/pets/expired.json",
        ] {
            let server = try await BacklotServer(story: .file(path), transport: .inProcess)
            #expect(server.title == "Back after lunch")
        }
    }

    @Test func `a folder stands for its backend`() async throws {
        let server = try await BacklotServer(story: "Guide/Scenarios/pets", transport: .inProcess)
        #expect(server.title == nil)
    }

    @Test func `a file at a URL is played, and read again when it has changed`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/backend.json"
        for name in ["One", "Another one"] {
            try DiskFiles().write(
                Array(#"{ "backend": "A", "routes": { "GET /a": { "text": "\#(name)" } } }"#.utf8),
                to: path
            )
            let story = BacklotServer.Story.file(at: URL(fileURLWithPath: path))
            let server = try await BacklotServer(story: story, transport: .inProcess)
            #expect(try await Way.inProcess.session(to: server).get("a", of: server).text == name)
        }
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var story: BacklotServer.Story
        var sentence: String
        var testDescription: String { sentence }
    }

    @Test(arguments: [
        Mistake(
            story: "Guide/Scenarios/pets/expird.json",
            sentence: #"did you mean "Guide/Scenarios/pets/expired.json"?"#
        ),
        Mistake(
            story: "Guide/Scenarios/pets/openapi.json",
            sentence: """
                Guide/Scenarios/pets/openapi.json: error: the contract \
                "Tests/BacklotTestServerTests/Guide/Scenarios/pets/openapi.json" is not read, so no response can be \
                created from it; add contracts: .openAPI from the library BacklotTesting [contract/unread]
                """
        ),
        Mistake(story: "", sentence: #"error: "" is not a file path"#),
        Mistake(story: .file("a\0b"), sentence: "is not a file path"),
        Mistake(
            story: .file(at: URL(string: "https://a.example/b") ?? URL(fileURLWithPath: "/")),
            sentence: "is not a file URL"
        ),
        Mistake(
            story: .file("Guide/Scenarios/pets/expired.json", variant: "slow"),
            sentence: #"the story does not define the variant "slow""#
        ),
        Mistake(
            story: .text("{ \"backend\": \"Pets\",\n  \"routs\": {} }"),
            sentence: """
                story.json:2:3: error: unknown key "routs" in a scenario file; did you mean "routes"? [scenario/unknown-key]
                      "routs": {} }
                """
        ),
        Mistake(story: .text("{ \"backend\": "), sentence: "story.json:1:14: error: "),
        Mistake(story: .text("backend: [Pets"), sentence: "story.yaml:1:"),
        Mistake(story: .text(""), sentence: "error: "),
        Mistake(
            story: .scenario("Pets", [.route("GET /pets", requires: ["acess"], .json([]))]),
            sentence: #".route("GET /pets") /requires/0: error: unknown token kind "acess""#
        ),
        Mistake(
            story: .scenario("Pets", [.route("GET /pets", requires: "acess", .json([]))]),
            sentence: #".route("GET /pets") /requires/0: error: unknown token kind "acess""#
        ),
        Mistake(
            story: .file("Guide/Scenarios/pets/backend.json").with([.expect("GET /pets"), .expect("GET /pet")]),
            sentence: #".expect("GET /pet") /request: error: "#
        ),
        Mistake(
            story: .file("Guide/Scenarios/pets/backend.json").with([.expect("GET /pet")]),
            sentence: #"did you mean "GET /pets"?"#
        ),
        Mistake(
            story: .scenario("Pets", [.json(["routs": [:]])]),
            sentence: #".json /routs: error: unknown key "routs" in a scenario file"#
        ),
        Mistake(
            story: .scenario("Pets", [.json(["routes": ["GET /a": ["jsn": 1]]]), .route("GET /b", .empty())]),
            sentence: #".json /routes/GET ~1a/jsn: error: unknown key "jsn""#
        ),
        Mistake(
            story: .scenario("Pets", [.route("GET /a", .empty()), .fault(.lost, on: "POST /a")]),
            sentence: #".fault(.lost, on: "POST /a") /route: error: "#
        ),
        Mistake(
            story: .file("Guide/Scenarios/pets/backend.json").with([.signedIn("phone", ago: .hours(1), account: "bob")]
            ),
            sentence: #".signedIn("phone") /account: error: "#
        ),
        Mistake(
            story: .text("backend: A").with([.expect("GET /pet")]),
            sentence: "a story from text cannot have parts"
        ),
    ])
    func `a mistake is said with its place and what would be right`(mistake: Mistake) async throws {
        let error = await #expect(throws: StoryProblem.self) {
            try await BacklotServer(story: mistake.story, transport: .inProcess)
        }
        #expect(error?.description.contains(mistake.sentence) == true, "\(error?.description ?? "")")
        #expect(error?.findings.isEmpty == false)
    }

    @Test func `a story has to have an id of its own in its folder`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{ "backend": "A", "routes": { "GET /a": {} } }"#, to: "backend.json")
        for (name, id) in [("one", "A-1"), ("two", "A-1"), ("three", "A-3")] {
            let heading = #""extends": "backend.json", "id": "\#(id)", "title": "T""#
            try folder.write("{ \(heading),\n \"expect\": [{ \"request\": \"GET /a\" }] }", to: "\(name).json")
        }
        let error = await #expect(throws: StoryProblem.self) {
            try await BacklotServer(story: .file("\(folder.path)/one.json"), transport: .inProcess)
        }
        #expect(error?.findings.map(\.id) == ["check/same-id"])
        #expect(error?.findings.first?.message == #"another story in this folder also has the id "A-1""#)
        #expect(error?.findings.first?.file?.hasSuffix("/one.json") == true && error?.findings.first?.line == 1)
        let other = try await BacklotServer(story: .file("\(folder.path)/three.json"), transport: .inProcess)
        #expect(other.title == "T")
    }

    @Test func `a contract is read for the tests that ask for it`() async throws {
        for (contracts, isRead) in [(BacklotServer.Contracts.unread, false), (.openAPI, true), (.unread, false)] {
            let server = try await BacklotServer(story: ServerTests.documentedPets, contracts: contracts)
            _ = try await PetsClient(of: server).add("")
            let verdict = await server.verdict()
            #expect(verdict.failures.map(\.id) == (isRead ? ["contract/request-body"] : []))
            #expect(verdict.notes.isEmpty)
        }
    }

    @Test func `a contract that nothing reads is a note of the verdict`() async throws {
        let server = try await BacklotServer(story: ServerTests.documentedPets)
        _ = try await PetsClient(of: server).add("")
        let verdict = await server.verdict()
        #expect(verdict.outcome == .passed)
        #expect(
            verdict.notes.map(\.description) == [
                """
                .contract("openapi.json"): warning: the contract "openapi.json" is not read, so requests and responses are not \
                checked against it; add contracts: .openAPI from the library BacklotTesting, or contracts: .unread \
                if this is intended [contract/unread]
                """
            ]
        )
    }

    @Test func `an OpenAPI file is a story where it can be read`() async throws {
        await #expect(throws: StoryProblem.self) {
            try await BacklotServer(story: "Guide/Scenarios/pets/openapi.json", contracts: .unread)
        }
        let server = try await BacklotServer(story: "Guide/Scenarios/pets/openapi.json", contracts: .openAPI)
        #expect(try await Way.socket.session(to: server).get("pets", of: server).status == 200)
    }

    @Test func `what is written in Swift is what is written in JSON`() async throws {
        let written = BacklotServer.Story.scenario(
            "Pets",
            [
                .clock(.frozen, start: Date(timeIntervalSince1970: 1_772_355_600)),
                .account("ada", ["name": "Ada"]),
                .token("access", lifetime: .minutes(15), rejection: .json(["error": "no"], status: 401)),
                .token("refresh", lifetime: .days(30), in: [.body("/refreshToken")], rotates: true),
                .route(
                    "POST /refresh",
                    requires: ["refresh"],
                    grants: ["access", "refresh"],
                    .json(["accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}"])
                ),
                .route(
                    "GET /pets/{id}",
                    requires: ["access"],
                    .json(["id": 1]),
                    cases: [.init(when: ["path": ["id": ["not": "1"]]], .empty(status: 404))]
                ),
                .route("GET /slow", .text("late", headers: ["X-A": "b"]).after(.seconds(2), on: .virtual)),
                .latency(.milliseconds(1)),
                .fault(.lost, on: "POST /refresh"),
                .signedIn("phone", ago: .days(40), account: "ada"),
                .expect("POST /refresh", count: 1, status: 401),
                .expect(client: ["signedOut": true]),
                .json(["seed": 7]),
            ]
        )
        let server = try await BacklotServer(story: written, transport: .inProcess)
        #expect(server.now == Date(timeIntervalSince1970: 1_772_355_600))
        #expect(server.tokens.map(\.timeLeft) == [.minutes(15) - .days(40), .days(-10)])
        let session = Way.inProcess.session(to: server)
        #expect(try await session.get("pets/1", of: server) == (401, #"{"error":"no"}"#))
        try server.report(["signedOut": true])
        let messages = await server.verdict().failures.map(\.message)
        #expect(messages == ["expected POST /refresh once with status 401, but it never arrived"])
    }

    @Test func `a verdict names the part of a story in Swift that it is about`() async throws {
        let story = BacklotServer.Story.scenario(
            "Pets",
            [
                .token("access", lifetime: .minutes(15)), .route("GET /pets", requires: "access", .json([])),
                .signedIn("phone", ago: .minutes(1)), .expect("GET /pets", count: 1, status: 200),
                .expect(client: ["signedOut": false]),
            ]
        )
        let server = try await BacklotServer(story: story, transport: .inProcess)
        _ = try await Way.inProcess.session(to: server).get("pets", of: server)
        _ = try await Way.inProcess.session(to: server).get("pets", of: server)
        try server.report(["signedOut": true])
        let verdict = await server.verdict()
        #expect(
            verdict.failures.map(\.file) == [#".expect("GET /pets")"#, ".expect(client:)"],
            "\(verdict)"
        )
        #expect(verdict.failures.allSatisfy { $0.line == nil } && !verdict.page.contains("story.json:"))
    }

    @Test func `a token that the client should have is required by its kind, or said to be missing`() async throws {
        let pets = BacklotServer.Story.file("Guide/Scenarios/pets/backend.json")
        let signedIn = try await BacklotServer(
            story: pets.with([.signedIn("phone", ago: .days(0))]),
            transport: .inProcess
        )
        #expect(try signedIn.requireToken("access") == signedIn.token("access"))
        let signedOut = try await BacklotServer(story: pets, transport: .inProcess)
        let open = try await BacklotServer(
            story: .scenario("Pets", [.route("GET /pets", .json([]))]),
            transport: .inProcess
        )
        let half = BacklotServer.StoryPart.json(["tokens": ["signIn": ["access": "new"]]])
        let without = try await BacklotServer(
            story: pets.with([.signedIn("phone", ago: .days(0)), half]),
            transport: .inProcess
        )
        for (server, kind, sentence) in [
            (
                signedOut, "access",
                #"no device is signed in, so there is no "access" token; add .signedIn("phone", ago: .minutes(1)) to the story"#
            ),
            (signedIn, "acess", #"unknown token kind "acess"; did you mean "access"?"#),
            (signedIn, "session", #"unknown token kind "session"; use access or refresh"#),
            (open, "access", #"unknown token kind "access"; none is declared"#),
            (without, "refresh", #"the device "phone" has no "refresh" token; it has access"#),
        ] {
            let error = #expect(throws: ServerProblem.self) { try server.requireToken(kind) }
            #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
        }
    }

    @Test func `JSON that is not valid is said with line and column`() {
        let error = #expect(throws: StoryProblem.self) { try BacklotServer.JSON(text: "{ \"a\": 1,\n  b }") }
        #expect(error?.description.contains("2:3") == true, "\(error?.description ?? "")")
    }
}
