import StubServing

/// The story's time as a client sees it: its calendar is the story's own.
struct FlowTime: ClientTime {
    let time: JumpingTime
    let server: StubServer

    func now() -> Double { server.moment }

    func sleep(seconds: Double) async throws {
        try await time.sleep(for: .seconds(min(seconds, Self.longest)))
    }

    /// Some ten years; what is longer is meant to be for ever.
    private static let longest = 300_000_000.0
}
