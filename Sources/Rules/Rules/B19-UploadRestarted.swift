import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// An upload restarts from zero, or an interrupted stream is not resumed, or is resumed with a refused token, from
/// the wrong event, or without a pause.
///
/// - Evidence: after a refusal or refresh an upload restarts at zero although the server had a part of it; or an
///   interrupted stream is not reopened, or reopened with a refused token, at the wrong event, too early, or without
///   pause.
/// - Excuses: the server asked for the whole upload again; the client ended the stream itself, its events have no ids,
///   or everything was loaded again.
/// - Undecided: whether the client knew that the stream had ended, where the server noticed the opening late.
package enum UploadRestarted: Rule {
    package static let profile = RuleProfile(
        rule: .uploadRestarted,
        reason: "large uploads never finish on a slow network, and live views stop updating",
        advice: "resume an upload or a stream at the point of interruption, with a new token",
        source: "RFC 9110, section 14.5"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        restarts(in: episode) + brokenStreams(in: episode) + resumptions(in: episode)
    }

    private static func restarts(in episode: Episode) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        // The number of the first exchange that the server accepted a part with, the last one, and how many bytes it has.
        var uploads: [ExactText: (first: UInt64, last: Step, accepted: Int)] = [:]
        var latestInterruption: UInt64 = 0
        for step in episode.steps {
            if step.isRefused || step.isRefresh { latestInterruption = step.number }
            guard let part = UploadPart(step.exchange) else { continue }
            let target = ExactText("\(step.exchange.request.path) \(part.size ?? -1)")
            if part.start == 0, let (first, last, accepted) = uploads[target], first < latestInterruption,
                let end = last.end, end <= step.arrival
            {
                violations.append(
                    RuleViolation(
                        "\(step.exchange.subject) restarted at byte 0, although exchange \(last.number) had reached byte "
                            + "\(accepted)\(part.size.map { " of \($0)" } ?? "")",
                        [step, last]
                    )
                )
                uploads[target] = nil
            }
            guard let accepted = part.accepted(by: step.exchange.response) else { continue }
            // It is complete, or the server asks for all of it again.
            let isOver = accepted == 0 || part.size.map { accepted >= $0 } ?? false || !step.isReceived
            uploads[target] = isOver ? nil : (uploads[target]?.first ?? step.number, step, accepted)
        }
        return violations
    }
}

/// A part of a file that a request brings.
private struct UploadPart {
    /// The offset of its first byte; `nil` for a request that only asks for the server's offset.
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

    /// The number of bytes that the server has after its response; `nil` if the response does not contain it.
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

// MARK: Streams

/// The openings of streams after the server, or the network, ended an earlier one.
///
/// A stream that the client leaves by itself, and one whose list of events is complete, obliges to nothing: a person may
/// open them again at any time.
extension UploadRestarted {
    /// Finds interrupted streams that were not resumed, or not where they had stopped.
    private static func brokenStreams(in episode: Episode) -> [RuleViolation] {
        episode.steps.compactMap { stream in
            guard stream.exchange.isBroken, stream.exchange.isStream, let end = stream.end else { return nil }
            let again = episode.requests(onPathOf: stream).after(stream).first { $0.arrival >= end }
            guard let again else { return neverAgain(stream, after: end, in: episode.steps.after(stream)) }
            guard stream.exchange.hasNumberedEvents, !again.exchange.request.saysWhereItStopped else { return nil }
            return RuleViolation(
                "\(again.exchange.subject) restarted the stream without Last-Event-ID, although the events in exchange "
                    + "\(stream.number) have IDs",
                [again, stream]
            )
        }
    }

    private static func neverAgain(_ stream: Step, after end: MonotonicTime, in rest: ArraySlice<Step>)
        -> RuleViolation?
    {
        let later = rest.lazy.filter { $0.arrival >= end }
        guard let first = later.first, let last = rest.last(where: { $0.arrival >= end }), first !== last,
            max(last.arrival.since(end), last.time - first.time) >= TimeLimit.reopened.value
        else { return nil }
        return RuleViolation(
            "\(stream.exchange.subject) was interrupted and never reopened, although the client continued until exchange "
                + "\(last.number)",
            [stream, last]
        )
    }

