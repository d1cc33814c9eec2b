import BacklotTestServer
import BacklotTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension PetsClient {
    /// A client that was signed in before, with the tokens that the story has given it.
    init(of server: BacklotServer, session: URLSession = .shared) throws {
        self.init(
            baseURL: server.url,
            access: try server.requireToken("access"),
            refresh: try server.requireToken("refresh"),
            session: session
        )
    }
}

@Suite struct PetsTests {
    @Test(.backlot("Scenarios/pets/expired.json")) func `an expired access token is renewed once`() async throws {
        let client = try PetsClient(of: .current)
        async let first = client.pets()
        async let second = client.pets()
        #expect(try await first == second)
    }

    @Test func `a refresh token that expired two weeks ago signs the user out`() async throws {
        let server = try await BacklotServer(
            story: .file("Scenarios/pets/backend.json").with([.signedIn("phone", ago: .days(44))])
        )
        await #expect(throws: PetsClient.SignedOut.self) { try await PetsClient(of: server).pets() }
        await server.recordIssues()
    }

    @Test(.backlot("Scenarios/pets/expired.json", transport: .inProcess))
    func `the same without a port`() async throws {
        let server = try BacklotServer.current
        let client = try PetsClient(of: server, session: URLSession(configuration: .backlot(server)))
        #expect(try await client.pets().count == 2)
    }

    @Test(.backlot(.file("Scenarios/pets/backend.json").with([.signedIn("phone", ago: .days(0))])))
    func `a session that lasts three months`() async throws {
        let server = try BacklotServer.current
        let client = try PetsClient(of: server, session: URLSession(configuration: .backlot(server)))
        for _ in 1...12 {
            server.advance(by: .days(7))
            #expect(try await client.pets().count == 2)
        }
        #expect(server.journal.filter { $0.route == "POST /refresh" }.count == 12)
    }
}

@Suite struct ContractTests {
    @Test(.backlot(documentedPets, contracts: .openAPI)) func `a pet is added as documented`() async throws {
        #expect(try await PetsClient(of: .current).add("Hansi").name == "Hansi")
    }
}

@Suite(.backlot("Scenarios/pets/expired.json")) struct NamesTests {
    @Test(arguments: ["Miez", "Bello", "Hansi"]) func `a pet is added under its name`(name: String) async throws {
        let pet = try await PetsClient(of: .current).add(name)
        _ = try await PetsClient(of: .current).pets()
        #expect(pet.name == name)
    }
}
