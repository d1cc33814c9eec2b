struct Dribble: ModelObject {
    var chunks = 0
    var over = Duration.zero

    static let keys = Keys("dribble", "\"dribble\"", "a body in delayed pieces") {
        Key("chunks", \.chunks, .integer(1...100_000), "The number of pieces.").required
        Key("over", \.over, .duration, "The time between the first and the last piece.").required
    }
}
