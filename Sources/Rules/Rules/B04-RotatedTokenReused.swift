import ScenarioFormat
import Simulation

/// A refresh token is sent again although its successor has arrived.
///
/// - Evidence: a refresh sends a refresh token that has been exchanged, after its successor of the same kind and
///   session had reached the client.
/// - Excuses: the two refreshes were under way at the same time; the server still accepts the old token and the new
///   access token has not been used; the response with the successor was lost.
/// - Undecided: whether the client had the successor, where the server noticed the request late.
package enum RotatedTokenReused: Rule {
    package static let profile = RuleProfile(
        rule: .rotatedTokenReused,
        reason: "the server treats a used refresh token as stolen and ends every session of the device",
        advice: "replace the stored refresh token with the new one before any other code can read it",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        var reported: Set<String> = []
        return episode.refreshes.compactMap { refresh in
            guard let (bringer, old, new, following) = episode.successor(of: refresh),
                reported.insert(following == .yes ? old.id : "\(old.id) unclear").inserted
            else { return nil }
            let spender = old.spender ?? bringer
            let grace = refresh.refresh?.isAccepted == true ? " within the grace period" : ""
            let words =
                spender === bringer
                ? "exchange \(spender.number) had replaced the token with \(new.id)"
                : "exchange \(spender.number) had used the token and exchange \(bringer.number) had returned \(new.id)"
            return RuleViolation(
                "exchange \(refresh.number) sent \(old.id) again\(grace), although \(words)",
                [refresh, bringer],
                isUnclear: following == .unclear
            )
        }
    }
}

extension Episode {
    /// The step that had brought the successor of an offered refresh token, and both tokens.
    fileprivate func successor(of refresh: Step) -> (bringer: Step, old: HeldToken, new: HeldToken, Following)? {
        guard let offer = refresh.refresh, offer.isSpent, let old = offer.token,
            let bringer = renewals(of: old.family).before(refresh.number).last,
            let new = bringer.granted(.refresh).last, new !== old, new.kind == old.kind, old.isSpent(before: bringer)
        else { return nil }
        // A new token that was used in between shows that the client had it, regardless of how fast all that was.
        let isUsed = isUsed(after: bringer, before: refresh)
        // A server that still accepts the old one expects it from requests that were under way: only the new access
        // token in use shows that this is not one of those.
        let following = isUsed ? .yes : offer.isAccepted == true ? .no : refresh.reoffers(after: bringer)
        return following == .no ? nil : (bringer, old, new, following)
    }

    /// Returns whether an access token that came with the new refresh token was used before the old one was offered
    /// again.
    private func isUsed(after bringer: Step, before refresh: Step) -> Bool {
        bringer.granted(.access).contains { token in
            uses(of: token).between(bringer, refresh).contains { $0.arrival < refresh.begin }
        }
    }
}

extension HeldToken {
    /// Returns whether the token was no longer valid when a new one was brought.
    fileprivate func isSpent(before bringer: Step) -> Bool {
        spender.map { $0.number <= bringer.number } ?? (token.ended.map { $0 <= bringer.time } ?? false)
    }
}

extension Offer {
    /// A Boolean value that indicates whether a refresh token has been exchanged for another one before, still
    /// accepted or not.
    fileprivate var isSpent: Bool {
        switch offered.standing {
        case .superseded, .reused: offered.isAccepted != nil
        case .valid where offered.isAccepted == true: token?.spender != nil
        default: false
        }
    }
}
