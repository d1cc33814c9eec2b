import ScenarioFormat
import Simulation
import Testing

/// Which later request is a refused one sent again, and which is something else.
@Suite struct `What follows a refresh` {
    @Test(arguments: restCases)
    func `on paths of their own`(_ judged: JudgedCase) throws { try judged.check() }

    @Test(arguments: sharedPathCases)
    func `where every operation has the same path`(_ judged: JudgedCase) throws { try judged.check() }

    @Test func `is not told as another body where the operation was never sent again`() throws {
        let judged = JudgedCase("one of three queries is dropped, and a mutation follows", on: Self.graphQL) {
            traffic in
            traffic.refuse(["Me", "Feed", "Cart"].map(Self.query), bearing: "access-1")
            traffic.sendAll([Self.query("Me"), Self.query("Feed")], bearing: "access-2")
            traffic.send("POST /graphql", bearing: "access-2", body: Self.mutation("Save", "1"))
        }
        let sentences = try judged.traffic.sentences()
        #expect(!sentences.contains { $0.contains("with another body") }, "\(sentences)")
    }

    @Test func `is told with the query where that tells one request from another`() throws {
        func sentences(_ play: @escaping @Sendable (inout Traffic) -> Void) throws -> [String] {
            try JudgedCase("", play: play).traffic.sentences()
        }
        let lost = try sentences {
            $0.refuse([("GET /notes?q=a", nil), ("GET /notes?q=b", nil)], bearing: "access-1")
            $0.send("GET /notes?q=b", bearing: "access-2")
        }
        #expect(
            lost == [
                "B7: exchange 1 GET /notes?q=a was refused, exchange 3 refreshed, and the request was never sent again"
            ]
        )
        let replaced = try sentences {
            $0.refuse([("GET /notes?page=2", nil)], bearing: "access-1")
            $0.send("GET /notes", bearing: "access-2")
        }
        #expect(
            replaced == [
                "B22: exchange 3 GET /notes was sent in place of exchange 1 GET /notes?page=2, which had been refused"
            ]
        )
        let alone = try sentences { $0.refuse([("GET /notes?page=2", nil)], bearing: "access-1") }
        #expect(
            alone == [
                "B7: exchange 1 GET /notes was refused, exchange 2 refreshed, and the request was never sent again"
            ]
        )
        let stale = try sentences {
            $0.refuse([("GET /notes?page=2", nil)], bearing: "access-1")
            $0.send("GET /notes?page=2", bearing: "access-1")
        }
        #expect(
            stale.contains(
                "B7: exchange 1 GET /notes was refused, exchange 2 refreshed, and exchange 3 sent the request again with the "
                    + "refused token"
            ),
            "\(stale)"
        )
        let secret = try sentences {
            $0.refuse([("GET /notes?q=a&api_key=a-secret-of-somebody", nil)], bearing: "access-1")
            $0.send("GET /notes", bearing: "access-2")
        }
        #expect(
            secret == [
                "B22: exchange 3 GET /notes was sent in place of exchange 1 GET /notes?q=a&api_key=a-secr…body, which had "
                    + "been refused"
            ]
        )
    }

    // MARK: One path for each thing

    private static let restCases: [JudgedCase] = [
        JudgedCase("the user leaves a list and creates an item") {
            $0.refuse([("GET /notes", nil)], bearing: "access-1")
            $0.send("POST /notes", bearing: "access-2", body: "{\"text\": \"a\"}")
        },
        JudgedCase("the user leaves an item and deletes it", on: items) {
            $0.refuse([("GET /files/7", nil)], bearing: "access-1")
            $0.send("DELETE /files/7", bearing: "access-2")
        },
        JudgedCase("the user leaves page 1 and opens page 2") {
            $0.refuse([("GET /notes?page=1", nil)], bearing: "access-1")
            $0.send("GET /notes?page=2", bearing: "access-2")
        },
        JudgedCase("a list begins again at its first page", given: justNow) {
            $0.send("GET /notes?page=1", bearing: "access-1")
            $0.send("GET /notes?page=2", bearing: "access-1")
            $0.enact(.expire(.kind("access"), .every))
            $0.refuse([("GET /notes?page=3", nil)], bearing: "access-1")
            $0.send("GET /notes?page=1", bearing: "access-2")
        },
        JudgedCase("each letter of a search takes the place of the search before") {
            let first = $0.begin("GET /notes?q=a", bearing: "access-1")
            $0.wait(.milliseconds(51))
            $0.end(first)
            $0.wait(.milliseconds(20))
            $0.refuse([("GET /notes?q=ab", nil)], bearing: "access-1")
            $0.send("GET /notes?q=ab", bearing: "access-2")
        },
        JudgedCase("a user scrolls past items before they are there", on: items) {
            let first = $0.begin("GET /files/1", bearing: "access-1")
            $0.wait(.milliseconds(51))
            $0.end(first)
            $0.wait(.milliseconds(20))
            $0.refuse([("GET /files/9", nil)], bearing: "access-1")
            $0.send("GET /files/9", bearing: "access-2")
        },
        JudgedCase("of two items that were asked for together, one is lost", ["B7"], on: items) {
            $0.refuse([("GET /files/1", nil), ("GET /files/2", nil)], bearing: "access-1")
            $0.send("GET /files/2", bearing: "access-2")
        },
        JudgedCase("of two searches that were sent together, one is lost", ["B7"]) {
            $0.refuse([("GET /notes?q=a", nil), ("GET /notes?q=b", nil)], bearing: "access-1")
            $0.send("GET /notes?q=b", bearing: "access-2")
        },
        JudgedCase("an item is removed again before it was put", on: items) { traffic in
            let put = traffic.begin("PUT /files/7", bearing: "access-1", body: "{}")
            let delete = traffic.begin("DELETE /files/7", bearing: "access-1")
            traffic.wait(.milliseconds(50))
            for exchange in [put, delete] { traffic.end(exchange) }
            traffic.wait(.milliseconds(20))
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("DELETE /files/7", bearing: "access-2")
        },
        JudgedCase("an item is put, and its removal is lost", ["B7"], on: items) { traffic in
            let put = traffic.begin("PUT /files/7", bearing: "access-1", body: "{}")
            let delete = traffic.begin("DELETE /files/7", bearing: "access-1")
            traffic.wait(.milliseconds(50))
            for exchange in [put, delete] { traffic.end(exchange) }
            traffic.wait(.milliseconds(20))
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("PUT /files/7", bearing: "access-2", body: "{}")
        },
        JudgedCase(
            "the screen starts again and asks for fresh content"
        ) {
            $0.refuse([("GET /notes", nil)], bearing: "access-1")
            $0.send("GET /notes?fresh=1", bearing: "access-2")
        },
        JudgedCase(
            "one retry a request, and the user goes on to another method"
        ) {
            $0.refuse([("GET /notes", nil)], bearing: "access-1")
            $0.enact(.revoke(.kind("access"), .every))
            $0.refuse([("GET /notes", nil)], bearing: "access-2", renewing: "refresh-2")
            $0.send("POST /notes", bearing: "access-3", body: "{\"text\": \"a\"}")
        },
        JudgedCase("what was saved before the refusal shows that a load was lost", ["B22"], given: justNow) {
            $0.send("GET /profile", bearing: "access-1")
            $0.enact(.expire(.kind("access"), .every))
            $0.refuse([("GET /notes", nil)], bearing: "access-1")
            $0.send("GET /profile", bearing: "access-2")
        },
        JudgedCase("the user goes back from an item to its list", on: items, given: justNow) {
            $0.send("GET /files", bearing: "access-1")
            $0.enact(.expire(.kind("access"), .every))
            $0.refuse([("GET /files/7", nil)], bearing: "access-1")
            $0.send("GET /files", bearing: "access-2")
        },
        JudgedCase("a list comes in place of an item that was to be deleted", ["B22"], on: items, given: justNow) {
            $0.send("GET /files", bearing: "access-1")
            $0.enact(.expire(.kind("access"), .every))
            $0.refuse([("DELETE /files/7", nil)], bearing: "access-1")
            $0.send("GET /files", bearing: "access-2")
        },
        JudgedCase("a list comes in place of an item of another one", ["B22"], on: items, given: justNow) {
            $0.send("GET /notes", bearing: "access-1")
            $0.enact(.expire(.kind("access"), .every))
            $0.refuse([("GET /files/7", nil)], bearing: "access-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        JudgedCase("an item comes in place of its list", ["B22"], on: items, given: justNow) {
            $0.send("GET /files/7", bearing: "access-1")
            $0.enact(.expire(.kind("access"), .every))
            $0.refuse([("GET /files", nil)], bearing: "access-1")
            $0.send("GET /files/7", bearing: "access-2")
        },
        JudgedCase("one of three parts of a screen is left, and the user goes on", on: items) {
            $0.refuse([("GET /notes", nil), ("GET /profile", nil), ("GET /files/1", nil)], bearing: "access-1")
            $0.sendAll([("GET /notes", nil), ("GET /profile", nil)], bearing: "access-2")
            $0.send("GET /files/2", bearing: "access-2")
        },
        JudgedCase("one of three reads is lost, and nothing else follows", ["B7"], on: items) {
            $0.refuse([("GET /notes", nil), ("GET /profile", nil), ("GET /files/1", nil)], bearing: "access-1")
            $0.sendAll([("GET /notes", nil), ("GET /profile", nil)], bearing: "access-2")
        },
        JudgedCase("two of three reads are lost, and nothing else follows", ["B7"], on: items) {
            $0.refuse([("GET /notes", nil), ("GET /profile", nil), ("GET /files/1", nil)], bearing: "access-1")
            $0.sendAll([("GET /files/1", nil)], bearing: "access-2")
        },
        JudgedCase("a write is lost among reads, and the user goes on", ["B7"], on: items) {
            $0.refuse(
                [("GET /notes", nil), ("POST /notes", "{\"text\": \"a\"}"), ("GET /profile", nil)],
                bearing: "access-1"
            )
            $0.sendAll([("GET /notes", nil), ("GET /profile", nil)], bearing: "access-2")
            $0.send("GET /files/2", bearing: "access-2")
        },
        JudgedCase("the query is lost on the way", ["B22"]) {
            $0.refuse([("GET /notes?page=2", nil)], bearing: "access-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        JudgedCase(
            "a created item is lost, and the list is loaded",
            ["B7"]
        ) {
            $0.refuse([("POST /notes", "{\"text\": \"a\"}")], bearing: "access-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        JudgedCase(
            "none of two loads and a save is sent again",
            ["B7"]
        ) {
            $0.refuse([("POST /notes", "{\"text\": \"a\"}"), ("GET /profile", nil)], bearing: "access-1")
            $0.send("GET /notes", bearing: "access-2")
        },
    ]

    // MARK: One path for everything

    private static let sharedPathCases: [JudgedCase] = [
        JudgedCase("every operation is sent again, and another one follows", on: graphQL) {
            $0.refuse(["Me", "Feed", "Cart"].map(query), bearing: "access-1")
            $0.sendAll(["Me", "Feed", "Cart"].map(query), bearing: "access-2")
            $0.send("POST /graphql", bearing: "access-2", body: mutation("Save", "1"))
        },
        JudgedCase("every operation is sent again in another order", on: graphQL) {
            $0.refuse([("POST /graphql", mutation("Save", "1")), query("Feed"), query("Me")], bearing: "access-1")
            $0.sendAll([query("Me"), ("POST /graphql", mutation("Save", "1")), query("Feed")], bearing: "access-2")
        },
        JudgedCase("the refresh is an operation, too", on: graphQL) {
            $0.refuse([query("Me")], bearing: "access-1", refreshingBy: "Refresh")
            $0.sendAll([query("Me")], bearing: "access-2")
        },
        JudgedCase("two mutations of one name with other variables", on: graphQL) {
            $0.refuse([("POST /graphql", mutation("Save", "1"))], bearing: "access-1")
            $0.sendAll([("POST /graphql", mutation("Save", "1"))], bearing: "access-2")
            $0.wait(.seconds(3))
            $0.sendAll([("POST /graphql", mutation("Save", "2"))], bearing: "access-2")
        },
        JudgedCase("a mutation is lost, and a query follows", ["B7"], on: graphQL) {
            $0.refuse([query("Feed"), ("POST /graphql", mutation("Save", "1"))], bearing: "access-1")
            $0.sendAll([query("Feed"), query("Pets")], bearing: "access-2")
        },
        JudgedCase(
            "a mutation is lost, and a query follows, where the refresh is an operation, too",
            ["B7"],
            on: graphQL
        ) {
            $0.refuse([("POST /graphql", #"{"operationName": "Save"}"#)], bearing: "access-1", refreshingBy: "Refresh")
            $0.sendAll([("POST /graphql", #"{"operationName": "Pets"}"#)], bearing: "access-2")
        },
        JudgedCase("a mutation is lost, and another one follows", ["B7"], on: graphQL) {
            $0.refuse([persisted("Save", "3f2a91c07be84d16")], bearing: "access-1")
            $0.sendAll([persisted("Like", "9d04e7b1562c38af")], bearing: "access-2")
        },
        JudgedCase("a mutation is lost where the refresh is an operation, too", ["B7"], on: graphQL) {
            $0.refuse([("POST /graphql", mutation("Save", "1"))], bearing: "access-1", refreshingBy: "Refresh")
            $0.tell("done")
        },
        JudgedCase("a mutation is sent again with other variables", ["B7"], on: graphQL) {
            $0.refuse([("POST /graphql", mutation("Save", "1"))], bearing: "access-1")
            $0.sendAll([("POST /graphql", mutation("Save", ""))], bearing: "access-2")
        },
    ]

    @Test func `is no repetition where it is the refresh itself`() throws {
        let judged = JudgedCase("a mutation is lost where the refresh is an operation, too", on: Self.graphQL) {
            $0.refuse(
                [("POST /graphql", Self.mutation("Save", "1"))],
                bearing: "access-1",
                refreshingBy: "Refresh"
            )
        }
        let sentences = try judged.traffic.sentences()
        #expect(
            sentences == [
                "B7: exchange 1 POST /graphql was refused, exchange 2 refreshed, and the request was never sent again"
            ]
        )
    }

    private static let items = Traffic.backend.replacing(
        "\"PUT /files/{id}\"",
        with: """
            "GET /files": {"requires": "access", "json": []},
            "GET /files/{id}": {"requires": "access", "json": {}},
            "DELETE /files/{id}": {"requires": "access", "status": 204, "empty": true},
            "PUT /files/{id}"
            """
    )

    private static let justNow = #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#

    private static func query(_ name: String) -> (String, String?) {
        ("POST /graphql", #"{"operationName": "\#(name)", "query": "query \#(name) { \#(name) { id } }"}"#)
    }

    /// An operation whose text the server knows by its hash.
    private static func persisted(_ name: String, _ hash: String) -> (String, String?) {
        (
            "POST /graphql",
            #"{"operationName": "\#(name)", "extensions": {"persistedQuery": {"sha256Hash": "\#(hash)"}}}"#
        )
    }

    private static func mutation(_ name: String, _ id: String) -> String {
        #"{"operationName": "\#(name)", "query": "mutation \#(name)($id: ID) { \#(name) }", "variables": {"id": "\#(id)"}}"#
    }

    /// One path for queries and mutations; the refresh is an operation of it or a route of its own.
    private static let graphQL = Traffic.backend.replacing(
        "\"GET /notes\"",
        with: """
            "POST /graphql": {
              "cases": [
                {
                  "when": {"body": {"/operationName": "Refresh"}}, "requires": "refresh",
                  "grants": {"access": "new", "refresh": "new"},
                  "json": {"access": "{{token.access}}", "refresh": "{{token.refresh}}"}
                },
                {
                  "when": {"body": {"/operationName": {"exists": true}}}, "requires": "access",
                  "json": {"data": {}}
                }
              ],
              "status": 400, "json": {}
            },
            "GET /notes"
            """
    )
}

extension Traffic {
    typealias Call = (line: String, body: String?)

    /// Sends requests at once, which are refused, and a refresh that follows.
    ///
    /// - Parameter operation: the refresh's name, where it has the path of all operations.
    fileprivate mutating func refuse(
        _ calls: [Call],
        bearing access: String,
        renewing refresh: String = "refresh-1",
        refreshingBy operation: String? = nil
    ) {
        let exchanges = calls.map { begin($0.line, bearing: access, body: $0.body) }
        wait(.milliseconds(50))
        for exchange in exchanges { end(exchange) }
        wait(.milliseconds(1))
        let renewal =
            operation.map { name in
                let body = "{\"operationName\": \"\(name)\", \"refresh\": \"\(value(of: refresh))\"}"
                return begin("POST /graphql", body: body)
            } ?? begin("POST /refresh", refresh: refresh)
        wait(.milliseconds(50))
        end(renewal)
        wait(.milliseconds(1))
    }

    /// Sends requests at once.
    fileprivate mutating func sendAll(_ calls: [Call], bearing access: String) {
        let exchanges = calls.map { begin($0.line, bearing: access, body: $0.body) }
        wait(.milliseconds(5))
        for exchange in exchanges { end(exchange) }
        wait(.milliseconds(1))
    }
}
