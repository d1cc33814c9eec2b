import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// A request of an open page.
extension AdminAPI {
    /// The clock, the tokens, and an outline of each exchange that has come since the number that the query says.
    ///
    /// `?since=N&life=L&again=3,7`: `life` is what the last response said. Where it is another one by now, the session
    /// has begun again and its exchanges are counted from one, so all are listed. `again` names exchanges that had not
    /// ended, which are listed once more.
    func changes(_ call: Call) throws(AdminError) -> JSONValue {
        let query = try ChangesQuery(call.query)
        let view = SessionView(call.session, at: call.now)
        return .object(view.changes(since: query.since, life: query.life, again: query.again))
    }

    /// One exchange, with its bodies as they were sent.
    func exchange(_ call: Call) throws(AdminError) -> JSONValue {
        guard let number = call.name.flatMap({ UInt64($0) }) else {
            throw AdminError("bad-exchange", "Use an exchange number: GET /__backlot/exchanges/NUMBER.")
        }
        let (session, loaded, _) = call.session.copy(at: call.now)
        guard let exchange = session.journal.exchange(number) else {
            throw .notFound("The journal of \(session.name) does not contain exchange \(number).")
        }
        var object = session.shown(exchange).whole(since: session.firstArrival)
        let explanation = ResponseExplanation(of: exchange, in: loaded.scenario, loaded.sources)
        if let place = explanation.place { object["answeredAt"] = .string(place.description) }
        if !explanation.casesNotTaken.isEmpty {
            object["notTaken"] = .array(explanation.casesNotTaken.map(JSONValue.string))
        }
        return .object(object)
    }
}

/// The query of ``AdminAPI/changes(_:)`` and ``AdminAPI/listen(_:with:)``.
struct ChangesQuery {
    var life: String?
    var since: UInt64 = 0
    var again: [UInt64] = []

    /// - Throws: ``AdminError`` for a name that is not known, and for what is not a number.
    init(_ query: QueryItems) throws(AdminError) {
        for item in query.items where !["life", "since", "again", "session"].contains(item.name) {
            throw AdminError("bad-query", "Unknown key \"\(item.name)\". Use since, life, again or session.")
        }
        life = query.first(named: "life")
        since = try Self.number(query.first(named: "since") ?? "0")
        for text in (query.first(named: "again") ?? "").split(separator: ",").prefix(100) {
            again.append(try Self.number(String(text)))
        }
    }

    private static func number(_ text: String) throws(AdminError) -> UInt64 {
        guard let number = UInt64(text) else {
            throw AdminError("bad-query", "An exchange requires a whole number, not \"\(text.printable.shortened)\".")
        }
        return number
    }
}

extension Exchange {
    /// As in the journal, but with bodies byte for byte: what is read as JSON loses spaces and digits.
    fileprivate func whole(since epoch: MonotonicTime?) -> JSONObject {
        var bare = self
        (bare.request.body, bare.response.body) = ([], [])
        var object = bare.json(since: epoch).object ?? [:]
        object["request"] = Self.message(object["request"], request.body)
        object["response"] = Self.message(object["response"], response.body)
        return object
    }

    private static func message(_ message: JSONValue?, _ body: [UInt8]) -> JSONValue {
        var object = message?.object ?? [:]
        object["size"] = .number(JSONNumber(body.count))
        if let text = String(validUTF8: body) {
            object["text"] = .string(text)
        } else {
            object["base64"] = .string(Base64.encode(body))
        }
        return .object(object)
    }
}
