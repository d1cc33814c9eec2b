import ClientServices

/// A service in front of a stub, with all that it stands on.
struct Bench<Service: Sendable>: Sendable {
    let server: StubServer
    let clock = StubClock()
    let store: MemoryTokenStore
    let service: Service
    /// The tokens that the server takes, where it looks at them.
    let taken: ServerTokens

    /// - Parameters:
    ///   - tokens: those in the store; `nil` while nobody is signed in.
    ///   - taken: those that the server takes; the ones in the store unless told otherwise.
    ///   - server: what it says.
    ///   - makeService: makes the service of what it is to stand on.
    init(
        _ tokens: Tokens?,
        taken: Tokens? = nil,
        server: (ServerTokens) -> StubServer,
        service makeService: (StubServer, MemoryTokenStore, StubClock) throws -> Service
    ) rethrows {
        self.taken = ServerTokens(taken ?? tokens ?? .first)
        self.server = server(self.taken)
        store = MemoryTokenStore(tokens)
        service = try makeService(self.server, store, clock)
    }
}

extension Tokens {
    /// What whoever has signed in holds.
    static let first = Tokens(access: "A1", refresh: "R1")
}

/// A service whose session can be watched on a bench.
protocol BenchedService: Sendable {
    var events: AsyncStream<SessionEvent> { get async }

    /// Signs in as whoever the bench's server knows.
    func signInAgain() async throws
}

extension Bench where Service: BenchedService {
    /// What the session tells of some work: all of it, for the sign-in that comes after it is told last.
    func events(of work: () async throws -> Void) async throws -> [SessionEvent] {
        let events = await service.events
        try await work()
        try await service.signInAgain()
        return await events.prefix { $0 != .signedIn }.reduce(into: []) { $0.append($1) }
    }
}
