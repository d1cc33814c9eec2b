package import HTTPCodec
package import ScenarioFormat

/// What is to be sent for a request, when, and how it breaks.
package struct Decision: Sendable {
    /// The exchange's number in its session's journal.
    package var exchange: UInt64
    package var response: HTTPResponse
    package var wait: Wait
    /// How long it is held after that wait, on the machine's clock; see ``Session/refusalHold``.
    package var hold = Duration.zero
    package var pacing: Pacing?
    package var fault: WireFault?
    /// The response of the scenario that it is; `nil` for the tool's own answers and for those of the contract.
    package var script: ScenarioResponse?

    /// What a contract's judge may want to know of a response of the scenario.
    package struct ScenarioResponse: Sendable {
        /// The response's number among those of its scenario, where every message of it is the same but for the date.
        package var constant: Int?
        let compiled: CompiledResponse

        /// The response as the scenario has it.
        package var response: StubResponse { compiled.response }
    }

    /// How long the response is held back.
    package enum Wait: Sendable, Hashable {
        case none
        /// On the machine's clock.
        case real(Duration)
        /// Until the session says that the virtual clock has come so far; see ``Session/takeReleased()``.
        case virtual(until: VirtualTime)
    }

    /// A fault with everything drawn and counted, ready for the wire.
    package enum WireFault: Sendable, Hashable {
        case reset
        case empty
        case truncated(bodyBytes: Int)
        case malformedChunk
        case garbage([UInt8])
        case never
    }
}
