import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

/// The current scenario of a session; a reload or another story replaces it.
///
/// A class, because everything that was found out about it holds for as long as it is the same one.
final class Play: Sendable {
    let played: CompiledScenario
    /// The contract next to it, where something is done with one.
    let contract: (any ContractEnforcer)?

    /// Sends requests on to the upstream; `nil` without an upstream.
    let forwarder: (any RequestForwarder)?

    init(_ setup: LiveSession.Setup) {
        played = setup.played
        forwarder = played.scenario.upstream == nil ? nil : setup.prepared.forwarder
        contract = setup.contract
    }
}

/// Where the head of a request leads: its session, its route there, and what the contract says.
///
/// A class, because later requests with the same head refer to it, too; it never changes.
final class RoutedRequest: RoutedHead {
    /// The session's ordinal, or zero before it has a session; a request does not keep a deleted session alive.
    let ordinal: UInt64
    let play: Play
    /// The other server of the story that is asked; `nil` for the backend itself.
    let origin: String?
    let route: RequestRoute
    /// The head without the part of the path that names the session; `nil` where the request has it so.
    private let readdressed: HTTPRequest?
    /// The contract's evaluation, if it need not see a body first.
    let consultation: RequestConsultation?
    /// The most bytes of a body that is kept.
    private let limit: Int
    /// A Boolean value that indicates whether the body is sent on while it arrives, because it has no values to look at.
    private let passesBody: Bool

    var intake: BodyIntake {
        BodyIntake(
            bytesPerSecond: route.uploadRate,
            limit: mayBeForwarded ? nil : limit,
            longestBefore: !mayBeForwarded ? nil : passesBody ? 0 : min(limit, ForwardedExchange.longestKept)
        )
    }

    /// A Boolean value that indicates whether the request may be sent on to another server.
    var mayBeForwarded: Bool { play.forwarder != nil && route.mayBeForwarded }

    /// - Parameters:
    ///   - address: whose head may be followed by a body that has not been read.
    ///   - isBeforeItsSession: whether its own session is yet to be made, and will begin as this one is.
    init(
        _ address: SessionAddress,
        of session: LiveSession,
        at origin: String?,
        isBeforeItsSession: Bool = false,
        _ limits: HTTPLimits
    ) {
        limit = limits.body
        let head = address.request
        passesBody =
            head.framing == .chunked
            && head.fields["Content-Type"].flatMap { MediaType(parsing: $0) }?.mayHaveNames != true
        let play = session.play
        let route = play.played.route(head, at: origin)
        let isWhole = !head.framing.announcesBody
        let consultation = isWhole && origin == nil ? play.contract?.consult(head) : nil
        ordinal = isBeforeItsSession ? 0 : session.ordinal
        self.play = play
        self.origin = origin
        readdressed = address.isInPath ? head : nil
        self.route = route
        self.consultation = consultation
    }

    /// The request as the session sees it.
    func request(_ request: HTTPRequest) -> HTTPRequest {
        guard let readdressed else { return request }
        return request.framing.announcesBody ? request.readdressed(to: readdressed.path) : readdressed
    }
}
