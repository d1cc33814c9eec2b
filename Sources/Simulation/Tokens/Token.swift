package import ScenarioFormat

/// A token that a session has issued, and what became of it.
package struct Token: Sendable {
    /// What the server did to it.
    ///
    /// Expiry is no such thing: it comes by itself.
    package enum Fate: Sendable, Hashable {
        case live
        case revoked
        /// Exchanged for a newer one at this time.
        case exchanged(at: VirtualTime)
        /// Exchanged, and offered again since.
        case reused(exchangedAt: VirtualTime)
        /// Gave way to a newer one of the same owner, because only one may live.
        case displaced
    }

    /// A name that people can say: the kind and a number, `refresh-2`.
    package var id: String
    package var kind: String
    package var value: String
    package var device: String
    package var account: String
    /// Counts the device's sign-ins: tokens of one sign-in and its refreshes are one family.
    package var family: Int
    package var issued: VirtualTime
    /// From this moment on it is not accepted (RFC 7519, section 4.1.4).
    package var expires: VirtualTime
    package var fate: Fate
    /// The token that it was exchanged for or with.
    package var parent: String?

    /// What the token is at a time, by itself: valid, expired, revoked, superseded or reused.
    package func standing(at now: VirtualTime) -> TokenStanding {
        switch fate {
        case .revoked: .revoked
        case .exchanged, .displaced: .superseded
        case .reused: .reused
        case .live: now >= expires ? .expired : .valid
        }
    }

    /// Whether a newer one was handed out for it.
    var isExchanged: Bool {
        switch fate {
        case .exchanged, .reused: true
        case .live, .revoked, .displaced: false
        }
    }
}
