import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

extension UploadRestarted {
    /// Finds streams that broke off and were not taken up again, or not where they had stopped.
    static func brokenStreams(
        in launch: [Exchange],
        of device: DeviceHistory,
        _ history: TokenHistory
    ) -> [RuleViolation] {
        var requests: [ExactText: [Int]] = [:]
        let streams = launch.indices.filter { launch[$0].isStream }
        guard !streams.isEmpty else { return [] }
        let paths = Set(streams.map { ExactText(launch[$0].request.path) })
        for (index, exchange) in launch.enumerated() where exchange.request.method == .get {
            let path = ExactText(exchange.request.path)
            if paths.contains(path) { requests[path, default: []].append(index) }
        }
        return streams.compactMap { index in
            let stream = launch[index]
            guard stream.isBroken, let end = stream.end else { return nil }
            let row = requests[ExactText(stream.request.path)] ?? []
            let again = row.lazy.filter { $0 > index && launch[$0].arrival >= end }
            guard let first = again.first else {
                return neverAgain(stream, after: end, in: launch.dropFirst(index + 1), device)
            }
            guard stream.hasNumberedEvents, !launch[first].request.saysWhereItStopped else { return nil }
            return RuleViolation(
                "\(launch[first].subject) began anew without Last-Event-ID, although the events of exchange "
                    + "\(stream.number) have ids",
                exchanges: [launch[first].number, stream.number],
                device: device.name
            )
        }
    }

    private static func neverAgain(
        _ stream: Exchange,
        after end: RealTime,
        in rest: ArraySlice<Exchange>,
        _ device: DeviceHistory
    ) -> RuleViolation? {
        let later = rest.lazy.filter { $0.arrival >= end }
        guard let first = later.first, let last = rest.last(where: { $0.arrival >= end }), first.number != last.number,
            max(last.arrival.since(end), last.time - first.time) >= TimeLimit.reopened.value
        else { return nil }
        return RuleViolation(
            "\(stream.subject) broke off and was never opened again, although the client went on until exchange "
                + "\(last.number)",
            exchanges: [stream.number, last.number],
            device: device.name
        )
    }
}

extension Exchange {
    /// Whether it is a stream of events.
    fileprivate var isStream: Bool {
        guard hasSucceeded, let type = response.fields["Content-Type"].flatMap({ MediaType(parsing: $0) }) else {
            return false
        }
        return request.method == .get && type.essence == "text/event-stream"
    }

    /// Whether it ended, and neither the client nor the server wanted it so.
    fileprivate var isBroken: Bool { outcome == .faulted || fault != nil && outcome != .clientGone }

    /// Whether an event with an id comes so early that the client has seen it.
    fileprivate var hasNumberedEvents: Bool {
        guard fault == nil || fault == .truncated || fault == .malformedChunk else { return false }
        let half = response.body.prefix(response.body.count / 2)
        return half.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "id:".utf8) }
    }
}

extension HTTPRequest {
    /// Whether it tells the last event that the client has seen.
    fileprivate var saysWhereItStopped: Bool {
        fields.contains("Last-Event-ID") || query.map { QueryItems(parsing: $0).items }?.isEmpty == false
    }
}
