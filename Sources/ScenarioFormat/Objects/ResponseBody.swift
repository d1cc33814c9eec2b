import Basics
import HTTPCodec
package import JSON

/// The bytes of a response, final where they can be.
package enum ResponseBody: Sendable {
    case none
    /// Rendered once, when the scenario was loaded.
    case bytes([UInt8], contentType: String)
    /// The tree keeps the positions of its values; the other form is what is written.
    case json(TreeTemplate, written: ValueTemplate)
    case text(TextTemplate)
    /// JSON of which members may be left out.
    case tree(TreeTemplate)
    /// The bytes of the uploaded file that the route has found under a name.
    case content(of: String)
    /// A body that comes event by event.
    case events(EventStream)
    /// No body: the connection becomes a WebSocket.
    case webSocket(WebSocketScript)
    /// The message of the upstream server.
    case forwarded
}

extension ResponseBody {
    /// The placeholders in it, in their order.
    package var placeholders: [Placeholder] {
        switch self {
        case .none, .bytes, .content, .forwarded: []
        case .json(_, let template): template.placeholders
        case .text(let template): template.placeholders
        case .tree(let template): template.placeholders
        case .events(let stream): stream.placeholders
        case .webSocket(let script): script.placeholders
        }
    }
}

/// The fixture that a response's body was read from, so that a checker can read it again with the place of every value.
package struct FixtureReference: Sendable, Hashable {
    /// The file's path as the user would write it.
    package var path: String
    /// Its document number in the loaded scenario's ``Basics/SourceMap``.
    package var document: Int32
    /// The place where the scenario names it.
    package var position: JSONPosition
}
