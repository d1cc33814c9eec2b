import HTTPServing

extension StoryTime {
    /// A server's patience where time jumps: only what a story says may end a connection.
    static let deadlines: Deadlines = {
        let never = Duration.seconds(3_000_000_000)
        return Deadlines(idle: never, head: never, body: never, write: never, lingering: never)
    }()
}
