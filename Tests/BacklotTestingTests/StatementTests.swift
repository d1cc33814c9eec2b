import Basics
import Foundation
import TestSupport
import Testing

@testable import BacklotTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an adapter may say of its client, each with a client that fails without it.
@Suite struct `A statement about a client` {
    @Test func `names a member that the client can do without`() async throws {
        let strict = try await pets { try await $0.pet() }.testResponseVariants()
        #expect(strict.failures.map(\.id) == ["variants/accepted-illegal"], "\(strict)")
        #expect(strict.failures.first?.message.contains("/name is missing") == true)
        let tolerant = try await pets(tolerating: "name") { try await $0.pet() }.testResponseVariants()
        #expect(tolerant.passed, "\(tolerant)")
    }

    @Test func `names what a call asks for besides`() async throws {
        let alone = try await pets { try await $0.petAfterList() }.testDocumentedResponses()
        #expect(Set(alone.failures.map(\.id)) == ["responses/wrong-operation"], "\(alone)")
        let accompanied = try await pets(with: "listPets") { try await $0.petAfterList() }.testDocumentedResponses()
        #expect(accompanied.passed, "\(accompanied)")
    }

    @Test func `finds the decoder's error in the client's own`() async throws {
        let heavy = pets(tolerating: "name") { try await $0.heavyPet() }
        let hidden = try await heavy.testResponseVariants()
        let found = try await heavy.findingDecodingError { ($0 as? UnreadablePet)?.reason }.testResponseVariants()
        for (report, isFound) in [(hidden, false), (found, true)] {
            let refused = report.failures.filter { $0.id == "variants/refused-variant" }
            #expect(
                !refused.isEmpty
                    && refused.allSatisfy { $0.message.contains("the decoder stops at /weight") == isFound },
                "\(report)"
            )
        }
    }

    @Test func `is warned of a call that decodes errors like pets`() async throws {
        let report = try await pets { try await $0.petUnchecked() }.testDocumentedResponses()
        let warnings = report.findings.filter { $0.id == "responses/undecoded-refusal" }
        #expect(warnings.count == 1 && warnings.first?.severity == .warning, "\(report)")
        let words = "getPet throws DecodingError, because / does not contain id, for an error response"
        #expect(warnings.first?.message.contains(words) == true, "\(warnings)")
    }

    @Test(arguments: [
        ("http://127.0.0.1:9/a", false), ("https://LOCALHOST/a", false), ("http://[::1]:80/", false),
        ("http://call-1.invalid/a", false), ("http://127.example.com/a", true), ("https://example.com", true),
        ("http://192.168.1.7/a", true),
    ])
    func `tells this machine from others`(url: String, isOther: Bool) throws {
        #expect(try #require(URL(string: url)).isOnOtherHost == isOther)
    }

    @Test(arguments: ["send", "session", "configuration"]) func `reaches no other machine`(way: String) async throws {
        let report = try await pets { try await $0.petAndUpload(by: way) }.testDocumentedResponses()
        let words = "threw URLError(-1004) for bucket.example.com, where the test has no server"
        #expect(report.failures.contains { $0.subject == "getPet 200" && $0.message.contains(words) }, "\(report)")
    }

    @Test func `names the statuses that end a session`() async throws {
        let usual = try await pets { try await $0.pet() }.testDocumentedResponses()
        #expect(usual.passed, "\(usual)")
        let other = try await pets { try await $0.pet() }.sessionStatuses(expired: [419], ending: [419])
            .testDocumentedResponses()
        #expect(other.failures.contains { $0.subject == "getPet 401" }, "\(other)")
    }

    @Test func `advises a call that loads all pages to load one page`() async throws {
        let client = ClientUnderTest<TersePets>("Terse", contract: "Guide/Contracts/pets/openapi.json") { setting in
            TersePets(setting)
        } session: { client in
            ObservedSession(tokens: client.tokens)
        } calls: {
            Call("listPets") { (client: TersePets) in try await client.allPets() }
        }
        let report = try await client.testDocumentedResponses()
        let endless = report.failures.filter { $0.id == "responses/loop" }
        #expect(!endless.isEmpty && endless.allSatisfy { $0.message.contains("loads one page") }, "\(report)")
        let variants = try await client.testResponseVariants(of: "listPets")
        #expect(variants.failures.first?.message.contains("loads one page") == true, "\(variants)")
    }

    @Test func `says once that a call sends no request and never returns`() async throws {
        let client = pets { _ -> Int in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return 1
        }
        let report = try await client.testDocumentedResponses()
        let hangs = report.failures.filter { $0.id == "responses/hang" }.map(\.message)
        #expect(
            hangs == [
                "getPet never returned, although it had sent no request and no pause was pending",
                "getPet, with no server listening, never returned, although no request or pause was pending",
            ],
            "\(report)"
        )
    }

    @Test func `blames no response for a call that sends no request`() async throws {
        let report = try await pets { _ -> Int in 1 }.testDocumentedResponses()
        #expect(
            report.failures.filter { $0.subject != "getPet refused" }.map(\.id) == ["responses/no-request"],
            "\(report)"
        )
    }

    @Test(arguments: [
        ("Idempotency-Key", ["1", "1"], false), ("X-Idempotency-Key", ["1", "1"], false),
        ("Idempotency-Key", ["1", "2"], true), ("X-Other", ["1", "1"], true),
        ("/requestId", ["1", "1"], false), ("/requestId", ["1", "2"], true),
    ])
    func `may send a POST again with its idempotency key`(_ field: String, _ keys: [String], isFault: Bool) async throws
    {
        let client = ClientUnderTest<TersePets>("Terse", contract: "Guide/Contracts/pets/openapi.json") { setting in
            TersePets(setting)
        } session: { client in
            ObservedSession(tokens: client.tokens)
        } calls: {
            Call("addPet") { try await $0.add(field, keys) }
        }
        let report = try await client.testDocumentedResponses()
        #expect(report.failures.contains { $0.id == "responses/sent-twice" } == isFault, "\(report)")
    }

    /// A refresh token in a header field is granted like one in the body.
    @Test(arguments: [true, false]) func `stores a token from a header field`(isStored: Bool) async throws {
        let folder = try TemporaryFolder()
        let report = try await HeaderClient.underTest(isStored: isStored, in: folder).testDocumentedResponses()
        #expect(report.passed == isStored, "\(report)")
    }

    /// What cannot be read is left out, so that a client could only pass.
    @Test(arguments: [
        (#""accessToken": { "type": "string" }"#, #""accessToken": { "type": "strng" }"#, "invalid-keyword"),
        (#""accessToken": { "type": "string" }"#, ##""accessToken": { "$ref": "#/Token" }"##, "unresolvable-reference"),
        (
            #""paths": { "#,
            #""paths": { "/a": { "get": { "operationId": "signIn", "responses": { "204": { "description": "A" } } } }, "#,
            "duplicate-operation-id"
        ),
    ])
    func `is not tried where the contract is wrong`(right: String, wrong: String, id: String) async throws {
        let folder = try TemporaryFolder()
        let client = try HeaderClient.underTest(
            isStored: true,
            in: folder,
            contract: HeaderClient.contract.replacingOccurrences(of: right, with: wrong)
        )
        for report in [try await client.testDocumentedResponses(), try await client.testResponseVariants()] {
            let found = report.failures.filter { $0.id == "contract/\(id)" }
            #expect(found.count == 1 && found.allSatisfy { $0.line != nil }, "\(report)")
        }
    }

    @Test func `names a misspelt token once`() async throws {
        let client = ClientUnderTest<TersePets>("Terse", contract: "Guide/Contracts/pets/openapi.json") { setting in
            TersePets(setting)
        } session: { client in
            ObservedSession(tokens: [
                "acces": client.tokens["access"] ?? nil, "refresh": client.tokens["refresh"] ?? nil,
            ])
        } calls: {
            Call("getPet") { try await $0.pet() }
        }
        let report = try await client.testDocumentedResponses()
        #expect(report.failures.map(\.id) == ["responses/unknown-token"], "\(report)")
        #expect(
            report.failures.first?.message
                == "the client's session has a token \"acces\", but the tokens of this client are \"access\" and \"refresh\""
        )
        #expect(report.failures.first?.advice == "did you mean \"access\"?")
    }

    @Test func `reports a flow for a story that does not exist at the line of the flow`() async throws {
        let flow = Flow<PetsOfABeginner>("PET-9") { _, _ in }
        let report = try await PetsOfABeginner.underTest(contract: nil, stories: "Guide/Scenarios/pets", flows: [flow])
            .testStories()
        let stray = try #require(report.failures.first { $0.id == "story/unknown" })
        #expect(stray.message == "PET-9 has a flow but is not a story of this folder")
        let issue = report.recordedIssues.first { $0.comments.first?.rawValue.contains("PET-9") == true }
        #expect(issue?.sourceLocation?.line == flow.location.line)
    }

    @Test func `shows a warning that fails no test`() async throws {
        let report = try await pets(tolerating: "kind", { try await $0.petWithName() }).testResponseVariants()
        #expect(report.passed && report.findings.map(\.severity) == [.warning], "\(report)")
        let issues = report.recordedIssues
        #expect(issues.map(\.severity) == [.warning])
        let text = issues.first?.comments.first?.rawValue ?? ""
        #expect(text.hasPrefix("1 warning in the response variants of Terse:\n  "), "\(text)")
    }

    @Test func `reports unknown and repeated operations at the line of the call`() async throws {
        let client = ClientUnderTest<TersePets>("Terse", contract: "Guide/Contracts/pets/openapi.json") { setting in
            TersePets(setting)
        } session: { client in
            ObservedSession(tokens: client.tokens)
        } calls: {
            Call("getPet") { try await $0.pet() }
            Call("getPet") { try await $0.petAfterList() }
            Call("getPets") { try await $0.pet() }
        }
        let report = try await client.testDocumentedResponses()
        let issues = report.recordedIssues
        for (words, distance) in [
            ("getPet is adapted more than once", 11), ("getPets is adapted but is not an operation", 9),
        ] {
            let issue = issues.first { $0.comments.first?.rawValue.contains(words) == true }
            #expect(issue?.sourceLocation?.fileName == "StatementTests.swift", "\(words)")
            #expect(issue?.sourceLocation?.line == #line - distance, "\(words)")
        }
    }

    private func pets<Value: Encodable & Sendable>(
        tolerating place: String? = nil,
        with other: String? = nil,
        _ ask: @escaping @Sendable (TersePets) async throws -> Value
    ) -> ClientUnderTest<TersePets> {
        ClientUnderTest("Terse", contract: "Guide/Contracts/pets/openapi.json") { setting in
            TersePets(setting)
        } session: { client in
            ObservedSession(tokens: client.tokens)
        } calls: {
            let call = Call("getPet") { (client: TersePets) in try await ask(client) }
            if let place { call.tolerating(place, because: "an old server leaves it out") }
            if let other { call.accompanied(by: other) }
            if place == nil, other == nil { call }
        }
    }
}

