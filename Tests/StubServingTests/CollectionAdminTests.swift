import HTTPCodec
import JSON
import StubServing
import Testing

/// What the admin API tells of collections.
@Suite(.timeLimit(.minutes(15)))
struct CollectionAdminTests {
    private static let backend = """
        {
          "backend": "Notes", "clock": { "frozen": true },
          "accounts": { "ada": { "id": 7 }, "bob": { "id": 8 } },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "collections": {
            "notes": { "items": [{ "id": 1, "text": "tea" }] },
            "lists": { "items": [{ "id": 1 }], "per": "account" }
          },
          "routes": {
            "POST /notes": { "then": [{ "create": "notes", "item": { "id": 2, "text": "{{request.body#/text}}" } }], "empty": true }
          }
        }
        """

    private func withNotes(_ body: (Stub) async throws -> Void) async throws {
        try await withStub(Self.backend, files: [:], { _ in }, body)
    }

    private func names(_ answer: JSONValue) -> [String] {
        (answer["collections"]?.array ?? []).map { stored in
            let owner = stored["account"]?.string.map { " of \($0)" } ?? ""
            return "\(stored["name"]?.string ?? "")\(owner): \(stored["count"]?.int ?? -1)"
        }
    }

    @Test func `All collections are told, and those of accounts by account`() async throws {
        try await withNotes { stub in
            let told = names(try stub.admin(.get, "collections"))
            #expect(told.contains("notes: 1"))
            #expect(told.contains("accounts: 2"))
        }
    }

    @Test(arguments: ["collections/notes", "collections?name=notes"])
    func `One is chosen by its name`(path: String) async throws {
        try await withNotes { stub in
            let answer = try stub.admin(.get, path)
            #expect(names(answer) == ["notes: 1"])
            #expect(answer["collections"]?.array?.first?["items"] == [["id": 1, "text": "tea"]])
        }
    }

    @Test func `What clients change is seen, and gone after a reset`() async throws {
        try await withNotes { stub in
            let client = try stub.client()
            _ = try client.call(.post, "/notes", ["Content-Type": "application/json"], #"{"text": "jam"}"#)
            let items = try stub.admin(.get, "collections/notes")["collections"]?.array?.first?["items"]
            #expect(items == [["id": 1, "text": "tea"], ["id": 2, "text": "jam"]])
            try stub.admin(.post, "scenario", ["reset": true])
            #expect(names(try stub.admin(.get, "collections/notes")) == ["notes: 1"])
        }
    }

    @Test func `Each session has its own`() async throws {
        try await withNotes { stub in
            try stub.admin(.post, "sessions", ["name": "other"])
            let client = try stub.client()
            _ = try client.call(.post, "/notes", ["Content-Type": "application/json"], #"{"text": "jam"}"#)
            #expect(names(try stub.admin(.get, "collections/notes")) == ["notes: 2"])
            #expect(names(try stub.admin(.get, "collections/notes?session=other")) == ["notes: 1"])
        }
    }

    @Test func `A name that there is not is answered with the nearest`() async throws {
        try await withNotes { stub in
            let problem = try stub.client().get("/__backlot/collections/nots").json
            #expect(problem["status"] == 404)
            #expect(
                problem["detail"]?.string
                    == "Unknown collection \"nots\". Did you mean \"notes\"? "
                    + "GET /__backlot/collections lists the collections."
            )
        }
    }
}
