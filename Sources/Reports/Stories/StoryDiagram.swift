/// The content of a sequence diagram: the clients, times and tokens of exchanges.
package struct StoryDiagram: Sendable {
    /// A client's line: a device, or requests without one.
    package struct Lifeline: Sendable, Hashable {
        package var name: String
        package var account: String?

        package init(name: String, account: String? = nil) {
            self.name = name
            self.account = account
        }
    }

    /// A token that was sent or granted.
    package struct Chip: Sendable, Hashable {
        /// `access-2`.
        package var id: String
        /// `expired`; empty for a new one that was granted, `stored` for one that the client should know.
        package var state: String
        /// Seconds of virtual time; `nil` for a token that the server does not know.
        package var age: Double?
        package var timeLeft: Double?
        /// The kind that should have been brought instead of this one.
        package var wanted: String?

        package init(id: String, state: String = "", age: Double? = nil, timeLeft: Double? = nil) {
            self.id = id
            self.state = state
            self.age = age
            self.timeLeft = timeLeft
        }
    }

    /// A request and its response.
    package struct Exchange: Sendable {
        package var number: Int
        /// An index into ``StoryDiagram/lifelines``.
        package var lifeline: Int
        /// The other server that was asked; `nil` for the backend itself.
        package var origin: String?
        /// Seconds of virtual time since the start.
        package var time: Double
        /// Real milliseconds since the first exchange, and until the end of this one.
        package var moment: Double
        package var duration: Double?
        package var method: String
        package var target: String
        package var status: Int
        /// The connection failure, if any.
        package var fault: String?
        package var brought: [Chip] = []
        package var granted: [Chip] = []
        /// The gate that held it.
        package var gate: String?
        package var request: Message
        package var response: Message

        package init(
            number: Int,
            lifeline: Int,
            time: Double,
            moment: Double,
            method: String,
            target: String,
            status: Int,
            request: Message,
            response: Message
        ) {
            self.number = number
            self.lifeline = lifeline
            self.time = time
            self.moment = moment
            self.method = method
            self.target = target
            self.status = status
            self.request = request
            self.response = response
        }
    }

    /// Header fields in their order, and a body as text; secrets are shortened by the writer of the report.
    package struct Message: Sendable {
        package var fields: [(name: String, value: String)]
        /// The beginning of the body, which is mostly all of it.
        package var body: String
        /// The number of omitted body bytes.
        package var omitted: Int

        package init(fields: [(name: String, value: String)] = [], body: String = "", omitted: Int = 0) {
            self.fields = fields
            self.body = body
            self.omitted = omitted
        }
    }

    /// The lifetime of a token.
    package struct Lifetime: Sendable {
        /// `access-2`.
        package var id: String
        package var kind: String
        /// An index into ``StoryDiagram/lifelines``.
        package var lifeline: Int
        /// Seconds of virtual time since the start; negative for what was issued before.
        package var issued: Double
        package var expires: Double
        /// When it stopped being accepted before it expired, and how: `superseded`, `revoked`.
        package var ended: (time: Double, word: String)?

        package init(id: String, kind: String, lifeline: Int, issued: Double, expires: Double) {
            self.id = id
            self.kind = kind
            self.lifeline = lifeline
            self.issued = issued
            self.expires = expires
        }
    }

    /// An event other than an exchange: a launch, or a client's report.
    package struct Mark: Sendable, Hashable {
        package var time: Double
        /// The number of the exchange that it comes after; zero before the first.
        package var afterExchange: Int
        package var words: String

        package init(time: Double, afterExchange: Int, words: String) {
            self.time = time
            self.afterExchange = afterExchange
            self.words = words
        }
    }

    package var lifelines: [Lifeline] = []
    /// Oldest first.
    package var exchanges: [Exchange] = []
    package var lifetimes: [Lifetime] = []
    package var marks: [Mark] = []
    /// The calendar moment at which the story began, such as `2026-11-21T09:00:00Z`.
    package var start: String = ""
    /// Seconds of virtual time from the start to the end.
    package var end: Double = 0
    /// The number of exchanges that the journal has lost.
    package var lost: Int = 0

    package init() {}
}
