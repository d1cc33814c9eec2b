import Simulation

/// A refresh took place, its answer was lost, and the client took that for the end of the session.
package enum LostResponseSignedOut: Judgement {
    package static let profile = JudgementProfile(
        "B6",
        "lost-response-signed-out",
        reason: "a tunnel or a lift at the wrong moment signs the user out",
        advice: "when the answer to a refresh is lost, try the refresh again with the token that is stored",
        source: "RFC 6749, section 5.2; RFC 9110, section 9.2.2"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        history.prematureEnds(after: .lost) { farewell, refresh, token in
            "exchange \(refresh.number) renewed the tokens and its answer was lost, and the client \(farewell.words), "
                + "though \(token.id) was still good for another try"
        }
    }
}
