package import JSON

/// A place where requests wait for each other, so that a race is a fact and not luck.
package struct Gate: Sendable {
    /// What lets the held requests go.
    package enum Opening: Sendable {
        /// So many are held at once.
        case inFlight(Int)
        /// An exchange of another route has been answered, with one of these statuses where any is named.
        case answered(route: String, statuses: [Int])
        /// Somebody says so through the admin API.
        case released
    }

    /// The order in which held requests go on.
    package enum Order: String, Sendable, CaseIterable {
        case arrival
        case reversed
        /// Drawn from the session's seed; another seed is another schedule.
        case seeded
    }

    /// When a held request is decided.
    package enum Moment: String, Sendable, CaseIterable {
        /// At once; only its response is held.
        case arrival
        /// When it goes on, by what the session is like then.
        case release
    }

    /// How people call it: its own name, or `gate 1`.
    package var name: String
    /// The keys of the routes that it holds; empty for every route.
    package var routes: [String]
    /// What a request must be like to be held.
    package var condition: Condition?
    package var opening: Opening
    package var order: Order
    package var moment: Moment
    /// It opens by itself when so much real time has passed without a request coming to it.
    package var quiet: Duration
    /// How often it closes; afterwards everything passes.
    package var times: Int
    /// Whether the story is judged even if its race was not reached.
    package var isOptional: Bool
    package var position: JSONPosition

    /// How long a gate waits in vain unless told otherwise.
    package static let defaultQuiet = Duration.milliseconds(100)

    package init(
        name: String,
        routes: [String] = [],
        condition: Condition? = nil,
        opening: Opening,
        order: Order = .seeded,
        moment: Moment = .arrival,
        quiet: Duration = Gate.defaultQuiet,
        times: Int = 1,
        isOptional: Bool = false,
        position: JSONPosition = .unknown
    ) {
        self.name = name
        self.routes = routes
        self.condition = condition
        self.opening = opening
        self.order = order
        self.moment = moment
        self.quiet = quiet
        self.times = times
        self.isOptional = isOptional
        self.position = position
    }
}
