import Basics
package import HTTPCodec
import JSON
package import ScenarioFormat

/// The response to a request, its time, and its fault.
package struct Decision: Sendable {
    /// The exchange's number in its session's journal.
    package var exchange: UInt64
    package var message: ResponseMessage
    package var wait: Wait
    /// The time for which it is held after that wait, on the machine's clock; see ``Session/refusalHold``.
    package var hold = Duration.zero
    package var pacing: Pacing?
    package var fault: WireFault?
    /// A Boolean value that indicates whether the body is sent part by part by ``Session/Effect/sent(_:)``; the
    /// response has all of it as well.
    package var isStream = false
    /// The time of a sign-out that the upstream does not get; `nil` for every other request.
    package internal(set) var withheld: VirtualTime?
    /// The handling of the client's messages, if the stream is a WebSocket.
    package var webSocket: WebSocketRole?

    /// A session's handling of the messages of a WebSocket's client.
    package struct WebSocketRole: Sendable, Hashable {
        package var echoes: Bool
    }
    /// The way in which the upstream's message is sent, where the upstream responds; ``response`` is then for callers
    /// that cannot ask it.
    package var forwarding: Forwarding? {
        get { upstream?.forwarding }
        set { upstream = newValue.map(Upstream.init) }
    }

    private var upstream: Upstream?

    /// A class, because few of the many decisions that are passed on have one.
    private final class Upstream: Sendable {
        let forwarding: Forwarding

        init(_ forwarding: Forwarding) { self.forwarding = forwarding }
    }

    /// A Boolean value that indicates whether the body is to be sent as gzip, as its fields say already.
    package var isCompressed = false
    /// The response of the scenario that it is; `nil` for the tool's own responses and for those of the contract.
    package var script: ScenarioResponse?

    package init(exchange: UInt64, message: ResponseMessage, wait: Wait) {
        self.exchange = exchange
        self.message = message
        self.wait = wait
    }

    /// The decision for a chosen response with its message; draws its wait, and the details of its fault.
    ///
    /// - Parameter isVaried: whether requests of other origins get other fields.
    init(
        _ chosen: ChosenResponse,
        _ message: ResponseMessage,
        _ fault: Fault?,
        isVaried: Bool,
        in context: inout ExchangeContext
    ) {
        self.init(exchange: context.number, message: message, wait: .none)
        if context.isWithheld { withheld = context.now }
        if case .scenario(let compiled) = chosen.source {
            let isReplaced = context.armed?.response != nil
            pacing = compiled.response.pacing
            if compiled.isForwarded, !isReplaced {
                forwarding = Forwarding(
                    status: compiled.response.tree["status"]?.int.flatMap { HTTPStatus(exactly: $0) },
                    fields: message.response.fields.filter { $0.lowercased() != "date" }
                )
            }
            wait = context.wait(compiled.response.latency)
            isCompressed = context.isCompressed
            // No contract documents a conditional response, or the response of an armed fault.
            if !context.isConditional, !isReplaced {
                let isConstant =
                    compiled.isConstant && chosen.allowedMethods == nil && compiled.isPlain && !compiled.isForwarded
                    && !isVaried
                script = ScenarioResponse(constant: isConstant ? compiled.number : nil, compiled: compiled)
            }
        }
        if context.armed != nil, let latency = context.armed?.latency { wait = context.wait(latency) }
        self.fault = fault.map { $0.wireFault(of: message, &context.chance) }
        // Asked first, because it is large and rare.
        if context.stream != nil, fault == nil, context.gate == nil, context.request.request.method != .head,
            let stream = context.stream
        {
            isStream = stream.staysOpen || !stream.pieces.isEmpty
            webSocket = stream.webSocket
        }
    }

    package var response: HTTPResponse {
        get { message.response }
        set { message = .made(newValue) }
    }

    /// The data of a scenario's response for the contract's evaluation.
    package struct ScenarioResponse: Sendable {
        /// The response's number among those of its scenario, where every message of it is the same but for the date.
        package var constant: Int?
        let compiled: CompiledResponse

        /// The response as the scenario has it.
        package var response: StubResponse { compiled.response }

        /// A Boolean value that indicates whether the body is a part of the scenario.
        package var sharesBody: Bool { compiled.constantBody != nil }
    }

    /// The changes of a session to the message of an upstream server.
    package struct Forwarding: Sendable {
        /// The status that replaces that of the message.
        package var status: HTTPStatus?
        /// Fields that replace those of the message.
        package var fields = HTTPFields()
        package var pacing: Pacing?
        package var fault: WireFault?
        /// The part of the body that a truncated message keeps.
        package var keep = 1.0
        /// The purpose of the request.
        package var purpose: RoutePurpose?
        /// The tokens of the request that have ended here; the upstream does not get those in cookies.
        package var deadTokens: [String] = []
        /// The time of the session.
        package var time = VirtualTime(seconds: 0)

        /// The handling of a request that the upstream does not get.
        package static func withheld(at time: VirtualTime) -> Forwarding {
            var forwarding = Forwarding()
            forwarding.time = time
            return forwarding
        }
    }

    /// The response latency.
    package enum Wait: Sendable, Hashable {
        case none
        /// On the machine's clock.
        case real(Duration)
        /// Until the virtual clock reaches a moment, of which ``Session/Effect/released(exchange:)`` informs.
        case virtual(until: VirtualTime)
    }
}
