/// A status line and fixed fields rendered once, for responses that differ only in Date, Connection and Content-Length.
package struct HTTPPreparedHead: Sendable, Hashable {
    package let status: HTTPStatus
    let bytes: [UInt8]

    /// Whether the fields ask to close after the response.
    let closes: Bool
    let hasDate: Bool

    /// The fields are treated as `HTTPResponseWriter` treats them: its own are left out, `Connection: close` is obeyed.
    package init(status: HTTPStatus, fields: HTTPFields = HTTPFields()) {
        self.status = status
        var bytes: [UInt8] = []
        bytes.appendStatusLine(status)
        bytes.append(fields)
        self.bytes = bytes
        closes = fields.asksToClose
        hasDate = fields.known.contains(.date)
    }
}
