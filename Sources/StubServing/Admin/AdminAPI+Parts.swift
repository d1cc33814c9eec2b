import HTTPCodec
import JSON
import Simulation

extension AdminAPI {
    /// What the API does for one method of a part.
    struct Answer: Sendable {
        // Not a function with typed throws: to store one takes the runtime of macOS 15 and iOS 18.
        private let result: @Sendable (AdminAPI, Call) -> Result<JSONValue, AdminError>

        init(_ method: @escaping @Sendable (AdminAPI) -> (Call) throws(AdminError) -> JSONValue) {
            result = { api, call in Result { () throws(AdminError) in try method(api)(call) } }
        }

        func callAsFunction(_ api: AdminAPI, _ call: Call) throws(AdminError) -> JSONValue {
            try result(api, call).get()
        }
    }

    /// A name below `/__backlot/` with the methods that it answers.
    struct Part: Sendable {
        var name: String
        /// Whether it is about the server as a whole, so that it matters to nobody which session a call names.
        var isAboutServer = false
        /// Whether looking at it may take so long that it is not done on an event loop.
        var isLengthy = false
        /// Whether a name may follow, as in `sessions/NAME`.
        var isAboutNames = false
        var answers: [(method: String, answer: Answer)]

        /// The methods in the form of the Allow field (RFC 9110, section 10.2.1).
        var methods: String {
            answers.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }.joined(separator: ", ") + ", OPTIONS"
        }

        var allow: HTTPFields { ["Allow": methods] }
    }

    static let parts: [Part] = [
        Part(name: "health", isAboutServer: true, answers: [("GET", Answer(AdminAPI.health))]),
        Part(
            name: "scenario",
            answers: [("GET", Answer(AdminAPI.scenario)), ("POST", Answer(AdminAPI.changeScenario))]
        ),
        Part(name: "routes", answers: [("GET", Answer(AdminAPI.routes))]),
        Part(name: "clock", answers: [("GET", Answer(AdminAPI.clock)), ("POST", Answer(AdminAPI.steerClock))]),
        Part(name: "tokens", answers: [("GET", Answer(AdminAPI.tokens)), ("POST", Answer(AdminAPI.changeTokens))]),
        Part(name: "states", answers: [("GET", Answer(AdminAPI.states)), ("POST", Answer(AdminAPI.changeStates))]),
        Part(
            name: "collections",
            isLengthy: true,
            isAboutNames: true,
            answers: [("GET", Answer(AdminAPI.collections))]
        ),
        Part(name: "faults", answers: [("GET", Answer(AdminAPI.faults)), ("POST", Answer(AdminAPI.armFault))]),
        Part(name: "gates", answers: [("GET", Answer(AdminAPI.gates))]),
        Part(name: "release", answers: [("POST", Answer(AdminAPI.releaseGates))]),
        Part(name: "events", answers: [("POST", Answer(AdminAPI.enactEvents))]),
        Part(
            name: "journal",
            isLengthy: true,
            answers: [("GET", Answer(AdminAPI.journal)), ("DELETE", Answer(AdminAPI.clearJournal))]
        ),
        Part(
            name: "client",
            answers: [("GET", Answer(AdminAPI.clientFacts)), ("POST", Answer(AdminAPI.noteClientFacts))]
        ),
        Part(name: "verdict", isLengthy: true, answers: [("GET", Answer(AdminAPI.verdict))]),
        Part(
            name: "sessions",
            isAboutServer: true,
            isAboutNames: true,
            answers: [
                ("GET", Answer(AdminAPI.sessions)),
                ("POST", Answer(AdminAPI.makeSession)),
                ("DELETE", Answer(AdminAPI.deleteSession)),
            ]
        ),
        Part(name: "shutdown", isAboutServer: true, answers: [("POST", Answer(AdminAPI.shutDown))]),
    ]

    static let list = parts.map(\.name).joined(separator: ", ")

    static let index: JSONValue = ["parts": .array(parts.map { .string("/__backlot/\($0.name)") })]
}

extension AdminError {
    static func wrongMethod(_ method: HTTPMethod, _ part: AdminAPI.Part) -> AdminError {
        AdminError(
            Problem(
                "wrong-method",
                status: 405,
                title: "The admin API has this, but not with this method",
                detail: "/__backlot/\(part.name) does not answer \(method.rawValue); it answers \(part.methods).",
                fields: [("Allow", part.methods)]
            )
        )
    }
}
