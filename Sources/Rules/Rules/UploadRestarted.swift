import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// An upload begins again from zero, or a stream is not taken up as it should be.
package enum UploadRestarted: Rule {
    package static let profile = RuleProfile(
        "B19",
        "upload-restarted",
        reason: "large uploads never end on a slow network, and live views stay silent",
        advice: "take an upload or a stream up where it stopped, with a new token",
        source: "RFC 9110, section 14.5"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.launches.flatMap { device, launch in
            restarts(in: launch, of: device, history)
                + brokenStreams(in: launch, of: device, history)
                + resumptions(in: launch, of: device, history)
        }
    }

    /// How far an upload has come.
    private struct Progress {
        /// The first exchange that the server accepted a part with, and the last one.
        var first: UInt64
        var last: Exchange
        /// How many bytes the server has.
        var accepted: Int
    }

    private struct Target: Hashable {
        var path: ExactText
        var size: Int?
    }

    private static func restarts(
        in launch: [Exchange],
        of device: DeviceHistory,
        _ history: TokenHistory
    ) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        var uploads: [Target: Progress] = [:]
        var latestInterruption: UInt64 = 0
        for exchange in launch {
            if history.isRefused(exchange) || history.isRefresh(exchange) { latestInterruption = exchange.number }
            guard let part = UploadPart(exchange) else { continue }
            let target = Target(path: ExactText(exchange.request.path), size: part.size)
            if part.start == 0, let progress = uploads[target], progress.first < latestInterruption,
                let end = progress.last.end, end <= exchange.arrival
            {
                let size = part.size.map { " of \($0)" } ?? ""
                violations.append(
                    RuleViolation(
                        "\(exchange.subject) began again at byte 0, although exchange \(progress.last.number) had "
                            + "brought it to byte \(progress.accepted)\(size)",
                        exchanges: [exchange.number, progress.last.number],
                        device: device.name
                    )
                )
                uploads[target] = nil
            }
            guard let accepted = part.accepted(by: exchange.response) else { continue }
            if accepted == 0 || part.size.map({ accepted >= $0 }) ?? false || !history.wasReceived(exchange) {
                // It is complete, or the server asks for all of it again.
                uploads[target] = nil
            } else {
                let first = uploads[target]?.first ?? exchange.number
                uploads[target] = Progress(first: first, last: exchange, accepted: accepted)
            }
        }
        return violations
    }
}

/// A part of a file that a request brings.
private struct UploadPart {
    /// Where it begins; `nil` for a request that only asks how far the server has come.
    var start: Int?
    var end = 0
    var size: Int?

    /// Reads `Content-Range` (RFC 9110, section 14.4) or the `Upload-Offset` of resumable uploads.
    init?(_ exchange: Exchange) {
        let fields = exchange.request.fields
        if let range = fields["Content-Range"] {
            let words = range.utf8.split { " -/".utf8.contains($0) }.map { String(Substring($0)) }
            guard words.first == "bytes", words.count >= 2 else { return nil }
            size = words.last.flatMap { Int($0) }
            guard words.count == 4, let start = Int(words[1]), let end = Int(words[2]), end < .max else { return }
            (self.start, self.end) = (start, end + 1)
        } else if let offset = fields["Upload-Offset"].flatMap({ Int($0) }) {
            let (end, overflows) = offset.addingReportingOverflow(exchange.request.body.count)
            guard !overflows else { return nil }
            (start, self.end) = (offset, end)
        } else if exchange.request.method != .head || !exchange.response.fields.contains("Upload-Offset") {
            return nil
        }
    }

    /// How many bytes the server has after its response; `nil` where that says nothing.
    func accepted(by response: HTTPResponse) -> Int? {
        if let offset = response.fields["Upload-Offset"].flatMap({ Int($0) }) { return offset }
        switch response.status.code {
        // "Resume Incomplete", with the range that has arrived, or with none.
        case 308:
            let last = response.fields["Range"]?.utf8.split(separator: UInt8(ascii: "-")).last
            return last.flatMap { Int(String(Substring($0))) }.map { $0 < .max ? $0 + 1 : $0 } ?? 0
        case 200..<300: return start == nil ? nil : end
        case 404, 409, 410, 412, 416: return 0
        default: return nil
        }
    }
}

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

    /// Whether it ended, and neither the client nor the server ended it on purpose.
    fileprivate var isBroken: Bool { outcome == .faulted || fault != nil && outcome != .clientGone }

    /// Whether an event with an id comes so early that the client has seen it.
    fileprivate var hasNumberedEvents: Bool {
        guard fault == nil || fault == .truncated || fault == .malformedChunk else { return false }
        let half = response.body.prefix(response.body.count / 2)
        return half.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "id:".utf8) }
    }
}

extension HTTPRequest {
    /// Whether it names the last event that the client has seen.
    fileprivate var saysWhereItStopped: Bool {
        fields.contains("Last-Event-ID") || query.map { QueryItems(parsing: $0).items }?.isEmpty == false
    }
}
