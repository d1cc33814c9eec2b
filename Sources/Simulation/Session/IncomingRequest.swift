import Basics
package import HTTPCodec
import ScenarioFormat

/// A complete request, with the data that the server has about it.
package struct IncomingRequest: Sendable {
    package var request: HTTPRequest
    /// A Boolean value that indicates whether the request is in memory anyway, because it has come before.
    package var isKnown: Bool
    /// The maximum time between the request's arrival and the server's notice.
    package var lag: Duration
    package var connection: UInt64
    /// The contract's evaluation; `nil` without a contract.
    package var consultation: RequestConsultation?
    /// The reason why the body is not decoded, so that nothing else is asked about the request; `nil` if it is.
    package var codingError: ContentCodingError?
    /// The other server that is asked; `nil` for the backend itself, whose guards, gates and contract do not apply there.
    package var origin: String?
    /// The route in the scenario that is played; the session finds it if `nil`.
    package var route: RequestRoute?
    /// The tokens of the request, if it may be sent on.
    package var remarks: ForwardingRemarks?

    package init(
        _ request: HTTPRequest,
        isKnown: Bool = false,
        lag: Duration = .zero,
        connection: UInt64 = 0,
        consultation: RequestConsultation? = nil,
        codingError: ContentCodingError? = nil,
        origin: String? = nil,
        route: RequestRoute? = nil,
        remarks: ForwardingRemarks? = nil
    ) {
        self.request = request
        self.isKnown = isKnown
        self.lag = lag
        self.connection = connection
        self.consultation = consultation
        self.codingError = codingError
        self.origin = origin
        self.route = route
        self.remarks = remarks
    }
}
