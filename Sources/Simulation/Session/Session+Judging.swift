import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// Finds out who is asking, from the device header and from whatever tokens the request carries.
    mutating func noteTokens(in context: inout ExchangeContext) {
        if let header = stage.scenario.deviceHeader { context.device = context.request.request.fields[header] }
        let places = stage.script.places
        if !places.isEmpty { context.presented = Array(repeating: nil, count: places.count) }
        for (number, place) in places.enumerated() where place.isEverywhere {
            guard case .text(let text) = presented(at: number, in: &context),
                !context.notes.contains(where: { $0.text.utf8.elementsEqual(text.utf8) })
            else { continue }
            note(text, wanted: place.kind, in: &context)
        }
        if context.account == nil, let device = context.device {
            context.account = ledger.device(named: device)?.account
        }
    }

    private mutating func note(_ text: String, wanted: String, in context: inout ExchangeContext) {
        let token = known(text, as: wanted, in: context)
        context.notes.append((text, token?.id, context.offered.count))
        guard let token else {
            context.offered.append(OfferedToken(wanted: wanted, standing: .unknown))
            return
        }
        if context.device == nil { context.device = token.device }
        if context.account == nil { context.account = token.account }
        let standing = standing(of: token, as: token.kind, at: context.now)
        context.offered.append(OfferedToken(token, wanted: token.kind, as: standing, at: context.now))
    }

    /// Judges one token that the route wants; returns the refusal if it is not accepted.
    mutating func judge(_ requirement: CompiledRequirement, in context: inout ExchangeContext) -> Answer? {
        var token: Token?
        var text: String?
        let standing: TokenStanding
        switch presented(at: requirement.places, in: &context) {
        case .missing: standing = .missing
        case .malformed: standing = .malformed
        case .text(let found):
            text = found
            token = known(found, as: requirement.kind, in: context)
            standing = self.standing(of: token, for: requirement, at: context.now)
        }
        let isAccepted = requirement.accepted.contains(standing)
        var entry =
            token.map { OfferedToken($0, wanted: requirement.kind, as: standing, at: context.now) }
            ?? OfferedToken(
                wanted: requirement.kind,
                kind: standing == .valid ? requirement.kind : nil,
                standing: standing
            )
        entry.isAccepted = isAccepted
        record(entry, of: text, in: &context)
        guard !isAccepted else { return nil }
        if let token, standing == .superseded || standing == .reused { context.reused.append(token.id) }
        if let response = requirement.rejections[standing] { return Answer(response) }
        return Answer(.refused(requirement.kind, standing))
    }

    /// What a text is for a route.
    ///
    /// - Parameter token: the session's own that it is, if it is one; every other text is somebody else's token.
    private func standing(
        of token: Token?,
        for requirement: CompiledRequirement,
        at time: VirtualTime
    ) -> TokenStanding {
        if requirement.isForeign { return token == nil ? .valid : .wrongKind }
        return token.map { standing(of: $0, as: requirement.kind, at: time) } ?? .unknown
    }

    /// Puts a judged token into the journal's list, in place of the entry that only noted it.
    private func record(_ entry: OfferedToken, of text: String?, in context: inout ExchangeContext) {
        let note = context.notes.first { note in
            text.map { $0.utf8.elementsEqual(note.text.utf8) } ?? false
                && context.offered[note.entry].isAccepted == nil
        }
        if let note { context.offered[note.entry] = entry } else { context.offered.append(entry) }
    }

    // MARK: Looking

    /// The first token of several places; a place with something else in it counts only if no other has one.
    private func presented(at places: [Int], in context: inout ExchangeContext) -> PresentedToken {
        var isMalformed = false
        for place in places {
            switch presented(at: place, in: &context) {
            case .text(let text): return .text(text)
            case .malformed: isMalformed = true
            case .missing: break
            }
        }
        return isMalformed ? .malformed : .missing
    }

    private func presented(at place: Int, in context: inout ExchangeContext) -> PresentedToken {
        if let known = context.presented[place] { return known }
        let found = stage.script.places[place].carrier.look(into: &context.request)
        context.presented[place] = found
        return found
    }
}

extension TokenCarrier {
    fileprivate func look(into request: inout RequestView) -> PresentedToken {
        switch self {
        case .header(let name, let scheme, let isExact):
            guard let value = request.request.fields.bytes(of: name), !value.isEmpty else { return .missing }
            guard let scheme else { return .text(String(decoding: value, as: UTF8.self)) }
            return isExact
                ? Self.credentials(in: value, afterPrefix: scheme) : Self.credentials(in: value, scheme: scheme)
        case .body(let pointer):
            guard let value = request.json().flatMap({ pointer.value(in: $0.root) }) else { return .missing }
            guard let text = value.string else { return value.isNull ? .missing : .malformed }
            return text.isEmpty ? .missing : .text(text)
        case .query(let name):
            guard let text = request.query(name), !text.isEmpty else { return .missing }
            return .text(text)
        }
    }

    /// What follows a scheme, which is compared without regard to case (RFC 9110, section 11.1).
    private static func credentials(in value: ArraySlice<UInt8>, scheme: String) -> PresentedToken {
        let length = scheme.utf8.count
        guard
            value.count > length + 1,
            zip(value, scheme.utf8).allSatisfy({ $0 == $1 || $0.isLetter && $0 ^ $1 == 0x20 }),
            value[value.startIndex + length] == UInt8(ascii: " ")
        else { return .malformed }
        let token = value.dropFirst(length).drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? .malformed : .text(String(decoding: token, as: UTF8.self))
    }

    /// What follows a scheme and one space, as a server finds it that only looks for this beginning.
    private static func credentials(in value: ArraySlice<UInt8>, afterPrefix scheme: String) -> PresentedToken {
        let space = UInt8(ascii: " ")
        let rest = value.dropFirst(scheme.utf8.count)
        guard value.starts(with: scheme.utf8), rest.first == space, let first = rest.dropFirst().first, first != space
        else { return .malformed }
        return .text(String(decoding: rest.dropFirst(), as: UTF8.self))
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter.
    fileprivate var isLetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
