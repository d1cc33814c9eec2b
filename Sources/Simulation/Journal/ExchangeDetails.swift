package import Basics
package import ScenarioFormat

/// The data that only some exchanges have.
///
/// A class, so that exchanges may share it. Immutable, so that the log may read it while the session continues.
package final class ExchangeDetails: Sendable {
    package let content: Content

    /// - Returns: `nil` for an exchange without any of the data.
    init?(_ content: consuming Content) {
        if content.isEmpty { return nil }
        self.content = content
    }

    /// The data of an exchange that has none of it.
    package static let none = Content()

    /// The server that responded to a request without a route: the upstream, or this one in its place.
    package static let upstream = "upstream"
    package static let proxy = "proxy"

    package struct Content: Sendable {
        /// The process of the client that sent it, where several share the session.
        package var process: String?
        /// The other server that was asked; `nil` for the backend itself.
        package var origin: String?
        /// The gate that held it.
        package var hold: GateHold?
        /// The case or guard that answered, or ``upstream`` or ``proxy``.
        package var answeredBy: String?
        package var nearest: NearestRoute?
        package var fault: Fault.Kind?
        /// The number of the fault that a user had armed for it.
        package var armedFault: Int?
        /// A Boolean value that indicates whether grants and changes took place.
        package var isCommitted = true
        /// The time for which the response was held back on purpose.
        package var wait = Duration.zero
        /// The time for which it was held after that in real time, so that what was sent before it was known came first.
        package var refusalHold = Duration.zero
        package var device: String?
        package var account: String?
        package var offered: [OfferedToken] = []
        /// The tokens handed out: kind, id (`nil` for null) and where each came from.
        package var granted: [GrantedToken] = []
        package var stateChanges: [Event.StateChange] = []
        package var findings: [Finding] = []
        /// The contract violations of the request and the response.
        package var violations: [Violation] = []
        /// The reason why the response breaks the contract on purpose.
        package var breaks: String?
        /// Its messages, if it is a stream.
        package var messages = StreamMessages()
        /// A Boolean value that indicates whether the response's body is in the scenario anyway, so that storing it costs
        /// nothing.
        var sharesBody = false

        /// A Boolean value that indicates whether there is nothing to store.
        fileprivate var isEmpty: Bool {
            process == nil && origin == nil && hold == nil && answeredBy == nil && nearest == nil && fault == nil
                && armedFault == nil
                && isCommitted && wait == .zero && refusalHold == .zero && device == nil && account == nil
                && offered.isEmpty && granted.isEmpty && stateChanges.isEmpty && findings.isEmpty && violations.isEmpty
                && breaks == nil && messages.isEmpty && !sharesBody
        }
    }
}
