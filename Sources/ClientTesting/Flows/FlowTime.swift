import StubServing

/// The story's time as a client in a world sees it: its calendar is the story's own.
struct FlowTime: ClientTime {
    let world: World
    let server: StubServer

    func now() -> Double { server.moment }

    func sleep(seconds: Double) async throws { try await world.sleep(for: .pause(seconds)) }
}

/// The same where the server's time is real: a pause of the client's moves the story's clock instead.
struct SocketFlowTime: ClientTime {
    let server: StubServer

    func now() -> Double { server.moment }

    func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        server.advance(by: .pause(seconds))
        await Task.yield()
    }
}
