package import Findings
import Judgements
import ScenarioFormat

/// What came of a story, for people: a line, and under one that has not passed the reasons and how to see it again.
package struct StoryText: Sendable {
    package let lines: [String]

    /// What lines begin with that belong to the one above.
    private static let indent = String(repeating: " ", count: 14)

    package init(_ result: StoryResult, _ paint: Paint) {
        var lines = [Self.heading(result, paint)]
        for check in result.checks { lines += Self.lines(check, isPassed: result.outcome == .passed, paint) }
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
        var facts = [
            exchanges == 1 ? "1 exchange" : "\(exchanges) exchanges", DurationText.text(result.play.duration.rounded),
        ]
        if result.plays > 1 { facts.append("\(result.plays) plays") }
        if result.outcome != .passed { facts.append("seed \(result.play.seed)") }
        let known = result.checks.count { $0.status == .known }
        if known > 0 { facts.append(known == 1 ? "1 known failure" : "\(known) known failures") }
        return "\(mark) \(result.story.id.printable)  \(result.story.title.printable)  "
            + paint(.grey, "(\(facts.joined(separator: ", ")))")
    }

    private static func lines(_ check: StoryCheck, isPassed: Bool, _ paint: Paint) -> [String] {
        switch check.status {
        case .failed, .unknown:
            let word = check.status == .failed ? "failed" : "unknown"
            return check.findings.filter { $0.severity == .error }.flatMap { lines($0, word, paint) }
        case .known:
            return check.findings.prefix(1).flatMap { lines($0, "known", paint) }
        case .held:
            // A warning is told even where all is well; a note helps only where something is not.
            let told = check.findings.filter { $0.severity == .warning || ($0.severity == .note && !isPassed) }
            return told.flatMap { lines($0, $0.severity.rawValue, paint) }
        }
    }

    private static func lines(_ finding: Finding, _ word: String, _ paint: Paint) -> [String] {
        let colour: Paint.Colour =
            switch word {
            case "failed": .red
            case "unknown", "warning": .yellow
            default: .grey
            }
        let column = paint(colour, word) + String(repeating: " ", count: max(0, 12 - word.utf8.count))
        var lines = ["  \(column)\(finding.message.printable)"]
        var place = finding.place
        if place?.file != nil {
            place?.operation = nil
            place?.exchange = nil
        }
        if let place, !place.description.isEmpty {
            lines.append("\(indent)\(place.description.printable) [\(finding.id)]")
        } else {
            lines.append("\(indent)[\(finding.id)]")
        }
        lines += finding.related.map { indent + paint(.grey, "\($0)") }
        if let advice = finding.advice { lines.append(indent + advice.printable) }
        return lines
    }
}
