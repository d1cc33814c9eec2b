import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

/// The tool's own response, as a problem document (RFC 9457), so that it is not mistaken for the backend's.
package struct Problem: Error {
    /// The stable name of the cause; it ends the document's `type`.
    package var name: String
    package var status: Int
    package var title: String
    package var detail: String
    package var fields: [(name: String, value: String)]
    package var members: [(name: String, value: JSONValue)]
    /// A Boolean value that indicates whether only the status and the fields are sent.
    var isBare = false

    package init(
        _ name: String,
        status: Int,
        title: String,
        detail: String,
        fields: [(name: String, value: String)] = [],
        members: [(name: String, value: JSONValue)] = []
    ) {
        self.name = name
        self.status = status
        self.title = title
        self.detail = detail
        self.fields = fields
        self.members = members
    }

    package static let contentType = "application/problem+json"

    package var response: HTTPResponse {
        guard !isBare else {
            var headers = HTTPFields()
            for (name, value) in fields { headers.append(name, value) }
            return HTTPResponse(status: HTTPStatus(status), fields: headers)
        }
        var document = JSONObject()
        document["type"] = .string("urn:backlot:problem:\(name)")
        document["title"] = .string(title)
        document["status"] = .number(JSONNumber(status))
        document["detail"] = .string(detail)
        for (name, value) in members { document[name] = value }
        var headers = HTTPFields()
        headers.append("Content-Type", Self.contentType)
        headers.append("Server", "Backlot")
        for (name, value) in fields { headers.append(name, value) }
        return HTTPResponse(
            status: HTTPStatus(status),
            fields: headers,
            body: JSONValue.object(document).utf8(.compact)
        )
    }
}

/// The tool's own responses while it plays a scenario. All of their words are here.
extension Problem {
    /// - Parameter origin: the other server of the story that was asked; `nil` for the backend itself.
    package static func unmatched(
        _ request: HTTPRequest,
        _ nearest: NearestRoute?,
        at origin: String? = nil
    ) -> Problem {
        var problem = Problem(
            "no-route",
            status: 404,
            title: "No route matches this request",
            detail: "There is no route for \(request.method.rawValue) \(request.path).",
            members: []
        )
        problem.add(nearest)
        if let origin {
            problem.title = "No route at this origin matches this request"
            problem.detail = "At the origin \"\(origin)\": \(problem.detail)"
            problem.members.insert(("origin", .string(origin)), at: 0)
        }
        return problem
    }

    private mutating func add(_ nearest: NearestRoute?) {
        guard let nearest else { return }
        detail += " The nearest route is \(nearest.route): \(nearest.difference)."
        members.append(("nearest", ["route": .string(nearest.route), "difference": .string(nearest.difference)]))
    }

    /// The answer to a request that a recording lacks and that is not sent on, with the status of a cache that may not
    /// ask the server (RFC 9111, section 5.2.1.7).
    static func notRecorded(_ request: HTTPRequest, _ nearest: NearestRoute?) -> Problem {
        var problem = Problem(
            "not-recorded",
            status: 504,
            title: "The recording does not contain this request",
            detail: "No request like \(request.method.rawValue) \(request.path) was recorded, and none is sent on.",
            members: []
        )
        problem.add(nearest)
        return problem
    }

    /// The answer to a body that says that it is JSON and is not.
    static func brokenJSON(_ error: JSONSyntaxError) -> Problem {
        Problem(
            "invalid-json",
            status: 400,
            title: "The body is not valid JSON",
            detail: "\(error.position.text): \(error.sentence)."
        )
    }

    /// The answer to a body whose content codings cannot be undone (RFC 9110, sections 12.5.3, 15.5.14 and 15.5.16).
    package static func undecodable(_ error: ContentCodingError) -> Problem {
        let sentence = "\(error.sentence.prefix(1).uppercased())\(error.sentence.dropFirst())."
        return switch error {
        case .unknown:
            Problem(
                "unsupported-coding",
                status: 415,
                title: "The content coding of the body is not supported",
                detail: "\(sentence) Send the body with \(ContentCoding.accepted), or without Content-Encoding.",
                fields: [("Accept-Encoding", ContentCoding.accepted)]
            )
        case .tooLarge, .tooManyValues:
            Problem("too-large", status: 413, title: "The request is too large", detail: sentence)
        case .malformed, .truncated, .tooMany:
            Problem("undecodable-body", status: 400, title: "The body cannot be decoded", detail: sentence)
        }
    }

    /// A listener of another story's server, or of one that the story has lost.
    static func noOrigin(_ origin: String) -> Problem {
        Problem(
            "no-origin",
            status: 404,
            title: "The story does not declare the origin",
            detail: "The session's story does not declare the origin \"\(origin)\".",
            members: [("origin", .string(origin))]
        )
    }

    /// The response over plain HTTP where the scenario defines TLS, which would have no effect (RFC 9110, section
    /// 15.5.20).
    package static func requiresTLS(isOffered: Bool) -> Problem {
        Problem(
            "requires-tls",
            status: 421,
            title: "The scenario requires https",
            detail: "The scenario defines \"tls\", which has no effect over plain HTTP. "
                + (isOffered ? "Use the server's https URL." : "Start the server with --tls, and use its https URL.")
        )
    }

