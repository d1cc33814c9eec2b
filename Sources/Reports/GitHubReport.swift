import Basics

/// Workflow commands, one line for each finding: GitHub shows them next to the lines that they are about.
///
/// GitHub shows ten errors, ten warnings and ten notices of a step, so the heaviest come first.
struct GitHubReport {
    let report: Report

    var text: String {
        let tables = report.clientTables.map { table in
            "::notice title=coverage::\(GitHubReport.escaped(table.sentence, isProperty: false))\n"
        }
        return (report.allFindings.heaviestFirst.map(line) + tables).joined()
    }

    private func line(_ finding: Finding) -> String {
        let command =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .note: "notice"
            }
        var properties: [String] = []
        if let file = finding.place?.file {
            properties.append("file=\(GitHubReport.escaped(file, isProperty: true))")
            if let position = finding.place?.position {
                properties.append("line=\(position.line)")
                properties.append("col=\(position.column)")
            }
        }
        properties.append("title=\(GitHubReport.escaped(finding.id, isProperty: true))")
        let lines = [message(of: finding)] + finding.relatedLines
        let text = GitHubReport.escaped(lines.joined(separator: "\n"), isProperty: false)
        return "::\(command) \(properties.joined(separator: ","))::\(text)\n"
    }

    private func message(of finding: Finding) -> String {
        var text = finding.message
        if finding.place?.file == nil, let place = finding.shownPlace { text = "\(place): \(text)" }
        if let advice = finding.advice { text += "; \(advice)" }
        return text
    }

    /// Escapes what would end a command or one of its properties, and keeps controls out of the log.
    private static func escaped(_ text: String, isProperty: Bool) -> String {
        text.replacing { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            case ":" where isProperty: "%3A"
            case "," where isProperty: "%2C"
            case _ where scalar.properties.generalCategory == .control: "\u{FFFD}"
            default: nil
            }
        }
    }
}
