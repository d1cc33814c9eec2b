import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The tokens that a request carries, and the caller that they identify.
extension MockBackend {
    /// Identifies the caller, from the device header and from the tokens of the request.
    mutating func noteTokens(in context: inout ExchangeContext) {
        if let header = played.scenario.deviceHeader { context.device = context.request.request.fields[header] }
        let places = played.script.places
        if context.presented.count != places.count { context.presented = Array(repeating: nil, count: places.count) }
        for number in places.indices where places[number].isEverywhere {
            guard case .text(let text) = context.presented(at: number, places),
                !context.notes.contains(where: { $0.text.exact == text.exact })
            else { continue }
            let token = known(text, as: places[number].kind, in: context)
            context.note(text, token, wanted: places[number].kind, in: played)
        }
        // An upstream's tokens may travel where no response has shown it yet.
        for text in context.remarks?.candidates ?? [] {
            guard let kind = ledger.token(value: text)?.kind,
                !context.notes.contains(where: { $0.text.exact == text.exact })
            else { continue }
            let token = known(text, as: kind, in: context)
            context.note(text, token, wanted: kind, in: played)
        }
        if context.account == nil, let device = context.device {
            context.account = ledger.device(named: device)?.account
        }
    }
}

/// The judgement of the tokens that a route or a condition requires.
extension MockBackend {
    /// Judges one token that the route requires; returns its state if it is not accepted.
    mutating func judge(_ requirement: CompiledRequirement, in context: inout ExchangeContext) -> TokenStanding? {
        var token: Token?
        var text: String?
        let standing: TokenStanding
        switch context.presented(at: requirement.places, played.script.places) {
        case .none(let found): standing = found
        case .text(let found):
            if let entry = context.entry(of: found, as: requirement), requirement.accepted.contains(entry.standing) {
                // The token was judged when the context noted it.
                context.offered[entry.number].isAccepted = true
                return nil
            }
            text = found
            (token, standing) = look(up: found, as: requirement.kind, isForeign: requirement.isForeign, in: context)
        }
        return context.record(token, text, as: standing, for: requirement) ? nil : standing
    }

    /// Looks a text up, and the token's state for a route or a condition that requires a kind.
    private mutating func look(
        up text: String,
        as kind: String,
        isForeign: Bool,
        in context: borrowing ExchangeContext
    ) -> (token: Token?, standing: TokenStanding) {
        let token = known(text, as: kind, in: context)
        if isForeign, token == nil { foreignTokens.note(text, at: context.number) }
        return (token, played.scenario.tokens.standing(of: token, as: kind, isForeign: isForeign, at: context.now))
    }

    /// Returns whether the request carries such a token; one that it does is what `presented` speaks of from then on.
    mutating func fits(_ test: TokenTest, in context: inout ExchangeContext) -> Bool {
        guard let kind = played.scenario.tokens.kind(named: test.kind) else { return false }
        let standing: TokenStanding
        var token: Token?
        switch PresentedToken.first(of: (test.carriers ?? kind.carriers).map { $0.look(into: &context.request) }) {
        case .none(let found): standing = found
        case .text(let text):
            (token, standing) = look(up: text, as: test.kind, isForeign: kind.isForeign, in: context)
        }
        guard test.accepted.contains(standing) else { return false }
        for (pointer, matcher) in test.facts {
            let fact = token.flatMap { pointer.value(in: $0.facts) }
            guard fits(matcher, fact, in: &context) else { return false }
        }
        if let token {
            context.presentedTokens.append((test.kind, token.id))
            context.identifyCaller(by: token)
        }
        return true
    }

}

/// The state of a token at a moment.
extension MockBackend {
    /// Looks a token up; one that this session's key has signed in an earlier life is taken in.
    mutating func known(_ text: String, as kind: String, in context: borrowing ExchangeContext) -> Token? {
        if let note = context.notes.first(where: { $0.text.exact == text.exact }) {
            guard let token = note.token else { return nil }
            if token.kind == kind { return token }
        }
        return ledger.token(value: text, preferring: kind) ?? adopt(text, as: kind, device: context.device)
    }
}
