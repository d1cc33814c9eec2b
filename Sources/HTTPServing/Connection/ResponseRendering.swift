import Basics
import EventLoops
import HTTPCodec

/// Turns a response and its fault into bytes.
enum ResponseRendering {
    /// Bodies up to this size are copied behind their head and leave with it; larger ones are sent from where they are.
    static let copiedBody = PreparedResponse.largestBody

    /// A response that goes out whole: appends all of it, or its head only when the body is better sent from its place.
    ///
    /// - Returns: Whether the body still has to follow.
    static func append(
        whole outgoing: OutgoingResponse,
        by writer: HTTPResponseWriter,
        date: String?,
        splitsBody: Bool,
        to output: inout [UInt8]
    ) -> Bool {
        let response = outgoing.response
        let body = response.body
        let isSplit = (splitsBody || body.count > copiedBody) && writer.sendsBody(response.status)
        if isSplit {
            writer.appendHead(response, framing: .length(body.count), date: date, to: &output)
        } else {
            writer.append(response, date: date, to: &output)
        }
        return isSplit
    }

    /// A response that is broken on purpose: its head, what follows it, and how much of that is sent.
    static func broken(
        _ outgoing: OutgoingResponse,
        _ fault: WireFault,
        by writer: HTTPResponseWriter,
        date: String?
    ) -> (head: [UInt8], body: [UInt8], bodyCount: Int) {
        let response = outgoing.response
        var head: [UInt8] = []
        switch fault {
        case .garbage(let bytes):
            return (bytes, [], 0)
        case .malformedChunk where writer.usesChunks && writer.sendsBody(response.status):
            writer.appendHead(response, framing: .chunked, date: date, to: &head)
            let half = response.body.prefix(response.body.count / 2)
            HTTPResponseWriter.appendChunk(half, to: &head)
            head.append(contentsOf: "not-a-size\r\n".utf8)
            return (head, [], 0)
        case .malformedChunk:
            return truncated(response, sent: response.body.count / 2, by: writer, date: date)
        case .truncated(let sent):
            return truncated(response, sent: sent, by: writer, date: date)
        case .reset, .empty, .never:
            return ([], [], 0)
        }
    }

    private static func truncated(
        _ response: HTTPResponse,
        sent: Int,
        by writer: HTTPResponseWriter,
        date: String?
    ) -> (head: [UInt8], body: [UInt8], bodyCount: Int) {
        var head: [UInt8] = []
        // An empty body would be whole without a byte.
        writer.appendHead(response, framing: .length(max(1, response.body.count)), date: date, to: &head)
        guard writer.sendsBody(response.status) else { return (head, [], 0) }
        // A cut that takes nothing away would be no fault.
        return (head, response.body, min(max(0, sent), max(0, response.body.count - 1)))
    }
}
