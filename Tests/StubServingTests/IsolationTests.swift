import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// A hundred sessions on eight connections, none of which may see anything of another.
@Suite(.timeLimit(.minutes(15)))
struct IsolationTests {
    private static let sessions = 100
    private static let connections = 8

    @Test(arguments: SelectorKind.allCases)
    func `Interleaved sessions share connections and nothing else`(kind: SelectorKind) async throws {
        let library = try ScenarioLibrary("\(Project.scenarios)/smeem/backend.json")
        try await withStub(library, { $0.selector = kind }) { stub in
            let clients = try (0..<Self.connections).map { _ in try stub.client() }
            let ports = clients.map(\.localPort)
            // Each session is talked to on another connection every time.
            func client(_ session: Int, _ turn: Int) -> HTTPClient { clients[(session + turn * 3) % Self.connections] }

            var tokens: [String] = []
            for session in 0..<Self.sessions {
                let response = try client(session, 0).call(
                    .post,
                    "/api/v2/auth",
                    .bearer("from-kakao").adding("Content-Type", "application/json")
                        .adding("Backlot-Session", "s\(session)"),
                    #"{"social":"KAKAO"}"#
                )
                tokens.append(try #require(try response.json["data"]?["accessToken"]?.string))
            }
            #expect(Set(tokens).count == Self.sessions)

            for session in 0..<Self.sessions {
                let change: JSONValue = ["advance": .string("\(session * 90)s")]
                try client(session, 1).admin(.post, "clock?session=s\(session)", change)
            }
            for session in 0..<Self.sessions {
                let own = try client(session, 2).get(target(session), .bearer(tokens[session]))
                // An access token lives for two hours.
                #expect(own.code == (session * 90 < 7200 ? 200 : 401), "session \(session)")
                let foreign = tokens[(session + 1) % Self.sessions]
                #expect(try client(session, 3).get(target(session), .bearer(foreign)).code == 401)
            }

            for session in 0..<Self.sessions {
                let journal = try client(session, 4).admin(.get, "journal?session=s\(session)")
                let exchanges = try #require(journal["exchanges"]?.array)
                #expect(exchanges.map { $0["path"]?.string } == ["/api/v2/auth", "/api/v2/diaries", "/api/v2/diaries"])
                let states = exchanges.map { $0["tokens"]?[0]?["state"]?.string }
                #expect(states == ["valid", session * 90 < 7200 ? "valid" : "expired", "unknown"])
                #expect(exchanges.last?["tokens"]?[0]?["id"]?.isNull == true)
                #expect(exchanges.last?["target"]?.string == target(session, prefix: ""))
                #expect(exchanges.map { $0["number"]?.number?.int } == [1, 2, 3])
            }
            #expect(try stub.admin(.get, "journal")["exchanges"]?.array?.isEmpty == true)
            #expect(clients.map(\.localPort) == ports)
        }
    }

    private func target(_ session: Int, prefix: String? = nil) -> String {
        let prefix = prefix ?? "/__session/s\(session)"
        return "\(prefix)/api/v2/diaries?start=2026-03-01&end=2026-03-31&who=\(session)"
    }
}
