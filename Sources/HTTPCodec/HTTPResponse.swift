/// A response as its author thinks of it; `HTTPResponseWriter` adds what the connection needs.
package struct HTTPResponse: Sendable, Hashable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    package init(status: HTTPStatus, contentType: String, body: String) {
        self.init(status: status, fields: ["Content-Type": contentType], body: Array(body.utf8))
    }
}
