import HTTPCodec
import ScenarioFormat
import Simulation

/// A token of the session that a client held at some time: where it came from, and what ended it.
///
/// A class, because steps and rules refer to the same token; its ``TokenHistory`` owns it.
@dynamicMemberLookup
final class HeldToken {
    let token: Token
    unowned let history: TokenHistory
    /// `nil` for a kind that the backend does not have.
    let kindRules: TokenRoles.Kind?
    /// The step that granted it first; `nil` for one from before the story's first request.
    unowned var source: Step?
    /// The step in which it was used up for a newer one.
    unowned var spender: Step?
    /// The token itself; where a saved journal has a stand-in for it, as it travelled in a message.
    private(set) lazy var text = history.token(value: token.value) == nil ? travelling ?? token.value : token.value

    init(_ token: Token, of history: TokenHistory) {
        (self.token, self.history) = (token, history)
        kindRules = history.roles.kind(named: token.kind)
    }

    subscript<Value>(dynamicMember path: KeyPath<Token, Value>) -> Value { token[keyPath: path] }

    var id: String { token.id }
    var role: TokenRoles.Role? { kindRules?.role }
    /// The number of the step that granted it; zero for one from before the story's first request.
    var sourceNumber: UInt64 { source?.number ?? 0 }

    /// The audience that its refresh named; empty for that of the sign-in.
    var audience: String { source?.audience ?? "" }

    /// Its origin, as a relative clause.
    var sourceWords: String {
        source.map { "which exchange \($0.number) had returned" } ?? "which was issued before the first request"
    }
}

extension HeldToken {
    /// Returns whether the server would have accepted the token when an exchange was decided.
    ///
    /// - Parameters:
    ///   - number: the exchange's number; what was decided later at the same virtual time does not count.
    ///   - time: its virtual time.
    func isGood(before number: UInt64, at time: VirtualTime) -> Bool {
        guard !token.hasExpired(at: time) else { return false }
        guard let ended = token.ended, ended <= time else { return true }
        if ended == time, (spender?.number ?? history.ender(of: token.device, at: time)).map({ $0 >= number }) ?? false
        {
            return true
        }
        guard case .exchanged(let moment) = token.fate else { return false }
        return time - moment < kindRules?.grace ?? .zero
    }

    func isGood(before step: Step) -> Bool { isGood(before: step.number, at: step.time) }

    /// Returns whether so much of its life is left that no client renews it in advance.
    ///
    /// - Parameter bringer: the step with which the client received it, whose response may announce a lifetime.
    func isYoung(at time: VirtualTime, broughtBy bringer: Step?) -> Bool {
        let lifetime = kindRules?.lifetime ?? (token.expires - token.issued)
        // An event may have ended it early since, which no client could know.
        let end = source == nil ? token.expires : max(token.expires, token.issued + lifetime)
        guard end - time > lifetime / 2 else { return false }
        guard let bringer, let announced = LifetimePromise(in: bringer.exchange, of: token)?.announced else {
            return true
        }
        return token.issued + announced - time > min(announced, lifetime) / 2
    }
}

extension HeldToken {
    /// The token as it is in the response that granted it, or in a request that brought it.
    private var travelling: String? {
        let requests = history.steps.filter { $0.exchange.brings(id) }.map(\.exchange.request)
        let messages =
            requests.flatMap { [$0.body] + $0.fields.map { Array($0.value.utf8) } } + [
                source?.exchange.message.body ?? []
            ]
        return messages.lazy.flatMap { $0.split { " \t\r\n\"',:;&<>[]{}".utf8.contains($0) } }
            // A cookie is behind its name.
            .flatMap { [$0, $0.drop { $0 != UInt8(ascii: "=") }.dropFirst()] }
            .map { String(decoding: $0, as: UTF8.self) }
            .first { self.history.token(value: $0) === self }
    }
}