    /// The response where the TLS of a connection is that of another session.
    package static let requiresOwnListener = Problem(
        "requires-own-listener",
        status: 421,
        title: "The session requires its own port",
        detail: "The session's scenario defines \"tls\", but this port belongs to another session. Create the session "
            + "with \"listener\": true, and use its URL."
    )

    package static func wrongMethod(_ request: HTTPRequest, _ allowed: [String]) -> Problem {
        let list = allowed.joined(separator: ", ")
        return Problem(
            "wrong-method",
            status: 405,
            title: "This path does not allow the method",
            detail: "\(request.path) does not allow \(request.method.rawValue); use \(list).",
            fields: [("Allow", list)]
        )
    }

    /// The automatic answer to OPTIONS (RFC 9110, section 9.3.7).
    package static func options(_ allowed: [String]) -> Problem {
        var problem = Problem("options", status: 204, title: "", detail: "")
        problem.fields = [("Allow", allowed.joined(separator: ", "))]
        problem.isBare = true
        return problem
    }

    /// The answer to a change of a version that is not the present one (RFC 9110, section 15.5.13).
    ///
    /// - Parameter current: the present version's tag.
    static func preconditionFailed(_ current: String?) -> Problem {
        Problem(
            "precondition-failed",
            status: 412,
            title: "The resource has changed since the requested version",
            detail:
                "The condition in If-Match, If-None-Match or If-Unmodified-Since is false for the current version"
                + "\(current.map { ", \($0)" } ?? "").",
            fields: current.map { [("ETag", $0)] } ?? []
        )
    }

    /// The answer to a range behind the end (RFC 9110, section 15.5.17).
    static func unsatisfiableRange(_ length: Int) -> Problem {
        Problem(
            "range-not-satisfiable",
            status: 416,
            title: "The range is outside the body",
            detail: "The body contains \(length) bytes.",
            fields: [("Content-Range", "bytes */\(length)"), ("Accept-Ranges", "bytes")]
        )
    }

    /// The response of a server that cannot send requests on.
    static let noUpstream = Problem(
        "no-upstream",
        status: 502,
        title: "The request cannot be sent to the upstream server",
        detail: "The scenario sends this request on to another server, which only a server with sockets can do."
    )

    /// The response to a request that would end the session of a real user.
    static let signedOutHere: Problem = {
        var problem = Problem("signed-out-here", status: 204, title: "", detail: "")
        problem.isBare = true
        return problem
    }()

    static func noCase(_ route: String) -> Problem {
        Problem(
            "no-case",
            status: 404,
            title: "No case of the route matches this request",
            detail: "\(route) contains no case that matches this request, and defines no other response."
        )
    }

    static func exhausted(_ route: String, _ count: Int) -> Problem {
        Problem(
            "responses-exhausted",
            status: 500,
            title: "All listed responses have been sent",
            detail: "\(route) lists \(count) responses but received another request, and its \"afterLast\" is \"fail\"."
        )
    }

    static func unfillable(_ placeholder: Placeholder) -> Problem {
        if case .found(let name, _) = placeholder.source {
            return Problem(
                "nothing-found",
                status: 400,
                title: "The response requires an item that was not found",
                detail: "Nothing was found for the response's placeholder {{\(placeholder.text)}}. Add a case for this"
                    + " result: {\"when\": {\"found\": {\"\(name)\": false}}}."
            )
        }
        return Problem(
            "request-lacks-value",
            status: 400,
            title: "The response requires a value that is missing from the request",
            detail: "The response's placeholder {{\(placeholder.text)}} has no value in this request. "
                + "Send a value, or add a default to the placeholder: {{\(placeholder.text) ?? null}}."
        )
    }

    /// The answer where a condition is about an expression that cannot be compared in reasonable time.
    static func undecided(_ pattern: String) -> Problem {
        Problem(
            "undecided-pattern",
            status: 500,
            title: "A condition cannot be decided",
            detail: "The server stopped after a million steps, so it is unknown whether the expression "
                + "\(pattern.shortened) matches a value in this request. Write the expression without nested "
                + "repetition or backreferences, or limit the length of the value."
        )
    }

    /// The answer where a session would issue more tokens than it can keep.
    static func tooManyTokens(_ limit: Int) -> Problem {
        Problem(
            "too-many-tokens",
            status: 503,
            title: "The session has issued too many tokens",
            detail: "The session has issued the maximum of \(limit) tokens. Reset the session with"
                + " POST /__backlot/scenario, or use several sessions."
        )
    }

    /// The answer to a token that is not accepted, where the scenario has none (RFC 6750, section 3).
    package static func refused(_ kind: String, _ standing: TokenStanding) -> Problem {
        let error = standing == .missing ? "" : ", error=\"invalid_token\", error_description=\"\(standing.rawValue)\""
        return Problem(
            "token-\(standing.rawValue)",
            status: 401,
            title: "The \(kind) token is not accepted",
            detail: "The request's \(kind) token is \(standing.rawValue).",
            fields: [("WWW-Authenticate", "Bearer realm=\"backlot\"\(error)")]
        )
    }
}
