import HTTPServing

extension JumpingTime {
    /// A server's patience where time jumps: only what the server is told to do ends a connection.
    static let deadlines: Deadlines = {
        let never = Duration.seconds(3_000_000_000)
        return Deadlines(idle: never, head: never, body: never, write: never, lingering: never)
    }()
}
