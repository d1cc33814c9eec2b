import Basics
import HTTPCodec
import ScenarioFormat

/// The events of a stream, made when it opens and sent when each is due.
struct RenderedStream: Sendable {
    struct Piece: Sendable {
        /// The delay after the previous one.
        var after: Duration
        var bytes: [UInt8]
        /// Its journal entry; its times are not known yet.
        var message: StreamMessage
    }

    /// The format of the parts of a stream.
    enum Form: Sendable {
        case events
        case lines
        case webSocket
    }

    let form: Form
    var pieces: [Piece]
    var staysOpen: Bool
    /// A Boolean value that indicates whether the token that opened it is looked at before each piece.
    var checksToken: Bool
    /// The code to close a WebSocket with whose token is not valid any more, which is looked at when it expires, too.
    var tokenClose: Int?
    var webSocket: Decision.WebSocketRole?
    /// The ids of the tokens that opened it.
    var tokens: [String] = []
    /// The route and the device that it is of.
    var route: String?
    var device: String?
    /// The piece that is due next.
    var next = 0
    /// A Boolean value that indicates whether its last part was sent.
    var hasEnded = false

    /// The whole body, for the journal and for clients that take it at once.
    var body: [UInt8] { pieces.flatMap(\.bytes) }
}

/// A part of a stream's body that is due, for the connection that the stream is on.
package struct StreamOutput: Sendable, Hashable {
    package var exchange: UInt64
    package var bytes: [UInt8]
    /// A Boolean value that indicates whether the stream ends with it.
    package var isLast: Bool
}
