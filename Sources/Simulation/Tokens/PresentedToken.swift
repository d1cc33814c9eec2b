import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The token in a part of a request.
enum PresentedToken {
    case text(String)
    /// The part contains no text that can be a token: it is missing or malformed.
    case none(TokenStanding)

    /// The first token in several parts of a request; a malformed part counts only if no other part contains a token.
    static func first(of found: [PresentedToken]) -> PresentedToken {
        let text = found.first { if case .text = $0 { true } else { false } }
        let malformed = found.first { if case .none(.malformed) = $0 { true } else { false } }
        return text ?? malformed ?? .none(.missing)
    }
}

extension TokenCarrier {
    func look(into request: inout RequestView) -> PresentedToken {
        if case .header(let name) = part, let scheme {
            guard let value = request.request.fields.bytes(of: name), !value.isEmpty else { return .none(.missing) }
            guard request.count(of: part) == 1 else { return .none(.malformed) }
            return isExact
                ? Self.credentials(in: value, afterPrefix: scheme) : Self.credentials(in: value, scheme: scheme)
        }
        guard let value = request.value(of: part), !value.isNull, value.string?.isEmpty != true else {
            return .none(request.hasBroken(part) ? .malformed : .missing)
        }
        guard let text = value.string, request.count(of: part) == 1 else { return .none(.malformed) }
        return .text(text)
    }

    /// The text after a scheme, which is compared without regard to case (RFC 9110, section 11.1).
    private static func credentials(in value: ArraySlice<UInt8>, scheme: String) -> PresentedToken {
        let length = scheme.utf8.count
        guard
            value.count > length + 1,
            zip(value, scheme.utf8).allSatisfy({ $0 == $1 || $0.isLetter && $0 ^ $1 == 0x20 }),
            value[value.startIndex + length] == UInt8(ascii: " ")
        else { return .none(.malformed) }
        let token = value.dropFirst(length).drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? .none(.malformed) : .text(String(decoding: token, as: UTF8.self))
    }

    /// The text after a scheme and one space, as for a server that compares only this prefix.
    private static func credentials(in value: ArraySlice<UInt8>, afterPrefix scheme: String) -> PresentedToken {
        let space = UInt8(ascii: " ")
        let rest = value.dropFirst(scheme.utf8.count)
        guard value.starts(with: scheme.utf8), rest.first == space, let first = rest.dropFirst().first, first != space
        else { return .none(.malformed) }
        return .text(String(decoding: rest.dropFirst(), as: UTF8.self))
    }
}

extension ExchangeContext {
    /// The first token of several places; a place with something else in it counts only if no other has one.
    mutating func presented(at numbers: [Int], _ places: [TokenPlace]) -> PresentedToken {
        if numbers.count == 1 { return presented(at: numbers[0], places) }
        var found: [PresentedToken] = []
        for number in numbers { found.append(presented(at: number, places)) }
        return PresentedToken.first(of: found)
    }

    mutating func presented(at number: Int, _ places: [TokenPlace]) -> PresentedToken {
        if let known = presented[number] { return known }
        let found = places[number].carrier.look(into: &request)
        presented[number] = found
        return found
    }

    /// Notes a token that the request carries in a place of tokens.
    mutating func note(_ text: String, _ token: Token?, wanted: String, in played: CompiledScenario) {
        notes.append((text, token, offered.count))
        guard let token else {
            offered.append(OfferedToken(wanted: wanted, standing: .unknown))
            return
        }
        identifyCaller(by: token)
        let standing = token.standing(as: token.kind, by: played.scenario.tokens, at: now)
        offered.append(OfferedToken(token, wanted: token.kind, as: standing, at: now))
    }

    mutating func identifyCaller(by token: Token) {
        if device == nil { device = token.device }
        if account == nil { account = token.account }
    }

    /// Puts a judged token into the journal's list, in place of the entry that only noted it.
    ///
    /// - Returns: whether the route accepts it.
    mutating func record(
        _ token: Token?,
        _ text: String?,
        as standing: TokenStanding,
        for requirement: CompiledRequirement
    ) -> Bool {
        // A token in the route's own place identifies the caller, too.
        if let token { identifyCaller(by: token) }
        let (kind, isAccepted) = (requirement.kind, requirement.accepted.contains(standing))
        var entry =
            token.map { OfferedToken($0, wanted: kind, as: standing, at: now) }
            ?? OfferedToken(wanted: kind, kind: standing == .valid ? kind : nil, standing: standing)
        entry.isAccepted = isAccepted
        let note = notes.first { note in
            text.map { $0.exact == note.text.exact } ?? false && offered[note.entry].isAccepted == nil
        }
        if let note { offered[note.entry] = entry } else { offered.append(entry) }
        if !isAccepted, let token, standing == .superseded || standing == .reused { reused.append(token.id) }
        return isAccepted
    }

    /// The data of a token that the request presents: one that a condition has found, else one that was offered.
    func presentedToken(of kind: String, _ ledger: TokenLedger) -> Token? {
        let id =
            presentedTokens.last { $0.kind.exact == kind.exact }?.id
            ?? offered.last { $0.kind?.exact == kind.exact }?.id
        return id.flatMap { ledger.token(id: $0) }
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether it is an ASCII letter.
    fileprivate var isLetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
