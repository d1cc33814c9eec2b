import BacklotTestServer
import Testing

extension ShopClient {
    init(of server: BacklotServer) throws {
        let (access, refresh) = try (server.requireToken("access"), server.requireToken("refresh"))
        self.init(baseURL: server.url, access: access, refresh: refresh)
    }
}

/// The first test of README.md, which fails.
@Suite(.records("[B2 refresh-storm]")) struct ShopTests {
    @Test(.backlot("Scenarios/shop/expired.json"))
    func `five orders load with an expired token`() async throws {
        let client = try ShopClient(of: .current)
        try await withThrowingTaskGroup(of: ShopClient.Order.self) { group in
            for id in 1...5 { group.addTask { try await client.order(id) } }
            for try await order in group { #expect(order.paid) }
        }
    }
}