    /// Finds streams that are taken up with a dead token, at the wrong event, or without a pause.
    private static func resumptions(in episode: Episode) -> [RuleViolation] {
        let ended = episode.steps.filter { $0.exchange.endedStream && $0.exchange.request.method == .get }
        let rows = ended.map(\.request).unique.compactMap { number in ended.first { $0.request == number } }
            .map(episode.requests(like:))
        return rows.flatMap { row in
            row.compactMap { fault(of: $0, after: row.before($0.number), in: episode.steps) } + hurry(in: row)
        }.sorted { $0.exchanges[0] < $1.exchanges[0] }
    }

    /// The violation by an opening, given the streams of the same target before it.
    private static func fault(of opening: Step, after row: ArraySlice<Step>, in steps: [Step]) -> RuleViolation? {
        guard let stream = row.last(where: \.exchange.isOpening), stream.exchange.endedStream, let end = stream.end,
            end <= opening.arrival
        else { return nil }
        let following = opening.follows(stream)
        guard following != .no else { return nil }
        let meanwhile = steps.between(stream, opening).map(\.exchange)
        let others = row.filter { $0 !== stream }.map(\.exchange)
        let text =
            deadToken(of: opening.exchange, after: stream.exchange)
            ?? wrongEvent(in: opening.exchange, after: stream.exchange, others, meanwhile)
            ?? early(opening.exchange, after: stream.exchange, at: end)
        return text.map { text in
            RuleViolation("\(opening.exchange.subject) \(text)", [opening, stream], isUnclear: following == .unclear)
        }
    }

    /// A WebSocket was closed because of its token, and is opened with the same one.
    private static func deadToken(of opening: Exchange, after stream: Exchange) -> String? {
        guard let close = stream.messages.kept.last(where: { $0.sender == .server }), close.isRefusal,
            let code = close.code, code == 1008 || code >= 3000
        else { return nil }
        let dead = opening.offered.first { $0.isAccepted == false && $0.id != nil }
        guard let id = dead?.id, stream.offered.contains(where: { $0.id == id && $0.isAccepted == true }) else {
            return nil
        }
        return "sent \(id) again, although exchange \(stream.number) was closed with \(code) because of this token"
    }

    /// The events continue at a place where the client did not stop.
    private static func wrongEvent(
        in opening: Exchange,
        after stream: Exchange,
        _ others: [Exchange],
        _ meanwhile: [Exchange]
    ) -> String? {
        // A client that loads everything again needs no event of before.
        guard opening.hasSucceeded, !meanwhile.contains(where: { $0.request.method == .get && $0.hasSucceeded }),
            let last = stream.messages.kept.last(where: { $0.id != nil })?.id
        else { return nil }
        guard let named = opening.request.namedEvent else {
            // Of several streams at a time, any may have been this one, or none.
            let isAlone = others.allSatisfy { $0.end.map { $0 <= stream.arrival } ?? false || !$0.isOpening }
            guard isAlone, opening.request.query == nil else { return nil }
            return
                "restarted the stream without Last-Event-ID, although exchange \(stream.number) had reached event \(last)"
        }
        let own = stream.messages.kept.compactMap(\.id)
        let seen = others.flatMap { $0.messages.kept.compactMap(\.id) }
        guard named.exact != last.exact, !seen.contains(named.exact) else { return nil }
        if own.contains(named.exact) {
            return "requested events after \(named) again, although exchange \(stream.number) had reached event \(last)"
        }
        let listed = stream.listedIdentifiers
        guard stream.messages.dropped == 0, listed.contains(named.exact) else { return nil }
        return "skipped events: the request sent the event ID \(named), although exchange \(stream.number) had reached"
            + " only "
            + "\(last)"
    }

