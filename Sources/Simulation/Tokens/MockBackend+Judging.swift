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
            note(text, wanted: places[number].kind, in: &context)
        }
        // An upstream's tokens may travel where no response has shown it yet.
        for text in context.candidates {
            guard let token = ledger.token(value: text),
                !context.notes.contains(where: { $0.text.exact == text.exact })
            else { continue }
            note(text, wanted: token.kind, in: &context)
        }
        if context.account == nil, let device = context.device {
            context.account = ledger.device(named: device)?.account
        }
    }

    private mutating func note(_ text: String, wanted: String, in context: inout ExchangeContext) {
        let token = known(text, as: wanted, in: context)
        context.notes.append((text, token, context.offered.count))
        guard let token else {
            context.offered.append(OfferedToken(wanted: wanted, standing: .unknown))
            return
        }
        if context.device == nil { context.device = token.device }
        if context.account == nil { context.account = token.account }
        let standing = token.standing(as: token.kind, by: played.scenario.tokens, at: context.now)
        context.offered.append(OfferedToken(token, wanted: token.kind, as: standing, at: context.now))
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
                // What was noted of it says all that there is to say.
                context.offered[entry.number].isAccepted = true
                return nil
            }
            text = found
            token = known(found, as: requirement.kind, in: context)
            if requirement.isForeign, token == nil { foreignTokens.note(found, at: context.number) }
            standing = played.scenario.tokens.standing(
                of: token,
                as: requirement.kind,
                isForeign: requirement.isForeign,
                at: context.now
            )
        }
        // A token in the route's own place identifies the caller, too.
        if context.device == nil { context.device = token?.device }
        if context.account == nil { context.account = token?.account }
        let isAccepted = requirement.accepted.contains(standing)
        var entry =
            token.map { OfferedToken($0, wanted: requirement.kind, as: standing, at: context.now) }
            ?? OfferedToken(
                wanted: requirement.kind,
                kind: standing == .valid ? requirement.kind : nil,
                standing: standing
            )
        entry.isAccepted = isAccepted
        context.record(entry, of: text)
        guard !isAccepted else { return nil }
        if let token, standing == .superseded || standing == .reused { context.reused.append(token.id) }
        return standing
    }

    /// Returns whether the request carries such a token; one that it does is what `presented` speaks of from then on.
    mutating func fits(_ test: TokenTest, in context: inout ExchangeContext) -> Bool {
        guard let kind = played.scenario.tokens.kind(named: test.kind) else { return false }
        let standing: TokenStanding
        var token: Token?
        switch PresentedToken.first(of: (test.carriers ?? kind.carriers).map { $0.look(into: &context.request) }) {
        case .none(let found): standing = found
        case .text(let text):
            token = known(text, as: test.kind, in: context)
            if kind.isForeign, token == nil { foreignTokens.note(text, at: context.number) }
            standing = played.scenario.tokens.standing(
                of: token,
                as: test.kind,
                isForeign: kind.isForeign,
                at: context.now
            )
        }
        guard test.accepted.contains(standing) else { return false }
        for (pointer, matcher) in test.facts {
            let fact = token.flatMap { pointer.value(in: $0.facts) }
            guard fits(matcher, fact, in: &context) else { return false }
        }
        if let token {
            context.presentedTokens.append((test.kind, token.id))
            if context.device == nil { context.device = token.device }
            if context.account == nil { context.account = token.account }
        }
        return true
    }

}

/// The state of a token at a moment.
extension MockBackend {
    /// Looks a token up; one that this session's key has signed in an earlier life is taken in.
    mutating func known(_ text: String, as kind: String, in context: ExchangeContext) -> Token? {
        if let note = context.notes.first(where: { $0.text.exact == text.exact }) {
            guard let token = note.token else { return nil }
            if token.kind == kind { return token }
        }
        return ledger.token(value: text, preferring: kind) ?? adopt(text, as: kind, device: context.device)
    }
}
