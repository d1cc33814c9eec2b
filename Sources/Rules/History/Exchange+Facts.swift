import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

extension Exchange {
    /// The exchange as a sentence's subject: `exchange 3 POST /refresh`.
    var subject: String { "exchange \(number) \(line)" }

    /// The method and the path that were asked for: `POST /refresh`.
    var line: String { "\(request.method.rawValue) \(request.path)".printable.shortened }

    /// Whether the response says that all went well.
    var hasSucceeded: Bool { response.status.isSuccessful }

    /// Whether it carries a token of this session.
    func brings(_ id: String) -> Bool {
        offered.contains { $0.id == id }
    }

    /// Whether the server made new tokens for it, received or not.
    var handsOutNewTokens: Bool {
        granted.contains { $0.source == .new && $0.id != nil }
    }

    /// Whether another request asks for the same thing in the same way, credentials aside.
    func isSameRequest(as other: Exchange) -> Bool {
        request.method == other.request.method
            && request.target.utf8.elementsEqual(other.request.target.utf8)
            && origin == other.origin
    }
}