/// Signs in at a server that grants its refresh token in a header field.
private final class HeaderClient: Sendable {
    static let contract = """
        {
          "openapi": "3.1.0", "info": { "title": "Header", "version": "1" },
          "paths": { "/session": { "post": { "operationId": "signIn", "responses": { "200": {
            "description": "Signed in",
            "headers": { "X-Refresh-Token": { "required": true, "schema": { "type": "string", "minLength": 12 } } },
            "content": { "application/json": { "schema": {
              "type": "object", "required": ["accessToken"], "properties": { "accessToken": { "type": "string" } }
            } } }
          } } } } }
        }
        """

    private struct Grant: Codable { var accessToken: String }

    static func underTest(
        isStored: Bool,
        in folder: TemporaryFolder,
        contract: String = contract
    ) throws -> ClientUnderTest<HeaderClient> {
        try folder.write(contract, to: "openapi.json")
        return ClientUnderTest("Header", contract: folder.path + "/openapi.json") { setting in
            HeaderClient(setting, isStored: isStored)
        } session: { client in
            ObservedSession(tokens: client.tokens.withLock { $0.mapValues(\.self) })
        } calls: {
            Call("signIn", .signIn) { try await $0.signIn() }
        }
    }

    private let setting: TestSetting
    private let isStored: Bool
    let tokens: Lock<[String: String]>

