import BacklotTestServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let slowShop = BacklotServer.Story.scenario(
    "Shop",
    [
        .clock(.frozen),
        .token("access", lifetime: .minutes(15)),
        .route("GET /cart", requires: "access", .json(["items": []]).after(.seconds(30), on: .virtual)),
        .signedIn("phone", ago: .minutes(1)),
        .expect("GET /cart", count: 1, status: 200),
    ]
)

private let busyNews = BacklotServer.Story.scenario(
    "News",
    [
        .clock(.automatic),
        .route("GET /news", responses: [.empty(status: 503, headers: ["Retry-After": "5"]), .json(["news": "sale"])]),
    ]
)

@Suite struct SwiftStoryTests {
    @Test(.backlot(slowShop, transport: .inProcess)) func `a cart that takes 30 seconds`() async throws {
        let server = try BacklotServer.current
        let session = URLSession(configuration: .backlot(server))
        var request = URLRequest(url: server.url.appendingPathComponent("cart"))
        // The test moves the clock, and may get its turn minutes later if many tests run at once.
        request.timeoutInterval = 3_600
        request.setValue("Bearer \(try server.requireToken("access"))", forHTTPHeaderField: "Authorization")
        async let answer = session.data(for: request)
        try await server.waitForRequest(to: "GET /cart")
        server.advance(by: .seconds(30))
        #expect(String(decoding: try await answer.0, as: UTF8.self) == #"{"items":[]}"#)
    }

    @Test(.backlot(busyNews)) func `a client that pauses as long as it is told to`() async throws {
        let server = try BacklotServer.current
        let news = server.url.appendingPathComponent("news")
        let session = URLSession.patient
        let (_, refusal) = try await session.data(from: news)
        #expect((refusal as? HTTPURLResponse)?.statusCode == 503)
        try await server.clock.sleep(for: .seconds(5))
        #expect(String(decoding: try await session.data(from: news).0, as: UTF8.self) == #"{"news":"sale"}"#)
    }
}
