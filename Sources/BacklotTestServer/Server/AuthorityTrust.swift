#if canImport(Darwin)
    public import Foundation
    import Security

    /// A session delegate that trusts the certificate authority of an https server, without a change to the keychain.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default, delegate: AuthorityTrust(server), delegateQueue: nil)
    /// ```
    ///
    /// Certificates are checked as usual otherwise. Linux has no such delegate, because URLSession accepts only the
    /// system's authorities there.
    public final class AuthorityTrust: NSObject, URLSessionDelegate, Sendable {
        private let authority: [UInt8]?

        /// - Parameter server: A server with the transport ``BacklotServer/Transport/https``.
        public init(_ server: BacklotServer) {
            authority = server.certificateAuthority.map(Array.init)
        }

        /// Returns a credential for the server's certificate, or `nil` if default handling applies; for delegates that
        /// handle further challenges.
        public func credential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
            guard let authority, let trust = challenge.protectionSpace.serverTrust,
                let data = CFDataCreate(nil, authority, authority.count),
                let certificate = SecCertificateCreateWithData(nil, data)
            else { return nil }
            var callBacks = kCFTypeArrayCallBacks
            let anchors = CFArrayCreateMutable(nil, 0, &callBacks)
            CFArrayAppendValue(anchors, Unmanaged.passUnretained(certificate).toOpaque())
            SecTrustSetAnchorCertificates(trust, anchors)
            // The system's authorities remain trusted.
            SecTrustSetAnchorCertificatesOnly(trust, false)
            return SecTrustEvaluateWithError(trust, nil) ? URLCredential(trust: trust) : nil
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
