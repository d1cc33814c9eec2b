import EventLoops
import JSON
import ScenarioFormat
import Simulation

extension AdminAPI {
    func sessions(_ call: Call) throws(AdminError) -> JSONValue {
        var list: [JSONValue] = []
        for session in handler.sessions.all {
            let origin = session.origin
            let (summary, _) = try session.access(at: call.now) { session, now -> JSONValue in
                var object: JSONObject = [
                    "name": .string(session.name),
                    "story": origin.loaded.scenario.story.map { .string($0.id) } ?? .null,
                    "seed": .number(JSONNumber(session.seed)),
                    "time": .string(session.time(at: now).description),
                    "exchanges": .number(JSONNumber(session.journal.count)),
                ]
                object["origins"] = session.originsJSON
                return .object(object)
            }
            list.append(summary)
        }
        return ["sessions": .array(list)]
    }

    /// Makes a session, with its own story, seed, start and listener where asked for.
    func makeSession(_ call: Call) throws(AdminError) -> JSONValue {
        guard call.name == nil else {
            throw AdminError("bad-session", "Say the name in the body: {\"name\": \"\(call.name ?? "")\"}.")
        }
        let body = try call.object(with: ["name", "story", "seed", "start", "listener"])
        guard let name = body["name"]?.string, SessionAddress.isName(name) else {
            throw AdminError("bad-session", "A session wants a \"name\" of \(SessionAddress.nameRule).")
        }
        let listens = try listens(body)
        let origin = try origin(of: body)
        let made: LiveSession
        switch handler.sessions.claim(name, make: { (origin.begin(name, handler.configuration), origin) }) {
        case .made(let session): made = session
        case .existing: throw .sessionExists(name)
        case .full: throw AdminError(.tooManySessions(handler.sessions.capacity))
        }
        handler.follow(origin.loaded)
        var object: JSONObject = [
            "name": .string(name), "seed": .number(JSONNumber(origin.seed ?? origin.loaded.scenario.seed)),
        ]
        do throws(SystemError) {
            let port = listens ? try handler.listen(for: name) : nil
            let shared = "\(handler.baseURL(port: handler.address.port))/__session/\(name)"
            object["url"] = .string(port.map { handler.baseURL(port: $0) } ?? shared)
            made.set(originURLs: try handler.openOrigins(of: name, playing: made.stage))
        } catch {
            handler.closeListeners(of: name)
            handler.sessions.remove(name)?.endLife()
            throw .noListener(error, "so the session was not made")
        }
        object["origins"] = made.copy(at: call.now).session.originsJSON
        return .object(object)
    }

    private func listens(_ body: JSONObject) throws(AdminError) -> Bool {
        guard let value = body["listener"] else { return false }
        guard let listens = value.bool else {
            throw AdminError("bad-session", "\"listener\" wants true or false, not \(value.kindName).")
        }
        return listens
    }

    private func origin(of body: JSONObject) throws(AdminError) -> LiveSession.Origin {
        var origin = handler.defaultOrigin
        if let story = body["story"] { origin = try self.origin(story: story, over: origin) }
        if let seed = body["seed"] {
            guard let number = seed.int, number >= 0 else {
                throw AdminError("bad-session", "\"seed\" wants a whole number that is not negative.")
            }
            origin.seed = UInt64(number)
        }
        if let start = body["start"] {
            guard let moment = start.string.flatMap({ VirtualTime($0) }) else {
                throw AdminError("bad-session", "\"start\" wants a moment such as \"2026-03-01T09:00:00Z\".")
            }
            origin.start = moment
        }
        return origin
    }

    func deleteSession(_ call: Call) throws(AdminError) -> JSONValue {
        guard let name = call.name else {
            throw AdminError("bad-session", "Name the session: DELETE /__backlot/sessions/NAME.")
        }
        guard name != Session.defaultName else {
            throw AdminError("bad-session", "The default session stays; POST /__backlot/scenario resets it.")
        }
        // Listeners first: a request that still comes in on one is then told that the session is gone, and does not
        // make it again.
        handler.closeListeners(of: name)
        guard let session = handler.sessions.remove(name) else {
            throw .notFound("There is no session \"\(name)\". GET /__backlot/sessions lists them.")
        }
        session.endLife()
        return ["deleted": .string(name)]
    }
}

extension Session {
    /// The base URLs of the story's other servers, in their order; `nil` where it has none.
    fileprivate var originsJSON: JSONValue? {
        let names = stage.scenario.origins.map(\.name).filter { originURLs[$0] != nil }
        guard !names.isEmpty else { return nil }
        return .object(JSONObject(names.map { ($0, .string(originURLs[$0] ?? "")) }))
    }
}

extension AdminError {
    static func noListener(_ error: SystemError, _ consequence: String) -> AdminError {
        AdminError(
            Problem(
                "no-listener",
                status: 503,
                title: "The session could not get a listener",
                detail: "The system refuses one (\(error)), \(consequence)."
            )
        )
    }

    fileprivate static func sessionExists(_ name: String) -> AdminError {
        AdminError(
            Problem(
                "session-exists",
                status: 409,
                title: "There is such a session already",
                detail: "Delete \"\(name)\" first, or reset it with POST /__backlot/scenario?session=\(name)."
            )
        )
    }
}
