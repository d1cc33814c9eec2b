import HTTPCodec
import Simulation

/// What a client has got for a request.
struct ReceivedResponse: Sendable {
    enum Content: Sendable {
        case response(HTTPResponse)
        case broken(Breakage)
    }

    var content: Content
    /// The exchange in the session's journal; `nil` where the server never got to it.
    var exchange: UInt64?

    /// What came, for the end of a sentence.
    var words: String {
        switch content {
        case .broken(.never): return "nothing came until the client hung up"
        case .broken(let breakage): return "the response broke: \(breakage.rawValue)"
        case .response(let response):
            guard !response.body.isEmpty else { return "\(response.status.code) came with an empty body" }
            let text = String(decoding: response.body.prefix(200), as: UTF8.self)
            return "\(response.status.code) came: \(text)\(response.body.count > 200 ? "…" : "")"
        }
    }

    var response: HTTPResponse? {
        if case .response(let response) = content { response } else { nil }
    }
}

extension Breakage {
    /// How a client sees a fault.
    init(_ fault: WireFault, isCommitted: Bool) {
        switch fault {
        case .reset: self = .reset
        case .empty: self = isCommitted ? .lost : .empty
        case .truncated: self = .truncated
        case .malformedChunk: self = .malformed
        case .garbage: self = .garbage
        case .never: self = .never
        }
    }
}
