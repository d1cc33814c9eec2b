package import HTTPCodec

/// The answer of an upstream server to a request that was sent on to it.
package struct UpstreamAnswer: Sendable {
    /// The response as the client gets it; without its body if that was too long to keep.
    package var response: HTTPResponse
    /// A Boolean value that indicates whether the response is the upstream's with its whole body, so that the contract can
    /// be applied to it.
    package var isWhole = false
    /// A Boolean value that indicates whether the response was made here for a request that the upstream may have got.
    package var isLost: Bool
    /// The tokens that the response hands out, in its order.
    package var grants: [UpstreamGrant] = []
    /// A Boolean value that indicates whether the upstream has refused the token of the request.
    package var isRefusal = false
    /// Other values of the response that are shown and saved only by stand-ins.
    package var secrets: [String] = []
    /// A Boolean value that indicates whether the journal does not get the body, which may contain secrets that cannot be
    /// found.
    package var hidesBody = false

    package init(_ response: HTTPResponse, isLost: Bool = false) {
        (self.response, self.isLost) = (response, isLost)
    }
}

/// A token that an upstream server has handed out.
package struct UpstreamGrant: Sendable, Hashable {
    package var kind: String
    package var value: String
    /// The lifetime that the response or the token states; `nil` for the lifetime of the kind.
    package var lifetime: Duration?
    /// A Boolean value that indicates whether an equal value from now on has its whole lifetime again, like a cookie
    /// (RFC 6265, section 5.3).
    package var isExtended: Bool
    /// A Boolean value that indicates whether another server has granted the token, and the upstream has accepted it.
    package var isShown: Bool

    package init(kind: String, value: String, lifetime: Duration?, isExtended: Bool = false, isShown: Bool = false) {
        (self.kind, self.value, self.lifetime) = (kind, value, lifetime)
        (self.isExtended, self.isShown) = (isExtended, isShown)
    }
}
