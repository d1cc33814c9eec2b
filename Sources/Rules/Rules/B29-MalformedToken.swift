import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A request brings something around its token, something in its place, or nothing although the client has one.
///
/// - Evidence: the place where the token belongs has the value of a token of this session with other text around it or
///   without its scheme; or a text that stands for no value, such as `undefined`; or nothing, although the client has used
///   a valid token of that kind before, and uses its session later or had refreshed for this very request.
/// - Excuses: a request without a token that comes again with one, or a HEAD, asks for the challenge first (RFC 9110,
///   section 11.3); a user who signs out without a word goes on as a guest;
///   a session that has ended has no token; cookies follow rules of their own.
/// - Undecided: nothing; a text that holds no known token is a token of another issuer.
package enum MalformedToken: Rule {
    package static let profile = RuleProfile(
        .malformedToken,
        reason: "the server refuses a valid session, and the user is signed out",
        advice: "send the unwrapped token after its scheme, and send no request before the token is available",
        source: "RFC 6750, section 2.1; RFC 9110, section 11.4"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for step in episode.steps where step.origin == nil && step.purpose != .signIn {
            let refused = step.offered.first { offered in
                offered.isAccepted == false && offered.id == nil && step.history.roles.role(of: offered.wanted) != nil
            }
            guard let refused, let flaw = episode.flaw(of: refused, in: step) else { continue }
            violations.add(
                "\(flaw.kind) \(refused.wanted)",
                by: step,
                RuleViolation("\(step.exchange.subject) \(flaw.words)", [step, flaw.token?.source])
            )
        }
        return violations.list
    }
}

/// What is wrong with the place of a token.
private struct Flaw {
    var kind: String
    /// The token that belongs there.
    var token: HeldToken?
    /// The end of a sentence.
    var words: String

    init(_ kind: String, _ token: HeldToken?, _ words: String) {
        (self.kind, self.token, self.words) = (kind, token, words)
    }
}

extension Episode {
    fileprivate func flaw(of refused: OfferedToken, in step: Step) -> Flaw? {
        let role = history.roles.role(of: refused.wanted)
        let own = (role == .refresh ? refresh : access).newest(by: step.arrival)?.token
        let held = [access, refresh].flatMap { $0.last(4, by: step.arrival).map(\.token) } + [own].compactMap { $0 }
        let texts = history.roles.carriers.flatMap { carrier in
            carrier.texts(in: step.exchange.request).map { (text: $0, scheme: carrier.scheme) }
        }
        for (text, scheme) in texts {
            let credentials = scheme.flatMap { text.credentials(afterScheme: $0) }
            let inner = credentials ?? text
            if let token = held.first(where: { inner.contains($0.value) }) {
                if let scheme, credentials == nil, text.hasSameUTF8(as: token.value) {
                    return Flaw("scheme", token, "sent \(token.id) without its scheme \(scheme.printable)")
                }
                guard !inner.hasSameUTF8(as: token.value) else { continue }
                let shown = text.replacing(token.value, with: token.id).printable.shortened
                return Flaw("wrapped", token, "sent \(token.id) with other text around it: \(shown)")
            }
            let word = inner.isEmpty || scheme?.lowercased() == inner.lowercased() ? "" : inner
            guard Self.placeholders.contains(word.lowercased()) else { continue }
            let words = word.isEmpty ? "an empty text" : "the text \"\(word.printable)\""
            return Flaw("placeholder", own, "sent \(words) where the \(refused.wanted.printable) token belongs")
        }
        guard refused.standing == .missing, let own, isMissing(own, in: step) else { return nil }
        return Flaw("missing", own, "was sent without a token, although \(own.id) was still valid")
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
        return isInUse && (isReplay || steps.after(step).contains(where: isUse))
            && !requests(like: step).after(step).contains { !$0.exchange.lacksTokens }
    }
}

extension TokenCarrier {
    fileprivate var scheme: String? { if case .header(_, let scheme, _) = self { scheme } else { nil } }

    fileprivate var isCookie: Bool { if case .cookie = self { true } else { false } }

    /// The texts in this place of a request, as they are there.
    fileprivate func texts(in request: HTTPRequest) -> [String] {
        switch self {
        case .header(let name, _, _):
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
        case .cookie, .basic: return []
        }
    }
}

extension String {
    /// The text after a scheme (RFC 9110, section 11.4); `nil` where it does not begin with that.
    fileprivate func credentials(afterScheme scheme: String) -> String? {
        guard lowercased().hasPrefix(scheme.lowercased() + " ") else { return nil }
        return String(dropFirst(scheme.count).drop { $0 == " " })
    }

    fileprivate func replacing(_ part: String, with other: String) -> String {
        let bytes = Array(utf8), part = Array(part.utf8)
        guard !part.isEmpty, let start = bytes.indices.first(where: { bytes[$0...].starts(with: part) }) else {
            return self
        }
        return String(decoding: bytes[..<start] + Array(other.utf8) + bytes[(start + part.count)...], as: UTF8.self)
    }
}
