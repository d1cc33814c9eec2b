package import Basics
import Reports
import Rules
import ScenarioFormat

/// The result of a story, as text: a line, and under one that has not passed the reasons and how to see it again.
package struct StoryText: Sendable {
    package let lines: [String]

    /// The indentation of lines that belong to the one above.
    private static let indent = String(repeating: " ", count: 14)
    /// The limit of findings of one check that are shown; a client that is always wrong would hide the rest.
    private static let mostFindings = 10

    package init(_ result: StoryResult, _ paint: Paint) {
        var lines = [Self.heading(result, paint)]
        let isSilent = result.checks.contains { $0.isOfSilence && $0.isOpen }
        let told = result.checks.filter { !isSilent || !$0.isOpen || $0.needsNoRequest }
        for judgements in told.subjects {
            lines += Self.lines(judgements, isPassed: result.outcome == .passed, paint)
        }
        if isSilent { lines += Self.remainder(of: result.checks) }
        if result.outcome != .passed { lines.append("  " + paint(.grey, "again: \(result.play.command)")) }
        self.lines = lines
    }

    private static func heading(_ result: StoryResult, _ paint: Paint) -> String {
        let mark =
            switch result.outcome {
            case .passed: paint(.green, "✓")
            case .failed: paint(.red, "✗")
            case .incomplete: paint(.yellow, "?")
            }
        let exchanges = result.recording.evidence.exchanges.count + result.recording.evidence.lost
        var facts = [plural(exchanges, "exchange"), DurationText.text(result.play.duration.rounded)]
        if result.plays > 1 { facts.append("\(result.plays) plays") }
        if result.outcome != .passed { facts.append("seed \(result.play.seed)") }
        let known = result.checks.count { $0.status == .known }
        if known > 0 { facts.append(plural(known, "known failure")) }
        return "\(mark) \(result.story.id.printable)  \(result.story.title.printable)  "
            + paint(.grey, "(\(facts.joined(separator: ", ")))")
    }

    /// The number of checks that failed only because no request was sent.
    private static func remainder(of checks: [Judgement]) -> [String] {
        let count = checks.count { $0.isOpen && !$0.needsNoRequest }
        guard count > 0 else { return [] }
        return [
            indent
                + "so \(count == 1 ? "the only expectation that requires a request" : "\(count) expectations") did not hold"
        ]
    }

    private static func lines(_ judgements: [Judgement], isPassed: Bool, _ paint: Paint) -> [String] {
        let told = judgements.filter { judgement in
            switch judgement.status {
            case .failed, .incomplete, .known, .inconclusive: judgement.explainedBy == nil
            case .notJudged, .excused: false
            // A warning is reported even where nothing failed; how the client ended helps only where something did.
            case .held:
                judgement.severity == .warning || (judgement.id == ClientFault.exit.rawValue && !isPassed)
            }
        }
        let more = told.count - mostFindings
        return told.prefix(mostFindings).flatMap { lines($0, paint) }
            + (more > 0 ? [indent + "and \(more) more like this; the reports list all of them"] : [])
    }

    private static func lines(_ judgement: Judgement, _ paint: Paint) -> [String] {
        guard let finding = judgement.finding else { return [] }
        let word = judgement.status == .held ? finding.severity.rawValue : judgement.status.rawValue
        let colour: Paint.Colour =
            switch word {
            case "failed": .red
            case "incomplete", "warning", "inconclusive": .yellow
            default: .grey
            }
        let column = paint(colour, word) + String(repeating: " ", count: max(1, 12 - word.utf8.count))
        // A rule is known by its number, other rules by what they say.
        let name = judgement.why == nil ? "" : "\(judgement.id): "
        var lines = ["  \(column)\(name)\(finding.message.printable)"]
        if let why = judgement.why {
            lines.append("\(indent)why it matters: \(why.printable)")
            lines += [
                finding.advice.map { "\(indent)what to do: \($0.printable)" }, judgement.source.map { indent + $0 },
            ].compactMap { $0 }
            return lines + relatedLines(of: finding, paint)
        }
        var place = finding.place
        if place?.file != nil {
            place?.operation = nil
            place?.exchange = nil
        }
        lines.append(indent + (place.map { "\($0) ".printable } ?? "") + "[\(finding.id)]")
        lines += relatedLines(of: finding, paint)
        if let advice = finding.advice { lines.append(indent + advice.printable) }
        return lines
    }

    private static func relatedLines(of finding: Finding, _ paint: Paint) -> [String] {
        finding.related.map { related in
            var place = related.place
            place.operation = nil
            return indent + paint(.grey, "\(place): \(related.message)")
        }
    }
}

extension Judgement {
    /// A Boolean value that indicates whether it is decided without a request: by how the client ended, or by a fact
    /// that it reported.
    fileprivate var needsNoRequest: Bool { id.hasPrefix("client/") || id == "expect/client" || isOfSilence }

    /// A Boolean value that indicates whether it gives the reason for which no request arrived.
    fileprivate var isOfSilence: Bool {
        let obstacles: [Verdict.Obstacle] = [.rejectedCertificate, .failedHandshakes]
        return id == ClientFault.noRequest.rawValue || obstacles.contains { $0.judgement.id == id }
    }
}