    init(_ setting: TestSetting, isStored: Bool) {
        (self.setting, self.isStored) = (setting, isStored)
        tokens = Lock(setting.tokens)
    }

    func signIn() async throws -> some Encodable & Sendable {
        var request = URLRequest(url: setting.url.appendingPathComponent("session"))
        request.httpMethod = "POST"
        let (data, response) = try await setting.send(request)
        let grant = try JSONDecoder().decode(Grant.self, from: data)
        let refresh = response.value(forHTTPHeaderField: "X-Refresh-Token") ?? ""
        tokens.withLock { $0 = ["access": grant.accessToken, "refresh": isStored ? refresh : "another token"] }
        return grant
    }
}

private struct UnreadablePet: Error { var reason: DecodingError }

/// Asks for pets, and forgets its tokens when one is refused.
private final class TersePets: Sendable {
    struct Pet: Codable, Sendable {
        var id: Int64
        var name: String?
        var kind: String
        var weight: Double?
        var born: String?
    }

    private let setting: TestSetting
    private let stored: Lock<[String: String]>

    init(_ setting: TestSetting) {
        self.setting = setting
        stored = Lock(setting.tokens)
    }

    var tokens: [String: String?] { stored.withLock { $0.mapValues(\.self) } }

    func pet() async throws -> Pet { try JSONDecoder().decode(Pet.self, from: await get("pets/7")) }

