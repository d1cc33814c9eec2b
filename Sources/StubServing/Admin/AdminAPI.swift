import Basics
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import Simulation

/// The API under `/__backlot/`, with which people and commands look at sessions and steer them.
///
/// A request speaks of the session that `?session=NAME` says, else of the one that it names in any of the ways in
/// which a client's request does, else of the default one. It never makes a session by naming it.
struct AdminAPI {
    let handler: StubHandler

    init(_ handler: StubHandler) {
        self.handler = handler
    }

    /// Whether a path belongs to the API.
    static func takes(_ path: String) -> Bool {
        let bytes = path.utf8
        guard bytes.starts(with: "/__backlot".utf8) else { return false }
        let next = bytes.dropFirst("/__backlot".utf8.count).first
        return next == nil || next == UInt8(ascii: "/")
    }

    /// One call, with everything that its answer may depend on.
    struct Call {
        var request: HTTPRequest
        /// What follows the part's name in the path, decoded.
        var name: String?
        var query: QueryItems
        /// The default one where the part is about the whole server.
        var session: LiveSession
        var now: RealTime

        /// The body as JSON; null when there is none.
        func body() throws(AdminError) -> JSONValue {
            guard !request.body.isEmpty else { return .null }
            do {
                return try JSONParser(duplicateNames: .refused).parse(request.body).root
            } catch {
                throw AdminError("not-json", "The body is not JSON: \(error.position.text): \(error.sentence).")
            }
        }

        /// The body as an object that has no other members than these.
        func object(with names: [String]) throws(AdminError) -> JSONObject {
            let body = try body()
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            guard let object = body.object else {
                throw AdminError("bad-body", "Send a JSON object with \(list), not \(body.kindName).")
            }
            for name in object.names where !names.contains(name) {
                throw AdminError("bad-body", "There is no \"\(name)\" here. There are \(list).")
            }
            return object
        }
    }

    /// Whether a request is better answered by the clerk than on an event loop.
    static func isLengthy(_ request: HTTPRequest) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        let name = request.path.utf8.split(separator: UInt8(ascii: "/")).dropFirst().first
        return name.map { name in parts.contains { $0.isLengthy && $0.name.utf8.elementsEqual(name) } } ?? false
    }

    func response(to request: HTTPRequest, session name: String?) -> OutgoingResponse {
        do throws(AdminError) {
            let address = handler.address
            try AdminAccess(host: address.host, port: address.port, token: handler.configuration.adminToken)
                .check(request)
            let path = request.path.split(separator: "/").dropFirst()
            guard let partName = path.first else { return OutgoingResponse(json: Self.index) }
            guard let part = Self.parts.first(where: { $0.name.utf8.elementsEqual(partName.utf8) }) else {
                throw .notFound("There is no /__backlot/\(partName). There are \(Self.list).")
            }
            guard path.count == 1 || path.count == 2 && part.isAboutNames else {
                throw .notFound("There is nothing below /__backlot/\(part.name).")
            }
            return try response(to: request, part, path.dropFirst().first, session: name)
        } catch {
            return OutgoingResponse(problem: error.problem)
        }
    }

    private func response(
        to request: HTTPRequest,
        _ part: Part,
        _ encodedName: Substring?,
        session name: String?
    ) throws(AdminError) -> OutgoingResponse {
        // HEAD is GET without the body, which the server leaves out (RFC 9110, section 9.3.2).
        let method = request.method == .head ? "GET" : request.method.rawValue
        if request.method == .options { return OutgoingResponse(HTTPResponse(status: .noContent, fields: part.allow)) }
        guard let answer = part.answers.first(where: { $0.method == method })?.answer else {
            throw .wrongMethod(request.method, part)
        }
        let query = QueryItems(parsing: request.query ?? "")
        let call = Call(
            request: request,
            name: encodedName.map { PercentEncoding.decode($0) ?? String($0) },
            query: query,
            session: part.isAboutServer ? handler.sessions.main : try session(query.first(named: "session") ?? name),
            now: handler.now
        )
        var response = OutgoingResponse(json: try answer(self, call))
        if part.name == "shutdown" {
            response.exchange = ExchangeHandle.signOut.rawValue
            response.delivery.closesConnection = true
        }
        return response
    }

    private func session(_ name: String?) throws(AdminError) -> LiveSession {
        guard let name else { return handler.sessions.main }
        guard let session = handler.sessions.session(named: name) else {
            throw .notFound("There is no session \"\(name)\". GET /__backlot/sessions lists them.")
        }
        return session
    }

    /// The server stops when the response to this has left.
    func shutDown(_ call: Call) -> JSONValue { ["stopping": true] }

    /// Looks at or changes the session of a call, and sees to what that has set in motion.
    func access<Result: Sendable>(
        _ call: Call,
        _ body: (inout Session, RealTime) throws(AdminError) -> Result
    ) throws(AdminError) -> Result {
        let (result, alarm) = try call.session.access(at: call.now, body)
        handler.set(alarm, for: call.session)
        return result
    }
}

extension OutgoingResponse {
    fileprivate init(json: JSONValue) {
        let fields: HTTPFields = [
            "Content-Type": "application/json", "Cache-Control": "no-store", "Server": "Backlot",
        ]
        self.init(HTTPResponse(status: .ok, fields: fields, body: json.utf8(.pretty) + [0x0A]))
    }
}
