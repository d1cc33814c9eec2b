package import ScenarioFormat

/// The information about tokens in a request that may be sent on, without its history.
///
/// A class, because few of the many requests that are passed on have it; it never changes.
package final class ForwardingRemarks: Sendable {
    /// The purpose that its path and its body suggest.
    package let purpose: RoutePurpose?
    /// Texts that may be tokens, wherever they are.
    package let candidates: [String]
    /// The texts that their names call refresh tokens.
    package let refreshTokens: [String]
    /// Values that are shown and saved only by stand-ins.
    package let secrets: [String]
    /// A Boolean value that indicates whether the body may contain secrets that cannot be found.
    package let hidesBody: Bool

    package init(
        purpose: RoutePurpose?,
        candidates: [String] = [],
        refreshTokens: [String] = [],
        secrets: [String] = [],
        hidesBody: Bool = false
    ) {
        (self.purpose, self.candidates, self.secrets) = (purpose, candidates, secrets)
        (self.refreshTokens, self.hidesBody) = (refreshTokens, hidesBody)
    }
}
