package import HTTPCodec
package import JSON

/// What the tool itself answers, as a problem document (RFC 9457), so that nobody takes it for the backend's.
package struct Problem: Sendable {
    /// The stable name of the cause; it ends the document's `type`.
    package var name: String
    package var status: Int
    package var title: String
    package var detail: String
    package var fields: [(name: String, value: String)]
    package var members: [(name: String, value: JSONValue)]
    /// Whether only the status and the fields are sent.
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
