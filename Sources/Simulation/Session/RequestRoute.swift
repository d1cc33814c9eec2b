package import Basics
package import HTTPCodec
import JSON
import ScenarioFormat

/// Where a request leads in a scenario, as its head alone tells.
///
/// It is the same for every request with the same head, for as long as the scenario is the same one. A class, because
/// requests refer to it; it never changes.
package final class RequestRoute: Sendable {
    let match: RouteTree.Match
    /// The other server that is asked; `nil` for the backend itself.
    let origin: String?
    /// The rate at which the body is read, in bytes per second; `nil` for unlimited.
    package let uploadRate: Int?
    /// The response, where nothing in the request or the session decides about it; `nil` where ``Session/decide`` does.
    package let plain: PlainResponse?
    /// The head with its parsed query, and the texts in each place of tokens; neither if a body follows.
    private let view: RequestView?
    let presented: [PresentedToken?]

    fileprivate init(
        _ match: RouteTree.Match,
        origin: String?,
        uploadRate: Int? = nil,
        of head: HTTPRequest,
        in scenario: CompiledScenario
    ) {
        self.match = match
        self.origin = origin
        self.uploadRate = uploadRate
        guard !head.framing.announcesBody else {
            (plain, view, presented) = (nil, nil, [])
            return
        }
        var view = RequestView(head)
        let presented = scenario.script.places.map { $0.carrier.look(into: &view) }
        if origin == nil, case .route(let index, _) = match {
            plain = scenario.plain(scenario.script.routes[index], for: head, bringing: presented)
        } else {
            plain = nil
        }
        // Where no token can end it, a plain response needs neither.
        if let plain, plain.credential == nil {
            (self.view, self.presented) = (nil, [])
            return
        }
        view.readQuery()
        (self.view, self.presented) = (view, presented)
    }

    /// The request with what is known of it; `nil` where the head was another one's, or a body has come since.
    func view(of request: HTTPRequest) -> RequestView? {
        view.flatMap { $0.request.isIdentical(to: request) ? $0 : nil }
    }
}

/// A response that every request of a route gets immediately, regardless of the history.
package struct PlainResponse: Sendable {
    package let message: PreparedResponse
    let key: String
    let routeID: String
    /// The parts of the story that it plays.
    let parts: [StoryPart]
    /// The token that the request brings; it must be valid for the response to be this one.
    let credential: PlainCredential?
    /// The data for the contract's evaluation.
    package let script: Decision.ScenarioResponse
}

/// The one token that a head has, and what its route asks of it.
struct PlainCredential: Sendable {
    let text: String
    /// The kind that travels in its place.
    let wanted: String
    /// The kind that the route requires; `nil` where it requires none.
    let required: String?
    /// The kinds with which the route is a refresh.
    let refreshKinds: [String]
}

extension CompiledScenario {
    /// Finds the route of a request.
    ///
    /// - Parameter origin: the other server that is asked; `nil` for the backend itself.
    package func route(_ head: HTTPRequest, at origin: String? = nil) -> RequestRoute {
        guard let origin else {
            let match = script.tree.match(head)
            guard case .route(let index, _) = match else {
                return RequestRoute(match, origin: nil, of: head, in: self)
            }
            return RequestRoute(match, origin: nil, uploadRate: script.routes[index].uploadRate, of: head, in: self)
        }
        guard let other = script.origin(named: origin) else {
            return RequestRoute(.none, origin: origin, of: head, in: self)
        }
        let match = other.tree.match(head)
        var uploadRate: Int?
        if case .route(let index, _) = match { uploadRate = other.routes[index].uploadRate }
        return RequestRoute(match, origin: origin, uploadRate: uploadRate, of: head, in: self)
    }

    /// The rate at which the body of a request is read, in bytes per second; `nil` for unlimited.
    package func uploadRate(for head: HTTPRequest, origin: String? = nil) -> Int? {
        route(head, at: origin).uploadRate
    }

    /// The response of a route that asks at most for a token and changes nothing, to a request that brings at most one.
    ///
    /// - Parameter presented: the texts in each place of tokens.
    fileprivate func plain(
        _ route: CompiledRoute,
        for head: HTTPRequest,
        bringing presented: [PresentedToken]
    ) -> PlainResponse? {
        guard
            let compiled = route.constantResponse, scenario.gates.isEmpty,
            script.earlyGuards.isEmpty, script.lateGuards.isEmpty,
            head.method != .head, !head.asksForAnotherForm,
            !(scenario.deviceHeader.map(head.fields.contains) ?? false)
        else { return nil }
        var credential: PlainCredential?
        if presented.contains(where: { if case .missing = $0 { false } else { true } }) {
            credential = self.credential(among: presented, for: route)
            guard credential != nil else { return nil }
        } else if !route.requirements.isEmpty {
            return nil
        }
        guard let message = script.prepared(compiled) else { return nil }
        return PlainResponse(
            message: message,
            key: route.key,
            routeID: route.id,
            parts: compiled.parts,
            credential: credential,
            script: Decision.ScenarioResponse(constant: compiled.number, compiled: compiled)
        )
    }

