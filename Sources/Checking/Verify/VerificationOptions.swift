package import HTTPCodec

/// The limits of a verification, and the values that it sends.
package struct VerificationOptions: Sendable {
    /// A Boolean value that indicates whether operations that change something are sent, too.
    package var allowsWrites = false
    /// A Boolean value that indicates whether a value that breaks its `format` is an error, and not only worth a note.
    package var assertsFormats = false
    /// A Boolean value that indicates whether an operation that could not be judged is a failure, as every warning is.
    package var isStrict = false
    /// A Boolean value that indicates whether operations that change nothing are also sent with optional parameters.
    package var sendsOptional = true
    /// A Boolean value that indicates whether operations are also sent without the credentials that they require.
    package var checksSecurity = false
    /// A Boolean value that indicates whether operations that change nothing are also sent with invalid parameters.
    package var sendsInvalid = false
    /// Only operations with these ids; all when empty.
    package var operationIDs: [String] = []
    /// Only operations that one of these fits; all when empty.
    package var filters: [OperationFilter] = []
    /// Values of parameters by name, in any place.
    package var parameters: [GivenParameter] = []
    /// Fields for every request.
    package var fields = HTTPFields()
    /// The requests that sign in, in their order; the last one brings the token or the session.
    package var signIn: [SignInRequest] = []
    /// The certificates that are accepted.
    package var trust = ServerTrust()
    /// The longest time that one response may take.
    package var timeout = Duration.seconds(10)
    /// The time for which a response is read that may never end, such as a stream of events.
    package var streamTime = Duration.seconds(2)
    /// The most requests that are sent, with sign-in, redirects and repetitions.
    package var maximumRequests = 1_000
    /// The longest wait that the server may ask for with 429 and Retry-After.
    package var maximumWait = Duration.seconds(30)
    /// The most requests that are under way at a time; those that change something are sent one after the other.
    package var concurrency = 1
    /// The seed of made values.
    package var seed: UInt64 = 1

    package init() {}
}
