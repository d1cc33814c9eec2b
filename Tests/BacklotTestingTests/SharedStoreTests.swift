import BacklotTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a client uses a store that other processes use, too.
private enum StoreDesign: CaseIterable, Sendable {
    case noLock, copyInMemory, lockAroundWrite, lockAndReadAgain, compareAndSwap

    var isRight: Bool { self == .lockAndReadAgain || self == .compareAndSwap }
}

/// How a client takes a store that cannot be read.
private enum LockedStart: CaseIterable, Sendable {
    case signsOut, signsInAnew, deletes, waits, polls
}

/// Keeps its tokens in a vault and nowhere else, but for one design.
private struct NotesClient: Sendable {
    let setting: TestSetting
    let design: StoreDesign

    private var vault: TestVault { setting.vault }

    func load(_ path: String) async throws -> Int {
        guard let access = try? vault.read("access") else { return 401 }
        let status = try await get(path, access)
        guard status == 401, let fresh = try await renewed(after: access) else { return status }
        return try await get(path, fresh)
    }

    private func renewed(after access: String) async throws -> String? {
        switch design {
        case .noLock:
            return try write(try await refreshed())
        case .copyInMemory:
            let refresh = setting.tokens["refresh"] ?? ""
            return try await vault.withLock { try write(try await tokens("refresh?token=\(refresh)")) }
        case .lockAroundWrite:
            let tokens = try await refreshed()
            return try await vault.withLock { try write(tokens) }
        case .lockAndReadAgain:
            return try await vault.withLock {
                let stored = try vault.read("access")
                guard stored == access else { return stored }
                return try write(try await refreshed())
            }
        case .compareAndSwap:
            while try vault.read("access") == access {
                let isMine = try vault.update("renewing") { claim in
                    guard claim == nil else { return false }
                    claim = access
                    return true
                }
                if isMine {
                    defer { try? vault.write(nil, to: "renewing") }
                    guard try vault.read("access") == access else { break }
                    return try write(try await refreshed())
                }
                try await setting.clock.sleep(for: .milliseconds(20))
            }
            return try vault.read("access")
        }
    }

    private func write(_ tokens: [String]) throws -> String? {
        guard tokens.count == 2 else {
            // The session is over.
            for key in ["access", "refresh"] { try vault.write(nil, to: key) }
            return nil
        }
        try vault.write(tokens[0], to: "access")
        try vault.write(tokens[1], to: "refresh")
        return tokens[0]
    }

    func signIn() async throws {
        _ = try write(try await tokens("login"))
    }

    private func refreshed() async throws -> [String] {
        try await tokens("refresh?token=\(try vault.read("refresh"))")
    }

    /// Nothing where the server refuses for good.
    private func tokens(_ target: String) async throws -> [String] {
        var request = URLRequest(url: try #require(URL(string: "\(setting.url)/\(target)")))
        request.httpMethod = "POST"
        request.setValue("phone", forHTTPHeaderField: "X-Device")
        let (data, response) = try await setting.send(request)
        if response.statusCode == 401 { return [] }
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        return String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init)
    }

    fileprivate func get(_ path: String, _ access: String) async throws -> Int {
        var request = URLRequest(url: setting.url.appendingPathComponent(path))
        request.setValue("Bearer \(access)", forHTTPHeaderField: "Authorization")
        return try await setting.send(request).1.statusCode
    }

    // MARK: While the phone is locked

    func start(_ way: LockedStart, _ context: FlowContext<NotesClient>) async throws {
        do {
            _ = try vault.read("refresh")
        } catch TestVault.Problem.interactionNotAllowed {
            switch way {
            case .signsOut: return try await context.report("signedOut", true)
            case .signsInAnew:
                await vault.untilAvailable()
                return try await signIn()
            case .deletes:
                for key in ["access", "refresh"] { try vault.write(nil, to: key) }
                return
            case .waits: await vault.untilAvailable()
            case .polls: while !vault.isAvailable { try await setting.clock.sleep(for: .seconds(1)) }
            }
        } catch TestVault.Problem.notFound {
            var request = URLRequest(url: setting.url.appendingPathComponent("notes"))
            request.httpMethod = "GET"
            _ = try await setting.send(request)
            return
        }
        _ = try await load("notes")
    }

    static func underTest(
        _ design: StoreDesign = .lockAndReadAgain,
        flows: [Flow<NotesClient>]
    ) -> ClientUnderTest<NotesClient> {
        ClientUnderTest("Notes", stories: "Shared") { setting in
            NotesClient(setting: setting, design: design)
        } session: { client in
            ObservedSession(tokens: client.vault.items.mapValues { $0 })
        } flows: {
            for flow in flows { flow }
        }
    }
}