    /// The token of a head, where it has one text for all places that count, and the route looks for it there.
    private func credential(among presented: [PresentedToken], for route: CompiledRoute) -> PlainCredential? {
        var token: (text: String, kind: String)?
        for (place, found) in zip(script.places, presented) where place.isEverywhere {
            guard case .text(let text) = found else { continue }
            if let token, !token.text.hasSameUTF8(as: text) { return nil }
            token = token ?? (text, place.kind)
        }
        guard let token else { return nil }
        let requirement = route.requirements.first
        if let requirement {
            guard !requirement.isForeign, requirement.accepted.contains(.valid),
                case .text(let text) = PresentedToken.first(of: requirement.places.map { presented[$0] }),
                text.hasSameUTF8(as: token.text)
            else { return nil }
        }
        return PlainCredential(
            text: token.text,
            wanted: token.kind,
            required: requirement?.kind,
            refreshKinds: route.purposes.refreshKinds
        )
    }
}

extension HTTPRequest {
    /// Fields that ask for a part or for another form of a response than the one that the route has.
    private static let askingFields = [
        "Origin", "Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
    ]

    fileprivate var asksForAnotherForm: Bool { Self.askingFields.contains(where: fields.contains) }
}

extension CompiledRoute {
    /// The one response of a route that asks at most for a token, has it at once and changes nothing by it.
    fileprivate var constantResponse: CompiledResponse? {
        guard
            requirements.count <= 1, rate == nil, finds.isEmpty, cases.isEmpty, consequences.isEmpty,
            responses.listed.isEmpty,
            purposes.common != .refresh, let own = responses.own, own.isConstant
        else { return nil }
        let response = own.response
        // A 401 and a response that asks to come back later may be held, and a 405 names the methods that there are.
        guard
            own.changesNothing, own.demands.isEmpty, own.demandedContent == nil, response.latency == nil,
            response.fault == nil, response.pacing == nil, response.negotiation.isPlain, response.status != 401,
            response.status != 405, response.headers.allSatisfy({ $0.name.lowercased() != "retry-after" })
        else { return nil }
        return own
    }
}

extension Session {
    /// Answers a request of a plain route at once, and writes it into the journal as sent.
    ///
    /// It does what ``decide(_:at:lag:connection:evaluation:origin:)`` and ``end(_:_:at:)`` would do together.
    ///
    /// - Parameters:
    ///   - sharesRequest: whether the request lies in the memory anyway.
    ///   - details: what the contract has found in such an exchange.
    ///   - end: when the response leaves.
    /// - Returns: the number of the exchange and the second of its date; `nil` if something else in the session
    ///   has a say in it, and nothing has changed.
    package mutating func answerAtOnce(
        _ request: HTTPRequest,
        with plain: PlainResponse,
        sharesRequest: Bool,
        details: ExchangeDetails?,
        at now: MonotonicTime,
        end: MonotonicTime,
        lag: Duration,
        connection: UInt64
    ) -> (number: UInt64, second: Int64)? {
        guard clock.mode != .automatic else { return nil }
        let time = catchUp(at: now)
        guard armedFaults.isEmpty, clock.mode != .automatic else { return nil }
        var details = details
        if let credential = plain.credential {
            guard let token = validToken(credential, at: time) else { return nil }
            details = .offering(token, as: credential, at: time, with: details)
        }
        lastExchange += 1
        if firstArrival == nil { firstArrival = now }
        for part in plain.parts { notePlay(of: part, by: lastExchange) }
        let second = (clock.skew == .zero ? time : time + clock.skew).seconds
        journal.append(
            Exchange(
                number: lastExchange,
                time: time,
                arrival: now,
                lag: lag,
                end: max(end, now),
                outcome: .sent,
                connection: connection,
                launch: client.launch,
                request: request,
                sharesRequest: sharesRequest,
                route: plain.key,
                message: .prepared(plain.message, dated: second),
                details: details
            )
        )
        return (lastExchange, second)
    }

    /// The session's token that a request brings; `nil` where it is not valid for the route, or is another one.
    private func validToken(_ credential: PlainCredential, at time: VirtualTime) -> Token? {
        guard let token = ledger.token(value: credential.text, preferring: credential.wanted),
            credential.required.map({ $0 == token.kind }) ?? true, !credential.refreshKinds.contains(token.kind),
            standing(of: token, as: token.kind, at: time) == .valid
        else { return nil }
        return token
    }
}

extension ExchangeDetails {
    /// The constant data of exchanges with a fixed response.
    package static func constant(_ violations: [Violation], to plain: PlainResponse) -> ExchangeDetails? {
        let breaks = plain.script.response.breaks
        guard breaks != nil || !violations.isEmpty else { return nil }
        var content = Content()
        content.violations = violations
        content.breaks = breaks
        content.sharesBody = true
        return ExchangeDetails(content)
    }

    /// The same of an exchange to which a valid token was brought.
    fileprivate static func offering(
        _ token: Token,
        as credential: PlainCredential,
        at time: VirtualTime,
        with constant: ExchangeDetails?
    ) -> ExchangeDetails? {
        var content = constant?.content ?? Content()
        content.sharesBody = true
        content.device = token.device
        content.account = token.account
        var offered = OfferedToken(token, wanted: token.kind, as: .valid, at: time)
        if credential.required != nil { offered.isAccepted = true }
        content.offered = [offered]
        return ExchangeDetails(content)
    }
}
