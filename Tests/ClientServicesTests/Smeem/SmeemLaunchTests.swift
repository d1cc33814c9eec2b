import ClientServices
import Foundation
import Testing

@Suite struct `A launch of Smeem` {
    let version = Smeem.VersionNumber(rawValue: "2.0.1")

    @Test func `goes home with a new access token`() async throws {
        let bench = try SmeemBench { request, _ in Self.versions(for: request, oldest: "2.0.0") }
        #expect(await bench.service.launch(version: version) == .home)
        #expect(await bench.server.requests.map(\.url.lastPathComponent) == ["app", "token"])
    }

    @Test func `goes no further with a version that is too old`() async throws {
        let bench = try SmeemBench { request, _ in Self.versions(for: request, oldest: "10.0.0") }
        guard case .update(let versions) = await bench.service.launch(version: Smeem.VersionNumber(rawValue: "9.9.9"))
        else {
            Issue.record("the old version may be used")
            return
        }
        #expect(versions.title == "새 버전")
        #expect(await bench.server.requests.count == 1)
    }

    @Test(arguments: [StubServer.Answer.failure(.unreachable), .failure(.timedOut), .success(.smeemRefusal(500, "x"))])
    func `does without a version check that fails`(answer: StubServer.Answer) async throws {
        let bench = try SmeemBench { $0.url.path.hasSuffix("app") && $1 == 1 ? answer : nil }
        #expect(await bench.service.launch(version: version) == .home)
        #expect(await bench.server.requests.first?.timeout == 10)
    }

    @Test func `keeps its session without a connection`() async throws {
        let bench = try SmeemBench { _, _ in .failure(.unreachable) }
        #expect(await bench.service.launch(version: version) == .home)
        #expect(await bench.store.tokens() == .first)
    }

    @Test func `starts afresh when the refresh token has expired, and asks for nothing at the next one`() async throws {
        let bench = try SmeemBench { _, _ in .success(.smeemUnauthorized) }
        #expect(await bench.service.launch(version: version) == .start)
        #expect(await bench.service.launch(version: version) == .start)
        #expect(await bench.server.requests.map(\.url.lastPathComponent) == ["app", "token", "app"])
    }

    private static func versions(for request: TransportRequest, oldest: String) -> StubServer.Answer? {
        guard request.url.path.hasSuffix("/versions/client/app") else { return nil }
        let range = #"{"version": "\#(oldest)", "forceVersion": "\#(oldest)"}"#
        let data = #"{"title": "새 버전", "content": "", "iosVersion": \#(range), "androidVersion": \#(range)}"#
        return .success(.smeem(data))
    }
}

@Suite struct `A version of Smeem` {
    @Test(arguments: [
        ("9.9.9", "10.0.0"), ("2", "2.0.1"), ("", "0.1"), ("2.0.9", "2.0.10"), ("x.1", "1.0"), ("01.2", "1.3"),
        ("1.99999999999999999999", "1.100000000000000000000"),
    ])
    func `comes after one with a smaller number`(older: String, newer: String) {
        #expect(Smeem.VersionNumber(rawValue: older) < Smeem.VersionNumber(rawValue: newer))
        #expect(!(Smeem.VersionNumber(rawValue: newer) < Smeem.VersionNumber(rawValue: older)))
    }

    @Test(arguments: [("2", "2.0.0"), ("2.01", "2.1"), ("", "abc")])
    func `is the same with zeros`(one: String, other: String) {
        #expect(Smeem.VersionNumber(rawValue: one) == Smeem.VersionNumber(rawValue: other))
    }
}
