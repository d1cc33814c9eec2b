extension ObjectShape {
    private static let gateKeys = [
        Key(
            "until",
            .choice([.integer(2...10_000), .text(.oneOf(["released"])), .object(.answered)]),
            "What lets them go: so many held at once, an answer on another route, or a call of the admin API.",
            required: true
        ),
        Key("when", .object(.condition), "What a request must be like to be held."),
        Key(
            "order",
            .text(.oneOf(Gate.Order.allCases.map(\.rawValue))),
            "The order in which they go on; drawn from the seed if not said."
        ),
        Key(
            "decide",
            .text(.oneOf(Gate.Moment.allCases.map(\.rawValue))),
            "Whether a held request is answered by what held when it came, as if not said, or when it goes on."
        ),
        Key("quiet", .text(.duration), "They also go after so much real time without another; 100ms if not said."),
        Key("times", .integer(1...1_000_000), "How often requests are held; once if not said."),
        Key("name", .text(.filled), "What the verdict and the admin API call it."),
        Key("optional", .boolean, "true: the story is judged even if its race was not reached."),
    ]

    static let hold = ObjectShape(
        [
            Key(
                "requests",
                .choice([.text(.route), .list(of: .text(.route), count: 1...Int.max)]),
                "The routes whose requests are held; every route if not said."
            )
        ] + gateKeys
    )

    static let routeHold = ObjectShape(gateKeys)

    static let answered = ObjectShape([
        Key("answered", .text(.route), "The route that must have answered.", required: true),
        Key("status", .statuses, "The statuses that count; any if not said."),
    ])
}
