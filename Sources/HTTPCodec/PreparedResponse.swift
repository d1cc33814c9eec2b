import Basics

/// A response that is the same for every request but for the value of Date, rendered once: status line, fields and body.
///
/// It is what ``HTTPResponseWriter`` gives to a request of HTTP/1.1 other than HEAD on a connection that stays open.
/// A class, because sessions, journals and connections refer to it; it never changes.
package final class PreparedResponse: Sendable {
    package let status: HTTPStatus
    package let body: [UInt8]
    /// The fields without the date, which goes before them.
    private let fields: HTTPFields
    private let bytes: [UInt8]
    /// The place where the 29 bytes of the date are.
    private let date: Int

    /// - Parameters:
    ///   - fields: the fields without the date.
    ///   - body: nothing where the status forbids one.
    /// - Returns: `nil` for a response that ends its connection, and for one that is better sent in two pieces.
    package init?(status: HTTPStatus, fields: HTTPFields, body: [UInt8]) {
        guard body.count <= Self.largestBody, !status.isInformational else { return nil }
        var bytes: [UInt8] = []
        let response = HTTPResponse(status: status, fields: Self.dated(0, fields), body: body)
        guard HTTPResponseWriter(keepsAlive: true).append(response, to: &bytes) else { return nil }
        var statusLine: [UInt8] = []
        statusLine.appendStatusLine(status)
        date = statusLine.count + "Date: ".utf8.count
        self.status = status
        self.body = body
        self.fields = fields
        self.bytes = bytes
    }

    /// Larger bodies are not copied behind their heads: 32 KiB.
    package static let largestBody = 32 << 10

    /// Appends the response with a date of 29 bytes.
    package func append(date value: [UInt8], to output: inout [UInt8]) {
        let start = output.count + date
        output.append(contentsOf: bytes)
        output.replaceSubrange(start..<start + value.count, with: value)
    }

    /// Returns whether there is a field of that name in addition to the date.
    func contains(_ name: String) -> Bool {
        fields.contains(name)
    }

    /// The response as its author would have written it.
    package func response(dated second: Int64) -> HTTPResponse {
        HTTPResponse(status: status, fields: Self.dated(second, fields), body: body)
    }

    private static func dated(_ second: Int64, _ fields: HTTPFields) -> HTTPFields {
        var dated: HTTPFields = ["Date": HTTPDate.text(secondsSince1970: second)]
        for (name, value) in fields { dated.append(name, value) }
        return dated
    }
}
