import BacklotTesting
import Basics
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client with completion handlers of a `URLSession`, which no task of a story owns.
private final class HandlerNotes: Sendable {
    typealias Completion = @Sendable (Int) -> Void

    let vault: TestVault
    private let session: URLSession
    private let url: URL
    /// The requests that wait for new tokens.
    private let waiting = Lock<[@Sendable (Bool) -> Void]>([])

    init(_ setting: TestSetting) {
        vault = setting.vault
        session = URLSession(configuration: setting.configuration)
        url = setting.url
    }

    /// Loads a path, with new tokens if the stored ones have expired.
    func load(_ path: String, completion: @escaping Completion) {
        let access = (try? vault.read("access")) ?? ""
        send("GET", path, access) { [self] status, _ in
            guard status == 401 else { return completion(status) }
            let isStale = (try? vault.read("access")) != access
            if isStale { return load(path, completion: completion) }
            renew { [self] isRenewed in
                if isRenewed { load(path, completion: completion) } else { completion(401) }
            }
        }
    }

    /// Refreshes once for all requests that wait.
    private func renew(then next: @escaping @Sendable (Bool) -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(next)
            return waiting.count == 1
        }
        guard isFirst else { return }
        let refresh = (try? vault.read("refresh")) ?? ""
        send("POST", "refresh?token=\(refresh)", "") { [self] status, text in
            let tokens = text.split(separator: " ").map(String.init)
            if status == 200, tokens.count == 2 {
                try? vault.write(tokens[0], to: "access")
                try? vault.write(tokens[1], to: "refresh")
            }
            let ready = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for next in ready { next(status == 200) }
        }
    }

    private func send(
        _ method: String,
        _ target: String,
        _ access: String,
        completion: @escaping @Sendable (Int, String) -> Void
    ) {
        guard let url = URL(string: "\(url)/\(target)") else { return completion(0, "") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("phone", forHTTPHeaderField: "X-Device")
        if !access.isEmpty { request.setValue("Bearer \(access)", forHTTPHeaderField: "Authorization") }
        session.dataTask(with: request) { data, response, _ in
            completion((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data ?? Data(), as: UTF8.self))
        }.resume()
    }
}

@Suite struct `A client with completion handlers` {
    private static func status(of start: (@escaping HandlerNotes.Completion) -> Void) async -> Int {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
    }

    @Test func `does nothing more when it was killed`() async throws {
        let client = ClientUnderTest("Notes", stories: "Shared") { setting in
            HandlerNotes(setting)
        } session: { client in
            ObservedSession(tokens: client.vault.items.mapValues { $0 })
        } flows: {
            Flow("SHARED-05") { client, _ in
                async let notes = Self.status { client.load("notes", completion: $0) }
                async let profile = Self.status { client.load("profile", completion: $0) }
                _ = await (notes, profile)
            }
        }
        let report = try await client.testStories("SHARED-05", schedules: 8)
        #expect(report.passed, "\(report)")
    }
}
