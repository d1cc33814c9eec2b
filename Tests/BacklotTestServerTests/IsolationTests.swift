import BacklotTestServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a test sees of other tests on the same process' server: nothing.
@Suite struct IsolationTests {
    @Test(.backlot(ServerTests.pets), arguments: 0..<500)
    func `tests over sockets see their own requests only`(number: Int) async throws {
        let server = try BacklotServer.current
        let session = URLSession.patient
        defer { session.invalidateAndCancel() }
        let traces = try await Self.traces(of: "pet \(number)", at: server.url, in: server, session)
        #expect(traces == [])
    }

    @Test(.backlot(ServerTests.pets, transport: .inProcess), arguments: 500..<1_000)
    func `tests in this process see their own requests only`(number: Int) async throws {
        let server = try BacklotServer.current
        let session = Way.inProcess.session(to: server)
        defer { session.invalidateAndCancel() }
        let traces = try await Self.traces(of: "pet \(number)", at: server.url, in: server, session)
        #expect(traces == [])
    }

    @Test func `a client that talks to another test's server is caught`() async throws {
        let (mine, other) = (
            try await BacklotServer(story: ServerTests.pets), try await BacklotServer(story: ServerTests.pets)
        )
        let traces = try await Self.traces(of: "pet", at: other.url, in: mine, URLSession.patient)
        #expect(traces == ["the response is 401", "the journal has nothing"])
        #expect(other.journal.map(\.tokens) == [["access unknown"]])
    }

    /// Adds a pet, and says in which ways what the server has differs from it.
    private static func traces(
        of name: String,
        at url: URL,
        in server: BacklotServer,
        _ session: URLSession
    ) async throws -> [String] {
        var request = URLRequest(url: url.appendingPathComponent("pets"))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"name":"\#(name)"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(try server.requireToken("access"))", forHTTPHeaderField: "Authorization")
        let (data, response) = try await session.data(for: request)
        var traces: [String] = []
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 201 { traces.append("the response is \(status)") }
        if status == 201, !String(decoding: data, as: UTF8.self).contains(#""\#(name)""#) {
            traces.append("another pet")
        }
        let bodies = server.journal.map { String(decoding: $0.requestBody, as: UTF8.self) }
        if bodies.isEmpty { traces.append("the journal has nothing") }
        if bodies.contains(where: { $0 != #"{"name":"\#(name)"}"# }) || bodies.count > 1 { traces.append("\(bodies)") }
        return traces
    }
}
