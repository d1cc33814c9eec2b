import Foundation
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

/// Edits while the server runs; the looks at the files are the timer's own, only their time is the test's.
@Suite(.timeLimit(.minutes(15)))
struct ReloadTests {
    private static let backend = """
        {
          "backend": "Reload", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "counters": { "asked": 0 },
          "routes": {
            "GET /fixture": { "fixture": "fixture.json" },
            "GET /text": { "text": "old {{counter.asked}}" },
            "POST /login": { "grants": { "access": "new" }, "text": "{{token.access}}" },
            "GET /secret": { "requires": "access", "text": "secret" }
          }
        }
        """

    /// A folder that is removed after the test.
    struct Folder {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appending(path: "backlot-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: url.appending(path: "Scenarios"),
                withIntermediateDirectories: true
            )
        }

        func write(_ name: String, _ text: String) throws {
            try text.write(to: url.appending(path: "Scenarios/\(name)"), atomically: true, encoding: .utf8)
        }

        func remove(_ name: String) throws {
            try FileManager.default.removeItem(at: url.appending(path: "Scenarios/\(name)"))
        }

        var scenarios: String { url.appending(path: "Scenarios").path }
    }

    private func withFolder(_ body: (Folder, Stub) async throws -> Void) async throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.write("backend.json", Self.backend)
        try folder.write("fixture.json", #"{"version":1}"#)
        let story =
            #"{ "extends": "backend.json", "id": "S-1", "title": "One", "about": "One.", "routes": { "GET /text": { "text": "TEXT" } } }"#
        try folder.write("story.json", story)
        try await withStub(try ScenarioLibrary(folder.scenarios), { $0.watchesFiles = true }) { stub in
            try await body(folder, stub)
        }
    }

    /// Lets the server look often enough: an edit waits for two looks, and the first may be under way already.
    private func letItLook(_ stub: Stub) async {
        for _ in 0..<4 { await stub.pass(.milliseconds(60)) }
    }

    private func edit(_ old: String, _ new: String) -> String {
        Self.backend.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    @Test func `Those who follow the events are told of a file that was read again`() async throws {
        try await withFolder { folder, stub in
            let client = try stub.client()
            try client.send(HTTPRequest(target: "/__backlot/events"))
            let text = { String(decoding: try client.peek(), as: UTF8.self) }
            for _ in 0..<500 where try !text().contains("\"backend\"") { await stub.pass(.milliseconds(100)) }
            #expect(try !text().contains("\"reloaded\":true"))
            try folder.write("fixture.json", #"{"version":2}"#)
            for _ in 0..<500 where try !text().contains("\"reloaded\":true") { await stub.pass(.milliseconds(100)) }
            #expect(try text().contains("\"reloaded\":true"))
        }
    }

    @Test func `Two variants of a file are each loaded again`() async throws {
        try await withFolder { folder, stub in
            let story = #"""
                { "extends": "backend.json", "id": "S-9", "title": "Nine",
                  "variants": { "a": { "routes": { "GET /text": { "text": "old a" } } },
                                "b": { "routes": { "GET /text": { "text": "old b" } } } } }
                """#
            try folder.write("nine.json", story)
            try stub.admin(.post, "scenario", ["story": "S-9/a"])
            try stub.admin(.post, "sessions", ["name": "other", "story": "S-9/b"])
            let texts = {
                [
                    try stub.client().get("/text").text,
                    try stub.client().get("/__session/other/text").text,
                ]
            }
            #expect(try texts() == ["old a", "old b"])
            try folder.write("nine.json", story.replacing("old", with: "new"))
            await letItLook(stub)
            #expect(try texts() == ["new a", "new b"])
        }
    }

    @Test func `A good edit is live, and the session goes on`() async throws {
        try await withFolder { folder, stub in
            let client = try stub.client()
            let token = try client.call(.post, "/login").text
            try stub.advance("10m")
            #expect(try client.get("/text").text == "old 1")
            try folder.write("backend.json", edit("old ", "new "))
            await letItLook(stub)
            #expect(try client.get("/text").text == "new 2")
            #expect(try client.get("/secret", .bearer(token)).text == "secret")
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T09:10:00Z")
            #expect(try stub.admin(.get, "journal")["exchanges"]?.array?.count == 4)
            #expect(stub.log.text.contains("reloaded  \(folder.scenarios)/backend.json"))
        }
    }

    @Test func `Other servers come and go with the file that declares them`() async throws {
        try await withFolder { folder, stub in
            let other = { (name: String) in
                "\"origins\": { \"\(name)\": { \"routes\": { \"GET /p\": { \"text\": \"\(name)\" } } } }, \"counters\""
            }
            let port = { (name: String) -> UInt16 in
                let url = try #require(stub.server.originURLs[name])
                return try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
            }
            try folder.write("backend.json", edit("\"counters\"", other("images")))
            await letItLook(stub)
            let images = try port("images")
            #expect(try stub.client(port: images).get("/p").text == "images")
            try folder.write("backend.json", edit("\"counters\"", other("cdn")))
            await letItLook(stub)
            #expect(stub.server.originURLs["images"] == nil)
            #expect(try stub.client(port: port("cdn")).get("/p").text == "cdn")
        }
    }

    @Test func `A fixture counts as much as the file that names it`() async throws {
        try await withFolder { folder, stub in
            let client = try stub.client()
            #expect(try client.get("/fixture").json["version"] == 1)
            try folder.write("fixture.json", #"{"version":2}"#)
            await letItLook(stub)
            #expect(try client.get("/fixture").json["version"] == 2)
        }
    }

    @Test func `A bad edit changes nothing and says what is wrong, until it is fixed`() async throws {
        try await withFolder { folder, stub in
            let client = try stub.client()
            try folder.write("backend.json", edit(#""text": "old"#, #""txt": "old"#))
            await letItLook(stub)
            #expect(try client.get("/text").text == "old 1")
            #expect(stub.log.text.contains("backend.json:7:"))
            #expect(stub.log.text.contains(#"did you mean "text""#))
            #expect(stub.log.text.contains("kept the last valid version"))
            try folder.write("fixture.json", "{")
            try folder.write("backend.json", edit("old ", "newer "))
            await letItLook(stub)
            #expect(try client.get("/text").text == "old 2")
            #expect(stub.log.text.contains("fixture.json:1:2"))
            try folder.write("fixture.json", #"{"version":3}"#)
            await letItLook(stub)
            #expect(try client.get("/text").text == "newer 3")
            #expect(try client.get("/fixture").json["version"] == 3)
        }
    }

    @Test func `A file that is missing is waited for`() async throws {
        try await withFolder { folder, stub in
            let client = try stub.client()
            try folder.write("backend.json", edit("fixture.json", "other.json"))
            await letItLook(stub)
            #expect(try client.get("/fixture").json["version"] == 1)
            try folder.write("other.json", #"{"version":"other"}"#)
            await letItLook(stub)
            #expect(try client.get("/fixture").json["version"] == "other")

            try folder.remove("backend.json")
            await letItLook(stub)
            #expect(try client.get("/text").text == "old 1")
            try folder.write("backend.json", Self.backend)
            await letItLook(stub)
            #expect(try client.get("/fixture").json["version"] == 1)
        }
    }

    @Test func `A file that is still being written is not read yet`() async throws {
        try await withFolder { folder, stub in
            try folder.write("backend.json", edit("old ", "half "))
            await stub.pass(.milliseconds(60))
            try folder.write("backend.json", edit("old ", "whole "))
            await stub.pass(.milliseconds(60))
            #expect(try stub.client().get("/text").text == "old 1")
            await stub.pass(.milliseconds(60))
            #expect(try stub.client().get("/text").text == "whole 2")
        }
    }

    @Test func `The files of every session are watched, also of one that came later`() async throws {
        try await withFolder { folder, stub in
            try stub.admin(.post, "sessions", ["name": "one", "story": "S-1"])
            let client = try stub.client()
            #expect(try client.get("/__session/one/text").text == "TEXT")
            try folder.write(
                "story.json",
                #"{ "extends": "backend.json", "id": "S-1", "title": "One", "about": "One.", "routes": { "GET /text": { "text": "EDITED" } } }"#
            )
            await letItLook(stub)
            #expect(try client.get("/__session/one/text").text == "EDITED")
            #expect(try client.get("/text").text == "old 1")

            try stub.admin(.post, "scenario", ["story": "S-1"])
            try folder.write(
                "story.json",
                #"{ "extends": "backend.json", "id": "S-1", "title": "One", "about": "One." }"#
            )
            await letItLook(stub)
            #expect(try client.get("/text").text == "old 1")
            #expect(try client.get("/__session/new/text").text == "old 1")
        }
    }

    @Test func `Who does not want it is not reloaded`() async throws {
        let folder = try Folder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try folder.write("backend.json", Self.backend)
        try folder.write("fixture.json", "1")
        try await withStub(try ScenarioLibrary(folder.scenarios)) { stub in
            try folder.write("backend.json", edit("old ", "new "))
            await letItLook(stub)
            #expect(try stub.client().get("/text").text == "old 1")
        }
    }

    @Test(arguments: ["arrival", "release"])
    func `An edit lets go whom a gate holds that it takes away`(moment: String) async throws {
        try await withFolder { folder, stub in
            let hold = #""hold": { "until": 2, "quiet": "1h", "decide": "\#(moment)" }, "routes": {"#
            try folder.write("backend.json", edit(#""routes": {"#, hold))
            await letItLook(stub)
            let held = try stub.hold(["/fixture"])[0]
            try folder.write("backend.json", edit("old", "new"))
            await letItLook(stub)
            #expect(try held.receive().text == #"{"version":1}"#)
            #expect(try stub.gates().isEmpty)
        }
    }
}
