/// The delivery of a body in delayed pieces.
package enum Pacing: Sendable, Hashable {
    case dribble(chunks: Int, over: Duration)
    case bandwidth(bytesPerSecond: Int)
}

struct Dribble: ModelObject {
    var chunks = 0
    var over = Duration.zero

    static let keys = Keys("dribble", "\"dribble\"", "a body in delayed pieces") {
        Key("chunks", \.chunks, .integer(1...100_000), "The number of pieces.").required
        Key("over", \.over, .duration, "The time between the first and the last piece.").required
    }
}

struct Bandwidth: ModelObject {
    var down: Int?
    var up: Int?

    static let keys = Keys("bandwidth", "\"bandwidth\"", "a slow connection") {
        Key("down", \.down, .rate, "The rate at which the response body is sent.")
        Key("up", \.up, .rate)
            .summary("The rate at which the request body is read; allowed only for a whole route or in \"defaults\".")
    }
}
