import Basics
public import Foundation
import ScenarioFormat

/// An error for a story that cannot be served, with all its mistakes.
public struct StoryProblem: Error, CustomStringConvertible, LocalizedError, Sendable {
    /// The mistakes, each with its place.
    public let findings: [BacklotServer.Finding]

    /// A line for each: `file:line:column: error: what is wrong; what would be right [rule]`.
    ///
    /// Of a story in Swift, the part is named instead: `.route("GET /pets") /requires/0: error: …`.
    public let description: String

    /// The description, for Foundation.
    public var errorDescription: String? { description }

    init(_ sentence: String, advice: String? = nil) {
        self.init([Finding(.error, id: "story/missing", sentence, advice: advice)], text: nil)
    }

    /// - Parameter text: the story itself where it is not a file, whose lines are shown.
    init(_ error: ScenarioError, text: String? = nil) {
        let errors = error.findings.filter { $0.severity == .error }
        self.init(errors.isEmpty ? error.findings : errors, text: text)
    }

    private init(_ found: [Basics.Finding], text: String?) {
        findings = found.map(BacklotServer.Finding.init)
        let lines = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        description = found.map { finding in
            let number = (finding.place?.position?.line ?? 0) - 1
            let isShown = lines.indices.contains(number) && ["story.json", "story.yaml"].contains(finding.place?.file)
            return isShown ? "\(finding)\n    \(lines[number])" : "\(finding)"
        }.joined(separator: "\n")
    }
}

extension BacklotServer {
    /// A mistake of a client or a story, or an undecided check.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The severity of a finding.
        public enum Severity: String, Sendable, Hashable {
            case note
            case warning
            case error
        }

        /// Its severity.
        public let severity: Severity
        /// The violated rule: `B2 refresh-storm`, `expect/count`, `contract/request-body`.
        public let id: String
        /// The finding and what was expected, as a sentence without a full stop.
        public let message: String
        /// The remedy.
        public let advice: String?
        /// The file, such as the story's; for a story in Swift, the part: `.route("GET /pets")`.
        public let file: String?
        /// The line in that file, counted from 1.
        public let line: Int?
        /// The column in that line, counted from 1.
        public let column: Int?
        /// The number of the exchange that shows it, from 1.
        public let exchange: Int?
        /// Its consequences, one sentence each, which disappear when it is fixed.
        public let consequences: [String]
        /// One line, such as `file:line:column: exchange 3: error: message; advice [id]`, and one for each consequence.
        public let description: String

        /// The finding of a judgement; `nil` where there is nothing to report.
        init?(_ judgement: Judgement) {
            guard let finding = judgement.finding else { return nil }
            self.init(finding, consequences: judgement.consequences.map(\.message))
        }

        init(_ finding: Basics.Finding) { self.init(finding, consequences: []) }

        private init(_ finding: Basics.Finding, consequences: [String]) {
            severity =
                switch finding.severity {
                case .note: .note
                case .warning: .warning
                case .error: .error
                }
            (id, message, advice) = (finding.id, finding.message, finding.advice)
            (file, exchange) = (finding.place?.file, finding.place?.exchange)
            (line, column) = (finding.place?.position?.line, finding.place?.position?.column)
            self.consequences = consequences
            description = ([finding.description] + consequences.map { "    \($0)" }).joined(separator: "\n")
        }
    }
}
