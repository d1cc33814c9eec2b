import Basics
import Checking
import HTTPCodec
import JSON
import OpenAPI
import Reports
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// The four backends as a live server that `verify` judges with the credentials of somebody who has signed in.
@Suite struct `Verifying one of the four backends` {
    private static let backends = ["kiwit", "runwithu", "smeem", "whipit"]

    /// Plays a backend, signs in, and verifies it by its contract.
    private func verify(
        _ backend: String,
        _ configure: (inout VerificationOptions, Contract) -> Void = { _, _ in },
        token: String? = nil,
        _ judge: (Report, Stub, _ before: [JSONValue]) throws -> Void
    ) async throws {
        let library = try ScenarioLibrary("\(Project.scenarios)/\(backend)/backend.json")
        let files = DiskFiles()
        let path = "\(Project.folder)/Contracts/\(backend)/openapi.json"
        let project = try #require(ProjectRoot(enclosing: path, files: files))
        let contract = try ContractLoader(files: files, project: project).load(path)
        try await withStub(library) { stub in
            try stub.admin(.post, "events", ["signIn": "phone"])
            let tokens = try stub.admin(.get, "tokens")["devices"]?.array?.first?["tokens"]?.array ?? []
            let values = tokens.compactMap { $0["value"]?.string }
            try #require(values.count == 2)
            let access = token ?? values[0]
            let environment = [
                "BACKLOT_TOKEN": access, "BACKLOT_APIKEY_ACCESSTOKEN": access,
                "BACKLOT_APIKEY_REFRESHTOKEN": values[1], "BACKLOT_APIKEY_APPKEY": "whipit-key",
                "BACKLOT_APIKEY_SERVICEKEY": "runwithu-key",
            ]
            var options = VerificationOptions()
            configure(&options, contract)
            let before = try data(of: stub)
            let report = try Verification(
                of: contract,
                against: try ServerURL("http://127.0.0.1:\(stub.port)"),
                options: options,
                credentials: VerificationCredentials(environment: environment),
                pause: { _ in }
            )
            .run().report
            try judge(report, stub, before)
        }
    }

    /// Every collection with its items, accounts among them.
    private func data(of stub: Stub) throws -> [JSONValue] {
        let names = try stub.admin(.get, "collections")["collections"]?.array?.compactMap { $0["name"]?.string } ?? []
        try #require(names.contains("accounts"))
        return try names.map { name in
            var collection = try stub.admin(.get, "collections/\(name)").object ?? [:]
            collection["now"] = nil
            return .object(collection)
        }
    }

    /// What the requests of a run were for.
    private func requests(to stub: Stub) throws -> [String] {
        let exchanges = try stub.admin(.get, "journal")["exchanges"]?.array ?? []
        return exchanges.map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")" }
    }

    @Test(arguments: backends)
    func `changes nothing and sends nothing that changes something`(backend: String) async throws {
        try await verify(backend) { report, stub, before in
            #expect(try data(of: stub) == before)
            let requests = try requests(to: stub)
            #expect(requests.count > 5)
            let reading: Set = ["POST /validation/email", "POST /v1/validation/email"]
            let changing = requests.filter { !$0.hasPrefix("GET ") && !reading.contains($0) }
            #expect(changing == [])
            for path in ["/withdraw", "/v1/users/withdraw", "/refresh", "/v1/auth/refresh", "/api/v2/test/alarm"] {
                #expect(!requests.contains("GET \(path)"))
            }
            #expect(report.verdict == .held)
        }
    }

    @Test(arguments: backends)
    func `leaves alone what was there before, even with writes`(backend: String) async throws {
        try await verify(backend, { options, _ in options.allowsWrites = true }) { report, stub, before in
            let requests = try requests(to: stub)
            #expect(requests.contains { $0.hasPrefix("POST ") })
            let after = try data(of: stub)
            for (old, new) in zip(before, after) where old["name"]?.string == "accounts" {
                let accounts = new["items"]?.array ?? []
                for account in old["items"]?.array ?? [] { #expect(accounts.contains(account)) }
            }
            for path in ["/withdraw", "/v1/users/withdraw"] { #expect(!requests.contains("GET \(path)")) }
            let deleted = requests.filter { $0.hasPrefix("DELETE ") }
            #expect(deleted.count <= requests.count { $0.hasPrefix("POST ") })
            #expect(report.verdict == .held)
        }
    }

    @Test(arguments: backends)
    func `judges nothing of what an unknown token is refused`(backend: String) async throws {
        func secured(_ options: inout VerificationOptions, _ contract: Contract) {
            options.operationIDs = contract.operations.filter { !$0.security.isEmpty }.compactMap(\.operationID)
        }
        try await verify(backend, secured, token: "unknown") { report, stub, _ in
            let requests = try requests(to: stub)
            #expect(requests.count > 5)
            // What asks for the app's key only needs no token.
            let held = report.checks.filter { report.outcome(of: $0) != .skipped }.map(\.name)
            #expect(held == [])
            #expect(report.verdict == .nothingChecked)
        }
    }
}
