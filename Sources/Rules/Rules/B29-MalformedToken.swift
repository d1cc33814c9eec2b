import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A request sends its token encoded, cut or with other text around it, a text such as `undefined` instead, or no
/// token although the client has one.
///
/// - Evidence: the place where the token belongs has the value of a token of this session with other text around it,
///   without its scheme, encoded once more, or cut; or the text of a missing value, such as `undefined`; or nothing,
///   although the client has used a valid token of that kind before, and uses its session later or had refreshed for this
///   very request, or never sends the token that a sign-in has just brought.
/// - Excuses: a request without a token that comes again with one, or a HEAD, asks for the challenge first (RFC 9110,
///   section 11.3); a user who signs out without a request continues as a guest, but not right after a sign-in;
///   a session that has ended has no token; cookies follow other rules.
/// - Undecided: nothing; a text that holds no known token is a token of another issuer, and so is a short beginning, or
///   the header of a JWT alone, which many tokens have in common.
package enum MalformedToken: Rule {
    package static let profile = RuleProfile(
        rule: .malformedToken,
        reason: "the server refuses a valid session, and the user is signed out",
        advice: "send the unwrapped token after its scheme, and send no request before the token is available",
        source: "RFC 6750, section 2.1; RFC 9110, section 11.4"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.steps.filter { $0.origin == nil && $0.purpose != .signIn }.compactMap { step in
            let refused = step.offered.first { offered in
                offered.isAccepted == false && offered.id == nil && step.history.roles.role(of: offered.wanted) != nil
            }
            guard let refused, let flaw = episode.flaw(of: refused, in: step) else { return nil }
            return RuleViolation(
                "\(step.exchange.subject) \(flaw.words)",
                [step, flaw.token?.source],
                group: "\(episode.steps[0].number) \(flaw.kind) \(refused.wanted)"
            )
        }
    }
}

extension Episode {
    /// The fault at the place of a token: its sort, the token that belongs there, and the end of a sentence.
    typealias TokenFlaw = (kind: String, token: HeldToken?, words: String)

    func flaw(of refused: OfferedToken, in step: Step) -> TokenFlaw? {
        let role = history.roles.role(of: refused.wanted)
        let own = (role == .refresh ? refresh : access).newest(by: step.arrival)?.token
        let received = [access, refresh].flatMap { $0.last(4, by: step.arrival).map(\.token) }
        let held = [own].compactMap { $0 } + received.filter { $0 !== own }
        let texts = history.roles.carriers.flatMap { carrier in
            carrier.texts(in: step.exchange.request).map { (text: $0, scheme: carrier.scheme) }
        }
        for (text, scheme) in texts {
            let credentials = scheme.flatMap { text.credentials(afterScheme: $0) }
            let inner = credentials ?? text
            if let token = held.first(where: { inner.contains($0.text) }) {
                if let scheme, credentials == nil, text.exact == token.text.exact {
                    return ("scheme", token, "sent \(token.id) without its scheme \(scheme.printable)")
                }
                guard inner.exact != token.text.exact else { continue }
                let shown = text.replacing(token.text, with: token.id, maxReplacements: 1).printable.shortened
                return ("wrapped", token, "sent \(token.id) with other text around it: \(shown)")
            }
            for (encoding, plain) in inner.decoded {
                guard let token = held.first(where: { plain.contains($0.text) }) else { continue }
                let rest = plain.exact == token.text.exact ? "" : " with other text around it"
                return ("encoded", token, "sent \(token.id) \(encoding)\(rest)")
            }
            let whole = held.filter { inner.isPart(of: $0.text) }
            if let token = whole.first {
                let end = token.text.utf8.starts(with: inner.utf8) ? "first" : "last"
                let other = whole.contains { $0.id != token.id } ? ", or of another token with the same characters" : ""
                return (
                    "cut",
                    token,
                    "sent only the \(end) \(inner.utf8.count) of the \(token.text.utf8.count) characters of "
                        + "\(token.id)\(other)"
                )
            }
            let word = inner.isEmpty || scheme?.lowercased() == inner.lowercased() ? "" : inner
            guard Self.placeholders.contains(word.lowercased()) else { continue }
            let words = word.isEmpty ? "an empty text" : "the text \"\(word.printable)\""
            return ("placeholder", own, "sent \(words) where the \(refused.wanted.printable) token belongs")
        }
        guard refused.standing == .missing, let own, isMissing(own, in: step) else { return nil }
        return ("missing", own, "was sent without a token, although \(own.id) was still valid")
    }

