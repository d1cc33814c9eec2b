import HTTPWire
import JSONText
import Simulation

extension AdminAPI {
    typealias Answer = @Sendable (AdminAPI) -> (Call) throws(AdminError) -> JSONValue

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
        Part(name: "health", isAboutServer: true, answers: [("GET", AdminAPI.health)]),
        Part(name: "scenario", answers: [("GET", AdminAPI.scenario), ("POST", AdminAPI.changeScenario)]),
        Part(name: "routes", answers: [("GET", AdminAPI.routes)]),
        Part(name: "clock", answers: [("GET", AdminAPI.clock), ("POST", AdminAPI.steerClock)]),
        Part(name: "tokens", answers: [("GET", AdminAPI.tokens), ("POST", AdminAPI.changeTokens)]),
        Part(name: "states", answers: [("GET", AdminAPI.states), ("POST", AdminAPI.changeStates)]),
        Part(name: "collections", isLengthy: true, isAboutNames: true, answers: [("GET", AdminAPI.collections)]),
        Part(name: "faults", answers: [("GET", AdminAPI.faults), ("POST", AdminAPI.armFault)]),
        Part(name: "gates", answers: [("GET", AdminAPI.gates)]),
        Part(name: "release", answers: [("POST", AdminAPI.releaseGates)]),
        Part(name: "events", answers: [("POST", AdminAPI.enactEvents)]),
        Part(
            name: "journal",
            isLengthy: true,
            answers: [("GET", AdminAPI.journal), ("DELETE", AdminAPI.clearJournal)]
        ),
        Part(name: "client", answers: [("GET", AdminAPI.clientFacts), ("POST", AdminAPI.noteClientFacts)]),
        Part(name: "verdict", isLengthy: true, answers: [("GET", AdminAPI.verdict)]),
        Part(
            name: "sessions",
            isAboutServer: true,
            isAboutNames: true,
            answers: [
                ("GET", AdminAPI.sessions),
                ("POST", AdminAPI.makeSession),
                ("DELETE", AdminAPI.deleteSession),
            ]
        ),
        Part(name: "shutdown", isAboutServer: true, answers: [("POST", AdminAPI.shutDown)]),
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
