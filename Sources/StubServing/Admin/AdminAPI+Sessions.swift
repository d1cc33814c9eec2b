import JSONText
import ScenarioFormat
import Simulation

extension AdminAPI {
    func sessions(_ call: Call) throws(AdminError) -> JSONValue {
        var list: [JSONValue] = []
        for session in handler.sessions.all {
            let origin = session.origin
            let (summary, _) = try session.access(at: call.now) { session -> JSONValue in
                [
                    "name": .string(session.name),
                    "story": origin.loaded.scenario.story.map { .string($0.id) } ?? .null,
                    "seed": .number(JSONNumber(session.seed)),
                    "time": .string(session.time(at: call.now).description),
                    "exchanges": .number(JSONNumber(session.journal.count)),
                ]
            }
            list.append(summary)
        }
        return ["sessions": .array(list)]
    }

    /// Makes a session, with its own story, seed, start and listener where asked for.
    func makeSession(_ call: Call) throws(AdminError) -> JSONValue {
        let body = try call.body()
        guard let name = body["name"]?.string, SessionAddress.isName(name) else {
            throw AdminError(
                "bad-session",
                "A session wants a \"name\" of 1 to 64 letters, digits, \"-\", \"_\" and \".\"."
            )
        }
        try checkKeys(of: body)
        guard handler.sessions.session(named: name) == nil else {
            throw AdminError(
                Problem(
                    "session-exists",
                    status: 409,
                    title: "There is such a session already",
                    detail: "Delete \"\(name)\" first, or reset it with POST /__backlot/scenario?session=\(name)."
                )
            )
        }
        let origin = try origin(of: body)
        let live = handler.sessions.session(named: name) { (origin.begin(name, handler.configuration), origin) }
        guard let live else {
            throw AdminError("too-many-sessions", "There are \(SessionDirectory.capacity) sessions already.")
        }
        var result: JSONObject = [
            "name": .string(live.name),
            "seed": .number(JSONNumber(origin.seed ?? origin.loaded.scenario.seed)),
            "url": .string("\(handler.baseURL(port: handler.address.port))/__session/\(name)"),
        ]
        if body["listener"]?.bool == true { result["url"] = .string(try listen(for: name)) }
        return .object(result)
    }

    private func checkKeys(of body: JSONValue) throws(AdminError) {
        let known = ["name", "story", "seed", "start", "listener"]
        for name in body.object?.names ?? [] where !known.contains(name) {
            throw AdminError("bad-session", "A session has no \"\(name)\". There are \(known.joined(separator: ", ")).")
        }
    }

    private func origin(of body: JSONValue) throws(AdminError) -> LiveSession.Origin {
        var origin = handler.defaultOrigin
        if let story = body["story"]?.string { origin = try self.origin(story: story, over: origin) }
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

    private func listen(for session: String) throws(AdminError) -> String {
        do {
            let port = try handler.listen(for: session)
            return handler.baseURL(port: port)
        } catch {
            _ = handler.sessions.remove(session)
            throw AdminError(
                Problem(
                    "no-listener",
                    status: 500,
                    title: "The session could not get a listener",
                    detail: "\(error)"
                )
            )
        }
    }

    func deleteSession(_ call: Call) throws(AdminError) -> JSONValue {
        guard call.path.count == 2 else {
            throw AdminError("bad-session", "Name the session: DELETE /__backlot/sessions/NAME.")
        }
        guard handler.sessions.remove(call.path[1]) else {
            throw .notFound("There is no session \"\(call.path[1])\" that could be deleted.")
        }
        handler.closeListeners(of: call.path[1])
        return ["deleted": .string(call.path[1])]
    }
}
