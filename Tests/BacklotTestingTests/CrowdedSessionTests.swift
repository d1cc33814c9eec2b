import BacklotTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many calls side by side, as every check of variants has them; Foundation ends the process when it is answered on the wrong queue.
@Suite struct `A session that many calls share` {
    @Test func `answers all of them`() async throws {
        let crowd = ClientUnderTest("Crowd", contract: "Guide/Contracts/pets/openapi.json") { setting in
            Crowd(url: setting.url, session: setting.session)
        } session: { _ in
            ObservedSession(tokens: ["access": "stored-access", "refresh": "stored-refresh"])
        } calls: {
            Call("listPets") { try await $0.ask(20) }
        }
        let report = try await crowd.testResponseVariants(of: "listPets")
        #expect(report.failures.allSatisfy { $0.id != "variants/not-sent" }, "\(report)")
        #expect(report.checkCount > 0)
    }
}

private struct Crowd: Sendable {
    let url: URL
    let session: URLSession

    func ask(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { _ = try await session.data(for: URLRequest(url: url.appendingPathComponent("login"))) }
            }
            try await group.waitForAll()
        }
        _ = try await session.data(for: URLRequest(url: url.appendingPathComponent("pets")))
    }
}
