import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// How a client takes up streams that the server, or the network, has ended.
///
/// A stream that the client leaves by itself, and one whose list of events is complete, obliges to nothing: a person may
/// open them again at any time.
extension UploadRestarted {
    /// Finds streams that are taken up with a dead token, at the wrong event, or without a pause.
    static func resumptions(
        in launch: [Exchange],
        of device: DeviceHistory,
        _ history: TokenHistory
    ) -> [RuleViolation] {
        guard launch.contains(where: \.endedStream) else { return [] }
        var rows: [ExactText: [Exchange]] = [:]
        for exchange in launch where exchange.request.method == .get {
            rows[ExactText(exchange.request.target), default: []].append(exchange)
        }
        let paths = Set(launch.filter(\.endedStream).map { ExactText($0.request.target) })
        return rows.filter { paths.contains($0.key) }.values.flatMap { row in
            row.indices.compactMap { index -> RuleViolation? in
                guard let (text, stream, isUnclear) = fault(of: row[index], after: row[..<index], launch, history)
                else {
                    return nil
                }
                return RuleViolation(
                    "\(row[index].subject) \(text)",
                    exchanges: [row[index].number, stream],
                    device: device.name,
                    isUnclear: isUnclear
                )
            } + hurry(in: row, of: device)
        }.sorted { $0.exchanges[0] < $1.exchanges[0] }
    }

    /// What is wrong with an opening, by the streams of the same target before it.
    private static func fault(
        of opening: Exchange,
        after row: ArraySlice<Exchange>,
        _ launch: [Exchange],
        _ history: TokenHistory
    ) -> (text: String, stream: UInt64, isUnclear: Bool)? {
        guard let stream = row.last(where: \.isOpening), stream.endedStream, let end = stream.end,
            end <= opening.arrival
        else { return nil }
        let following = history.follows(opening, from: stream)
        guard following != .no else { return nil }
        let isUnclear = following == .unclear
        if let text = deadToken(of: opening, after: stream) { return (text, stream.number, isUnclear) }
        let meanwhile = launch.filter { $0.number > stream.number && $0.number < opening.number }
        let others = row.filter { $0.number != stream.number }
        let text = wrongEvent(in: opening, after: stream, others, meanwhile) ?? early(opening, after: stream, at: end)
        return text.map { ($0, stream.number, isUnclear) }
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
        return "came with \(id) again, although exchange \(stream.number) was closed with \(code) because of it"
    }

    /// The events go on where the client has not stopped.
    private static func wrongEvent(
        in opening: Exchange,
        after stream: Exchange,
        _ others: [Exchange],
        _ meanwhile: [Exchange]
    ) -> String? {
        // A client that loads everything anew needs no event of before.
        guard opening.hasSucceeded, !meanwhile.contains(where: { $0.request.method == .get && $0.hasSucceeded }),
            let last = stream.messages.kept.last(where: { $0.id != nil })?.id
        else { return nil }
        guard let named = opening.request.fields["Last-Event-ID"], !named.isEmpty else {
            // Of several streams at a time, any may have been this one, or none.
            let isAlone = others.allSatisfy { $0.end.map { $0 <= stream.arrival } ?? false || !$0.isOpening }
            guard isAlone, opening.request.query == nil else { return nil }
            return "began anew without Last-Event-ID, although exchange \(stream.number) had come to event \(last)"
        }
        let own = stream.messages.kept.compactMap(\.id)
        let seen = others.flatMap { $0.messages.kept.compactMap(\.id) }
        guard !named.hasSameUTF8(as: last), !seen.containsExactly(named) else { return nil }
        if own.containsExactly(named) {
            return "asked for events after \(named) again, although exchange \(stream.number) had come to event \(last)"
        }
        let listed = stream.listedIdentifiers
        guard stream.messages.dropped == 0, listed.containsExactly(named) else { return nil }
        return "left events out: it named event \(named), although exchange \(stream.number) had come to \(last) only"
    }

    /// The stream has said how long to wait before it is taken up.
    private static func early(_ opening: Exchange, after stream: Exchange, at end: RealTime) -> String? {
        guard let named = opening.request.fields["Last-Event-ID"], !named.isEmpty,
            let retry = stream.messages.kept.last(where: { $0.retry != nil })?.retry,
            Set(opening.offered.compactMap(\.id)) == Set(stream.offered.compactMap(\.id))
        else { return nil }
        let waited = opening.pause(after: stream, at: end)
        guard waited + TimeLimit.timer.value < retry else { return nil }
        return "was opened \(DurationText.text(waited)) after exchange \(stream.number) had ended, which had asked to "
            + "wait for \(DurationText.text(retry))"
    }

    /// How many openings without a pause are a loop.
    private static let manyOpenings = 4

    /// Finds a stream that is opened again and again without a pause.
    private static func hurry(in row: [Exchange], of device: DeviceHistory) -> [RuleViolation] {
        var (violations, chain) = ([RuleViolation](), [UInt64]())
        for (earlier, later) in zip(row, row.dropFirst()) {
            guard earlier.endedStream || earlier.response.status >= 500, let end = earlier.end, end <= later.arrival,
                later.pause(after: earlier, at: end) < TimeLimit.reconnection.value
            else {
                chain = []
                continue
            }
            chain = chain.isEmpty ? [earlier.number, later.number] : chain + [later.number]
            guard chain.count == manyOpenings else { continue }
            violations.append(
                RuleViolation(
                    "\(later.subject) opened the stream for the \(manyOpenings)th time without a pause, although it had "
                        + "ended each time",
                    exchanges: chain.reversed(),
                    device: device.name
                )
            )
        }
        return violations
    }
}

extension Exchange {
    /// Whether it opened a stream, or may have.
    fileprivate var isOpening: Bool { hasSucceeded || response.status == 101 }

    /// Whether it is a stream that was ended before its time, and not by its client.
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
