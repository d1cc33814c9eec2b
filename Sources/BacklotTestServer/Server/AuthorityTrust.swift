/// The decision of `AuthorityTrust` without Security and URLSession, so that every platform can test it.
struct AuthorityDecision: Sendable {
    /// The certificate of the server's authority in DER; `nil` for a server without TLS.
    let authority: [UInt8]?

    /// Returns the trust with which a challenge is answered; `nil` if it is left to the default handling, which also
    /// reports why a certificate is not trusted.
    ///
    /// - Parameters:
    ///   - trust: The trust of the challenge; `nil` for one that is not about a server's certificate, such as one for a
    ///     password.
    ///   - isTrusted: Evaluates a trust with an additional authority.
    func accepted<Trust>(_ trust: Trust?, isTrusted: (Trust, [UInt8]) -> Bool) -> Trust? {
        guard let authority, let trust, isTrusted(trust, authority) else { return nil }
        return trust
    }
}

#if canImport(Darwin)
    public import Foundation
    import TLS

    /// A session delegate that trusts the certificate authority of an https server, without a change to the keychain.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default, delegate: AuthorityTrust(server), delegateQueue: nil)
    /// ```
    ///
    /// Certificates are checked as usual otherwise. Linux has no such delegate, because URLSession accepts only the
    /// system's authorities there.
    public final class AuthorityTrust: NSObject, URLSessionDelegate, Sendable {
        private let decision: AuthorityDecision

        /// - Parameter server: A server with the transport ``BacklotServer/Transport/https``.
        public init(_ server: BacklotServer) {
            decision = AuthorityDecision(authority: server.certificateAuthority.map(Array.init))
        }

        /// Returns a credential for the server's certificate, or `nil` if default handling applies; for delegates that
        /// handle further challenges.
        public func credential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
            decision.accepted(challenge.protectionSpace.serverTrust) { trust, authority in
                SystemTLS.accepts(trust, authorities: [authority])
            }.map { URLCredential(trust: $0) }
        }

        /// Accepts the server's certificate if the authority has signed it.
        public func urlSession(
            _ session: URLSession,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let credential = credential(for: challenge)
            completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
        }
    }
#endif
