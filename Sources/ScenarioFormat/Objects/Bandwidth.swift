struct Bandwidth: ModelObject {
    var down: Int?
    var up: Int?

    static let keys = Keys("bandwidth", "\"bandwidth\"", "a slow connection") {
        Key("down", \.down, .rate, "The rate at which the response body is sent.")
        Key("up", \.up, .rate)
            .summary("The rate at which the request body is read; allowed only for a whole route or in \"defaults\".")
    }
}
