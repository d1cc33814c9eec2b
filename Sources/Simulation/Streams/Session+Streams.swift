package import Basics
import JSON
package import ScenarioFormat

/// The streams that are open: what is due leaves as the virtual clock comes to it.
extension Session {
    /// Sends parts of streams, and writes them down.
    mutating func send(_ parts: [OpenStreams.Sent]) {
        for part in parts {
            journal.note(part.message, of: part.output.exchange)
            effects.append(.sent(part.output))
        }
    }

    /// Sends events into the open streams of a route: by the timeline, by a response to another request, or by the
    /// admin API.
    mutating func push(
        _ push: StreamPush,
        to devices: DeviceSet,
        at time: VirtualTime,
        in context: inout ExchangeContext,
        from position: JSONPosition
    ) {
        let (parts, reached) = streams.push(
            push,
            to: devices,
            at: time,
            latest,
            in: &context,
            from: position,
            &agenda,
            &backend
        )
        send(parts)
        if let part = backend.played.script.parts[position], part.kind == .event {
            story.note(part, hasEffect: reached > 0)
        }
    }

    /// Notes what the client of a WebSocket has sent, or what it was sent in response.
    package mutating func note(_ message: StreamMessage, of exchange: UInt64) { journal.note(message, of: exchange) }

    /// Ends a stream that nothing more is sent on, although its response has not ended.
    package mutating func dropStream(_ exchange: UInt64) { streams.drop(exchange) }

    /// Returns whether a list of events sends more parts of open streams than a limit.
    package func sends(moreStreamPartsThan limit: Int, in events: [Event], at now: MonotonicTime) -> Bool {
        hasOpenStreams && streams.sends(moreThan: limit, in: events, from: time(at: now), agenda)
    }

    /// A Boolean value that indicates whether a stream is open whose next part is to come.
    package var hasOpenStreams: Bool { !streams.isEmpty }

    /// A Boolean value that indicates whether time alone may let something happen: at a gate, or in a stream.
    package var isHoldingOrStreaming: Bool { isHolding || hasOpenStreams }
}