    /// The stream has said how long to wait before it is taken up.
    private static func early(_ opening: Exchange, after stream: Exchange, at end: MonotonicTime) -> String? {
        guard opening.request.namedEvent != nil,
            let retry = stream.messages.kept.last(where: { $0.retry != nil })?.retry,
            Set(opening.offered.compactMap(\.id)) == Set(stream.offered.compactMap(\.id))
        else { return nil }
        let waited = opening.pause(after: stream, at: end)
        guard waited + TimeLimit.timer.value < retry else { return nil }
        return "was opened \(DurationText.text(waited)) after the end of exchange \(stream.number), which had "
            + "requested a pause of \(DurationText.text(retry))"
    }

    /// The number of openings without a pause that is a loop.
    private static let manyOpenings = 4

    /// Finds a stream that is opened again and again without a pause.
    private static func hurry(in row: [Step]) -> [RuleViolation] {
        let chains = row.chunked { earlier, later in
            guard earlier.exchange.endedStream || earlier.status >= 500, let end = earlier.end, end <= later.arrival
            else { return false }
            return later.exchange.pause(after: earlier.exchange, at: end) < TimeLimit.reconnection.value
        }
        return chains.filter { $0.count >= manyOpenings }.map { chain in
            RuleViolation(
                "\(chain[manyOpenings - 1].exchange.subject) opened the stream for the \(manyOpenings)th time without a "
                    + "pause, although the stream had ended each time",
                chain.prefix(manyOpenings).reversed()
            )
        }
    }
}

extension Exchange {
    /// A Boolean value that indicates whether it is a stream of events.
    fileprivate var isStream: Bool {
        guard hasSucceeded, let type = response.fields["Content-Type"].flatMap({ MediaType(parsing: $0) }) else {
            return false
        }
        return request.method == .get && type.essence == "text/event-stream"
    }

    /// A Boolean value that indicates whether it ended, and neither the client nor the server ended it on purpose.
    fileprivate var isBroken: Bool { outcome == .faulted || self.fault != nil && outcome != .clientGone }

    /// A Boolean value that indicates whether an event with an id comes so early that the client has seen it.
    fileprivate var hasNumberedEvents: Bool {
        guard self.fault == nil || self.fault == .truncated || self.fault == .malformedChunk else { return false }
        let half = message.body.prefix(message.body.count / 2)
        return half.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "id:".utf8) }
    }

    /// A Boolean value that indicates whether it opened a stream, or may have.
    fileprivate var isOpening: Bool { hasSucceeded || status == 101 }

    /// A Boolean value that indicates whether it is a stream that was ended before its time, and not by its client.
    fileprivate var endedStream: Bool {
        guard outcome == .sent, self.fault == nil, let last = self.messages.kept.last(where: { $0.sender == .server })
        else {
            return false
        }
        switch last.kind {
        case .end: return true
        // A client that closes, or breaks the protocol, ends it itself.
        case .close:
            return last.code != 1000
                && !self.messages.kept.contains { $0.sender == .client && [.close, .fault].contains($0.kind) }
        default: return false
        }
    }

    /// The client's delay after a stream, on the clock on which it waited longer.
    fileprivate func pause(after stream: Exchange, at end: MonotonicTime) -> Duration {
        max(arrival.since(end), time - (stream.messages.kept.last?.time ?? stream.time))
    }

    /// The identifiers of the events that the stream has by its list, sent or not.
    fileprivate var listedIdentifiers: [String] {
        message.body.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.starts(with: "id:".utf8) }.map { line in
            let value = line.dropFirst(3)
            return String(decoding: value.first == 0x20 ? value.dropFirst() : value, as: UTF8.self)
        }
    }
}

extension HTTPRequest {
    /// The last event that the client has seen, by its own words.
    fileprivate var namedEvent: String? { fields["Last-Event-ID"].flatMap { $0.isEmpty ? nil : $0 } }

    /// A Boolean value that indicates whether it names the last event that the client has seen.
    fileprivate var saysWhereItStopped: Bool {
        fields.contains("Last-Event-ID") || query.map { QueryItems(parsing: $0).items }?.isEmpty == false
    }
}