    /// Texts that programs write where they have no value.
    private static let placeholders: Set = [
        "", "undefined", "null", "nil", "none", "(null)", "<null>", "optional(nil)", "[object object]",
    ]

    /// Returns whether a request lacks a token which the client has, and never came again with one.
    private func isMissing(_ token: HeldToken, in step: Step) -> Bool {
        // A request for a head alone may probe what the resource requires.
        guard token.isGood(before: step), step.exchange.request.method != .head,
            !history.roles.carriers.contains(where: \.isCookie),
            !sessionEnds.contains(where: { $0.number >= token.sourceNumber && $0.moment <= step.arrival })
        else { return false }
        func isUse(_ other: Step) -> Bool {
            other.offered.contains { $0.id.flatMap(history.token(id:))?.family == token.family }
        }
        // Its user may have signed out without a word, unless the client uses the session later, or sends again what a
        // refresh was made for.
        let isReplay =
            token.source?.isRefresh == true && requests(like: step).before(token.sourceNumber).contains(where: isUse)
        let isInUse = steps.before(step.number).contains { $0 === token.source || isUse($0) }
        let isOmitted =
            isInUse && (isReplay || steps.after(step).contains(where: isUse))
            || isForgotten(since: token.source) && !steps.contains(where: isUse)
        return isOmitted && !requests(like: step).after(step).contains { !$0.exchange.lacksTokens }
    }

    /// Returns whether a sign-in had brought a token, and the client continued without one sooner than a person can sign out.
    private func isForgotten(since signIn: Step?) -> Bool {
        guard let signIn, signIn.purpose == .signIn, let end = signIn.end else { return false }
        return steps.after(signIn).prefix { $0.arrival.since(end) < TimeLimit.ownSignOut.value }.contains {
            $0.isRefused && $0.exchange.lacksTokens && $0.isAfter(signIn)
        }
    }
}

extension TokenCarrier {
    fileprivate var isCookie: Bool { if case .cookie = part { true } else { false } }

    /// The texts in this place of a request, as they are there.
    fileprivate func texts(in request: HTTPRequest) -> [String] {
        switch part {
        case .header(let name):
            return request.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        case .query(let name):
            return request.query.map { QueryItems(parsing: $0).items.filter { $0.name == name }.map(\.value) } ?? []
        case .form(let name):
            guard !request.body.isEmpty else { return [] }
            return QueryItems(parsingForm: request.body).items.filter { $0.name == name }.map(\.value)
        case .body(let pointer):
            guard let root = (try? JSONParser().parse(request.body))?.root, let value = pointer.value(in: root) else {
                return []
            }
            return [value.string ?? value.text(.compact)]
        default: return []
        }
    }
}

extension String {
    /// The text after a scheme (RFC 9110, section 11.4); `nil` where it does not begin with that.
    fileprivate func credentials(afterScheme scheme: String) -> String? {
        guard lowercased().hasPrefix(scheme.lowercased() + " ") else { return nil }
        return String(dropFirst(scheme.count).drop { $0 == " " })
    }

    /// The texts of which it may be an encoded form, each with the name of that.
    fileprivate var decoded: [(encoding: String, text: String)] {
        // Padding and the two alphabets are mixed up often enough.
        let base64 = utf8.filter { $0 != UInt8(ascii: "=") }.map { byte in
            byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
        }
        return [
            ("percent-encoded", PercentEncoding.decode(self)),
            ("Base64-encoded", Base64.decodeURL(base64).flatMap { String(validUTF8: $0) }),
        ].compactMap { encoding, text in text.map { (encoding, $0) } }
    }

    /// Returns whether it is so much of a token's beginning or end that it can be nothing else.
    fileprivate func isPart(of token: String) -> Bool {
        guard utf8.count >= Self.shortestPart, utf8.count < token.utf8.count else { return false }
        if token.utf8.reversed().starts(with: utf8.reversed()) { return true }
        // The header of a JWT is common to all that are signed alike.
        let header = Token.claimedEnd(of: token) == nil ? nil : token.utf8.firstIndex(of: UInt8(ascii: "."))
        let shared = header.map { token.utf8.distance(from: token.startIndex, to: $0) + 1 } ?? 0
        return utf8.count > shared && token.utf8.starts(with: utf8)
    }

    /// Shorter texts may be words.
    private static let shortestPart = 8
}