@Suite struct `Processes that share a store in one world` {
    private static func copies(_ design: StoreDesign) -> ClientUnderTest<NotesClient> {
        NotesClient.underTest(design, flows: [Flow("SHARED-01") { client, _ in _ = try await client.load("notes") }])
    }

    /// Ten schedules of two to five processes for each design; with `BACKLOT_SCHEDULES=100` it is 1,000, and each ten of
    /// them are to find what is wrong.
    @Test(arguments: StoreDesign.allCases)
    fileprivate func `are blamed where their store is wrong, and never where it is right`(
        _ design: StoreDesign
    ) async throws {
        for round in 1...UInt64(Breadth.factor) {
            var isFound = false
            for (number, schedules) in [(2, 3), (3, 3), (4, 2), (5, 2)] where !isFound {
                let report = try await Self.copies(design).testStories(
                    "SHARED-01",
                    schedules: schedules,
                    processes: number,
                    seed: round * 10_000 + UInt64(number) * 1_000
                )
                if design.isRight { #expect(report.passed, "\(number) processes, round \(round): \(report)") }
                isFound = report.failures.contains { $0.id.hasPrefix("B24") }
            }
            #expect(isFound != design.isRight, "round \(round)")
        }
    }

    /// Each process does something else, and the story freezes one of them.
    @Test(arguments: StoreDesign.allCases)
    fileprivate func `are frozen, started and woken as the story says`(_ design: StoreDesign) async throws {
        let client = NotesClient.underTest(
            design,
            flows: [
                Flow("SHARED-02", process: "app") { client, context in
                    #expect(context.process == "app" && client.setting.process == "app")
                    _ = try await client.load("notes")
                },
                Flow("SHARED-02", process: "extension") { client, _ in _ = try await client.load("profile") },
            ]
        )
        let report = try await client.testStories("SHARED-02")
        let again = try await client.testStories("SHARED-02")
        #expect("\(report)" == "\(again)")
        // The lock of a frozen app holds its extension up, until the system ends the app; the new tokens are lost then.
        let numbers = Set(report.failures.map { $0.id.prefix { $0 != "/" && $0 != " " } })
        switch design {
        case .noLock, .lockAroundWrite, .copyInMemory: #expect(numbers.contains("B24") || !report.passed, "\(report)")
        case .lockAndReadAgain, .compareAndSwap: #expect(!numbers.contains { $0.hasPrefix("B") }, "\(report)")
        }
    }

    @Test func `need a flow for each of them`() async throws {
        let client = NotesClient.underTest(flows: [
            Flow("SHARED-02", process: "app") { client, _ in _ = try await client.load("notes") }
        ])
        let report = try await client.testStories("SHARED-02")
        #expect(
            report.failures.contains { $0.message.contains("the process \"extension\" of the story") },
            "\(report)"
        )
    }

    /// Without a vault it is not known what the second launch has.
    @Test(arguments: [true, false])
    func `are started again after a kill with what the vault holds`(_ hasVault: Bool) async throws {
        let client = NotesClient.underTest(flows: [
            Flow("SHARED-04") { client, _ in
                let access = client.setting.tokens["access"] ?? ""
                _ = try await hasVault ? client.load("notes") : client.get("notes", access)
            }
        ])
        let report = try await client.testStories("SHARED-04")
        #expect(report.failures.map(\.id) == (hasVault ? [] : ["client/no-store"]), "\(report)")
    }

    @Test func `are explored like any other client`() async throws {
        let report = try await Self.copies(.lockAndReadAgain).explore("SHARED-01", runs: 24)
        #expect(report.failures.isEmpty, "\(report)")
    }
}

@Suite struct `A launch with a vault that cannot be read` {
    @Test(arguments: LockedStart.allCases)
    fileprivate func `shows who takes "not now" for "nothing"`(_ way: LockedStart) async throws {
        let client = NotesClient.underTest(flows: [
            Flow("SHARED-03") { client, context in try await client.start(way, context) }
        ])
        let report = try await client.testStories("SHARED-03")
        if way == .waits || way == .polls {
            #expect(report.passed, "\(report)")
        } else {
            #expect(report.failures.contains { $0.id.hasPrefix("B26") }, "\(report)")
        }
    }

    @Test func `is not passed by a client that keeps its tokens elsewhere`() async throws {
        let client = NotesClient.underTest(flows: [
            Flow("SHARED-03") { client, context in
                if context.launch != 2 { _ = try await client.load("notes") }
            }
        ])
        let report = try await client.testStories("SHARED-03")
        #expect(report.failures.contains { $0.id == "client/no-store" }, "\(report)")
    }
}
