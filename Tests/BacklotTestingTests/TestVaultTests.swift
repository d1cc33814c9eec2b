import BacklotTesting
import Testing

@Suite struct `A test vault` {
    @Test func `fails as a keychain does, and holds what it held`() throws {
        let vault = TestVault(["refresh": "r-1"])
        #expect(try vault.read("refresh") == "r-1")
        #expect(throws: TestVault.Problem.notFound) { try vault.read("access") }
        vault.condition = .locked
        #expect(throws: TestVault.Problem.interactionNotAllowed) { try vault.read("refresh") }
        #expect(throws: TestVault.Problem.interactionNotAllowed) { try vault.write("r-2", to: "refresh") }
        // The keychain of a prewarmed app does not tell the truth.
        vault.condition = .prewarming
        #expect(throws: TestVault.Problem.notFound) { try vault.read("refresh") }
        #expect(!vault.isAvailable)
        vault.condition = .readOnly
        #expect(try vault.read("refresh") == "r-1")
        #expect(throws: TestVault.Problem.notAvailable) { try vault.write("r-2", to: "refresh") }
        #expect(vault.items == ["refresh": "r-1"])
    }

    @Test func `survives an uninstall, which the settings do not`() throws {
        let vault = TestVault(["refresh": "r-1"])
        vault.settings = ["hasStarted": "true"]
        vault.reinstallApp()
        #expect(vault.settings == [:])
        #expect(try vault.read("refresh") == "r-1")
    }

    @Test(arguments: TestVault.Condition.unreadable)
    func `shows which client takes "not now" for "nothing"`(_ condition: TestVault.Condition) async {
        func left(by start: @Sendable (TestVault) async -> String?) async -> (token: String?, deletions: [String]) {
            let vault = TestVault(["refresh": "r-1"])
            vault.condition = condition
            async let token = start(vault)
            vault.condition = .available
            return (await token, vault.deletions)
        }
        let eager = await left { vault in
            try? vault.write(nil, to: "refresh")
            return nil
        }
        #expect(eager.deletions == ["refresh"])
        let patient = await left { vault in
            await vault.untilAvailable()
            return try? vault.read("refresh")
        }
        #expect(patient.token == "r-1" && patient.deletions.isEmpty)
    }

    @Test func `lets one client at a time update an item`() throws {
        let vault = TestVault(["lease": "free"])
        func claims(_ name: String) throws -> Bool {
            try vault.update("lease") { lease in
                guard lease == "free" else { return false }
                lease = name
                return true
            }
        }
        #expect(try claims("app"))
        #expect(try !claims("extension"))
        #expect(vault.items == ["lease": "app"])
        vault.condition = .readOnly
        #expect(throws: TestVault.Problem.notAvailable) { try vault.update("lease") { $0 = "free" } }
    }
}

extension TestVault.Condition {
    fileprivate static let unreadable: [Self] = [.locked, .prewarming]
}
