import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// An upload restarts from zero, or a stream is not resumed as it should be.
///
/// - Evidence: after a refusal or refresh an upload restarts at zero although the server had a part of it; or an
///   interrupted stream is not reopened, or reopened with a refused token, at the wrong event, too early, or without
///   pause.
/// - Excuses: the server asked for the whole upload again; the client ended the stream itself, its events have no ids,
///   or everything was loaded again.
/// - Undecided: whether the client knew that the stream had ended, where the server noticed the opening late.
package enum UploadRestarted: Rule {
    package static let profile = RuleProfile(
        .uploadRestarted,
        reason: "large uploads never finish on a slow network, and live views stop updating",
        advice: "resume an upload or a stream where it stopped, with a new token",
        source: "RFC 9110, section 14.5"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        restarts(in: episode) + brokenStreams(in: episode) + resumptions(in: episode)
    }

    /// How far an upload has come.
    private struct Progress {
        /// The first exchange that the server accepted a part with, and the last one.
        var first: UInt64
        var last: Step
        /// How many bytes the server has.
        var accepted: Int
    }

    private struct Target: Hashable {
        var path: ExactText
        var size: Int?
    }

    private static func restarts(in episode: Episode) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        var uploads: [Target: Progress] = [:]
        var latestInterruption: UInt64 = 0
        for step in episode.steps {
            if step.isRefused || step.isRefresh { latestInterruption = step.number }
            guard let part = UploadPart(step.exchange) else { continue }
            let target = Target(path: ExactText(step.exchange.request.path), size: part.size)
            if part.start == 0, let progress = uploads[target], progress.first < latestInterruption,
                let end = progress.last.end, end <= step.arrival
            {
                let size = part.size.map { " of \($0)" } ?? ""
                violations.append(
                    RuleViolation(
                        "\(step.exchange.subject) restarted at byte 0, although exchange \(progress.last.number) had "
                            + "reached byte \(progress.accepted)\(size)",
                        [step, progress.last]
                    )
                )
                uploads[target] = nil
            }
            guard let accepted = part.accepted(by: step.exchange.response) else { continue }
            if accepted == 0 || part.size.map({ accepted >= $0 }) ?? false || !step.isReceived {
                // It is complete, or the server asks for all of it again.
                uploads[target] = nil
            } else {
                let first = uploads[target]?.first ?? step.number
                uploads[target] = Progress(first: first, last: step, accepted: accepted)
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

// MARK: Streams

/// How a client takes up streams that the server, or the network, has ended.
///
/// A stream that the client leaves by itself, and one whose list of events is complete, obliges to nothing: a person may
/// open them again at any time.
extension UploadRestarted {
    /// Finds interrupted streams that were not resumed, or not where they had stopped.
    private static func brokenStreams(in episode: Episode) -> [RuleViolation] {
        let streams = episode.steps.filter(\.exchange.isStream)
        guard !streams.isEmpty else { return [] }
        let paths = Set(streams.map { ExactText($0.exchange.request.path) })
        var requests: [ExactText: [Step]] = [:]
        for step in episode.steps where step.exchange.request.method == .get {
            let path = ExactText(step.exchange.request.path)
            if paths.contains(path) { requests[path, default: []].append(step) }
        }
        return streams.compactMap { stream in
            guard stream.exchange.isBroken, let end = stream.end else { return nil }
            let again = (requests[ExactText(stream.exchange.request.path)] ?? []).after(stream).first {
                $0.arrival >= end
            }
            guard let again else { return neverAgain(stream, after: end, in: episode.steps.after(stream)) }
            guard stream.exchange.hasNumberedEvents, !again.exchange.request.saysWhereItStopped else { return nil }
            return RuleViolation(
                "\(again.exchange.subject) restarted without Last-Event-ID, although the events of exchange "
                    + "\(stream.number) have ids",
                [again, stream]
            )
        }
    }

    private static func neverAgain(_ stream: Step, after end: RealTime, in rest: ArraySlice<Step>) -> RuleViolation? {
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
        let ended = episode.steps.filter(\.exchange.endedStream)
        guard !ended.isEmpty else { return [] }
        let targets = Set(ended.map { ExactText($0.exchange.request.target) })
        let gets = episode.steps.filter { $0.exchange.request.method == .get }
        let rows = Dictionary(grouping: gets) { ExactText($0.exchange.request.target) }
        return rows.filter { targets.contains($0.key) }.values.flatMap { row in
            row.indices.compactMap { index in
                fault(of: row[index], after: row[..<index], in: episode.steps).map { text, stream, isUnclear in
                    RuleViolation(
                        "\(row[index].exchange.subject) \(text)",
                        [row[index], stream],
                        isUnclear: isUnclear
                    )
                }
            } + hurry(in: row)
        }.sorted { $0.exchanges[0] < $1.exchanges[0] }
    }

    /// What is wrong with an opening, by the streams of the same target before it.
    private static func fault(
        of opening: Step,
        after row: ArraySlice<Step>,
        in steps: [Step]
    ) -> (text: String, stream: Step, isUnclear: Bool)? {
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
        return text.map { ($0, stream, following == .unclear) }
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
        return "sent \(id) again, although exchange \(stream.number) was closed with \(code) because of it"
    }

    /// The events go on where the client has not stopped.
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
        guard let named = opening.request.fields["Last-Event-ID"], !named.isEmpty else {
            // Of several streams at a time, any may have been this one, or none.
            let isAlone = others.allSatisfy { $0.end.map { $0 <= stream.arrival } ?? false || !$0.isOpening }
            guard isAlone, opening.request.query == nil else { return nil }
            return "restarted without Last-Event-ID, although exchange \(stream.number) had reached event \(last)"
        }
        let own = stream.messages.kept.compactMap(\.id)
        let seen = others.flatMap { $0.messages.kept.compactMap(\.id) }
        guard !named.hasSameUTF8(as: last), !seen.containsExactly(named) else { return nil }
        if own.containsExactly(named) {
            return "asked for events after \(named) again, although exchange \(stream.number) had reached event \(last)"
        }
        let listed = stream.listedIdentifiers
        guard stream.messages.dropped == 0, listed.containsExactly(named) else { return nil }
        return "skipped events: it named event \(named), although exchange \(stream.number) had only reached \(last)"
    }

    /// The stream has said how long to wait before it is taken up.
    private static func early(_ opening: Exchange, after stream: Exchange, at end: RealTime) -> String? {
        guard let named = opening.request.fields["Last-Event-ID"], !named.isEmpty,
            let retry = stream.messages.kept.last(where: { $0.retry != nil })?.retry,
            Set(opening.offered.compactMap(\.id)) == Set(stream.offered.compactMap(\.id))
        else { return nil }
        let waited = opening.pause(after: stream, at: end)
        guard waited + TimeLimit.timer.value < retry else { return nil }
        return "was opened \(DurationText.text(waited)) after exchange \(stream.number) had ended, which had "
            + "requested a pause of \(DurationText.text(retry))"
    }

    /// How many openings without a pause are a loop.
    private static let manyOpenings = 4

    /// Finds a stream that is opened again and again without a pause.
    private static func hurry(in row: [Step]) -> [RuleViolation] {
        var (violations, chain) = ([RuleViolation](), [Step]())
        for (earlier, later) in zip(row, row.dropFirst()) {
            guard earlier.exchange.endedStream || earlier.status >= 500, let end = earlier.end, end <= later.arrival,
                later.exchange.pause(after: earlier.exchange, at: end) < TimeLimit.reconnection.value
            else {
                chain = []
                continue
            }
            chain = chain.isEmpty ? [earlier, later] : chain + [later]
            guard chain.count == manyOpenings else { continue }
            violations.append(
                RuleViolation(
                    "\(later.exchange.subject) opened the stream for the \(manyOpenings)th time without a pause, although "
                        + "it had ended each time",
                    chain.reversed()
                )
            )
        }
        return violations
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

    /// Whether it ended, and neither the client nor the server ended it on purpose.
    fileprivate var isBroken: Bool { outcome == .faulted || fault != nil && outcome != .clientGone }

    /// Whether an event with an id comes so early that the client has seen it.
    fileprivate var hasNumberedEvents: Bool {
        guard fault == nil || fault == .truncated || fault == .malformedChunk else { return false }
        let half = response.body.prefix(response.body.count / 2)
        return half.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "id:".utf8) }
    }

    /// Whether it opened a stream, or may have.
    fileprivate var isOpening: Bool { hasSucceeded || response.status == 101 }

    /// A Boolean value that indicates whether it is a stream that was ended before its time, and not by its client.
    fileprivate var endedStream: Bool {
        guard outcome == .sent, fault == nil, let last = messages.kept.last(where: { $0.sender == .server }) else {
            return false
        }
        switch last.kind {
        case .end: return true
        // A client that closes, or breaks the protocol, ends it itself.
        case .close:
            return last.code != 1000
                && !messages.kept.contains { $0.sender == .client && [.close, .fault].contains($0.kind) }
        default: return false
        }
    }

    /// How long the client has waited after a stream, on the clock on which it waited longer.
    fileprivate func pause(after stream: Exchange, at end: RealTime) -> Duration {
        max(arrival.since(end), time - (stream.messages.kept.last?.time ?? stream.time))
    }

    /// The identifiers of the events that the stream has by its list, sent or not.
    fileprivate var listedIdentifiers: [String] {
        response.body.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.starts(with: "id:".utf8) }.map { line in
            let value = line.dropFirst(3)
            return String(decoding: value.first == 0x20 ? value.dropFirst() : value, as: UTF8.self)
        }
    }
}

extension HTTPRequest {
    /// Whether it names the last event that the client has seen.
    fileprivate var saysWhereItStopped: Bool {
        fields.contains("Last-Event-ID") || query.map { QueryItems(parsing: $0).items }?.isEmpty == false
    }
}
