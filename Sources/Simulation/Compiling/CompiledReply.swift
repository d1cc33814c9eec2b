import ScenarioFormat

/// A reply, and what can be said of it before there is a request.
///
/// A class, because exchanges refer to it; it never changes.
final class CompiledReply: Sendable {
    let reply: Reply
    /// Distinguishes it among the replies of its script.
    let number: Int
    /// The placeholders that a request can lack, so that the reply cannot be made.
    let demands: [Placeholder]
    /// Whether its header fields are the same for every request but for the date.
    let hasConstantHead: Bool
    /// Whether nothing on the server is different after it.
    let changesNothing: Bool

    init(_ reply: Reply, number: Int) {
        self.reply = reply
        self.number = number
        demands = reply.placeholders.filter { $0.dependsOnRequest && $0.fallback == nil }
        hasConstantHead = reply.headers.allSatisfy { $0.value.constant != nil }
        changesNothing = reply.grants.isEmpty && reply.signIn == nil && reply.changes.isEmpty
    }

    /// Whether its body is the same for every request.
    var hasConstantBody: Bool {
        if case .bytes = reply.body { true } else { false }
    }
}

extension Reply {
    /// Every placeholder of the reply's message and sign-in.
    fileprivate var placeholders: [Placeholder] {
        let own: [Placeholder] =
            switch body {
            case .none, .bytes: []
            case .json(let template): template.placeholders
            case .text(let template): template.placeholders
            case .tree(let template): template.placeholders
            case .content: []
            }
        let signIn = (self.signIn?.device?.placeholders ?? []) + (self.signIn?.account?.placeholders ?? [])
        return own + signIn + headers.flatMap { $0.value.placeholders }
    }
}