    func petUnchecked() async throws -> Pet {
        var request = URLRequest(url: setting.url.appendingPathComponent("pets/7"))
        request.setValue("Bearer \(stored.withLock { $0["access"] ?? "" })", forHTTPHeaderField: "Authorization")
        return try JSONDecoder().decode(Pet.self, from: await setting.send(request).0)
    }

    /// Loads a pet, and uploads a picture to where its address would say.
    func petAndUpload(by way: String) async throws -> Pet {
        let pet = try await pet()
        guard let url = URL(string: "https://bucket.example.com/picture") else { return pet }
        switch way {
        case "session": _ = try await setting.session.data(for: URLRequest(url: url))
        case "configuration":
            _ = try await URLSession(configuration: setting.configuration).data(for: URLRequest(url: url))
        default: _ = try await setting.send(URLRequest(url: url))
        }
        return pet
    }

    /// Sends a pet, and sends it again with the next key if the connection is lost; the key's field may be a member of the
    /// body.
    func add(_ field: String, _ keys: [String]) async throws -> Pet {
        var lost: (any Error)?
        for key in keys {
            var request = URLRequest(url: setting.url.appendingPathComponent("pets"))
            request.httpMethod = "POST"
            let isInBody = field.hasPrefix("/")
            let member = isInBody ? #", "\#(field.dropFirst())": "\#(key)""# : ""
            request.httpBody = Data(#"{"name": "Flapp", "kind": "dog"\#(member)}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            if !isInBody { request.setValue(key, forHTTPHeaderField: field) }
            request.setValue("Bearer \(stored.withLock { $0["access"] ?? "" })", forHTTPHeaderField: "Authorization")
            do {
                let (data, response) = try await setting.send(request)
                if response.statusCode == 401 { stored.withLock { $0 = [:] } }
                guard response.statusCode == 201 else { throw URLError(.badServerResponse) }
                return try JSONDecoder().decode(Pet.self, from: data)
            } catch let error as URLError where error.code == .networkConnectionLost {
                lost = error
            }
        }
        throw lost ?? URLError(.unknown)
    }

    /// A pet with everything that the contract requires.
    func petWithName() async throws -> Pet {
        let pet = try await pet()
        guard pet.name != nil else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "a pet without a name")
            throw DecodingError.dataCorrupted(context)
        }
        return pet
    }

    func petAfterList() async throws -> Pet {
        _ = try await get("pets")
        return try await pet()
    }

    /// Takes every pet to have a weight.
    func heavyPet() async throws -> Pet {
        struct Weight: Decodable { var weight: Double }
        let data = try await get("pets/7")
        do {
            _ = try JSONDecoder().decode(Weight.self, from: data)
            return try JSONDecoder().decode(Pet.self, from: data)
        } catch let error as DecodingError {
            throw UnreadablePet(reason: error)
        }
    }

    /// Loads pages until one names no further page.
    func allPets() async throws {
        var query = ""
        while true {
            _ = try await get("pets", query)
            query = "?after=7"
        }
    }

    private func get(_ path: String, _ query: String = "") async throws -> Data {
        let url = setting.url.appendingPathComponent(path)
        var request = URLRequest(url: URL(string: url.absoluteString + query) ?? url)
        if let token = stored.withLock({ $0["access"] }) {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await setting.send(request)
        if response.statusCode == 401 { stored.withLock { $0 = [:] } }
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
    }
}
