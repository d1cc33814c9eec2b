package import Basics
public import Foundation
import ScenarioFormat

/// An error that lists all mistakes in a story that cannot be served.
public struct StoryProblem: Error, CustomStringConvertible, LocalizedError, Sendable {
    /// The mistakes with their locations.
    public let findings: [BacklotServer.Finding]

    /// The mistakes, one per line, in the format `file:line:column: error: message; advice [rule]`.
    ///
    /// For a story written in Swift, the location is a part, such as `.route("GET /pets") /requires/0: error: …`.
    public let description: String

    /// The description, as required by Foundation.
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
    /// A mistake in a client or a story, or an undecided check.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The severity of a finding.
        public enum Severity: String, Sendable, Hashable {
            case note
            case warning
            case error
        }

        /// The severity of the finding.
        public let severity: Severity
        /// The violated rule, such as `B2 refresh-storm`, `expect/count` or `contract/request-body`.
        public let id: String
        /// A description of the problem and the expected state, as a sentence without a period.
        public let message: String
        /// Advice on how to fix the problem, or `nil` if no fix is known.
        public let advice: String?
        /// The affected file, such as the story file.
        ///
        /// For a story written in Swift, the part, such as `.route("GET /pets")`.
        public let file: String?
        /// The line in the file, starting at 1.
        public let line: Int?
        /// The column in the line, starting at 1.
        public let column: Int?
        /// The number of the affected exchange, starting at 1.
        public let exchange: Int?
        /// The problem's consequences, one sentence each; they disappear when the problem is fixed.
        public let consequences: [String]
        /// The finding on one line, such as `file:line:column: exchange 3: error: message; advice [id]`, followed by
        /// one line for each consequence.
        public let description: String

        /// The finding of a judgement; `nil` where there is nothing to report.
        init?(_ judgement: Judgement) {
            guard let finding = judgement.finding else { return nil }
            self.init(finding, consequences: judgement.consequences.map(\.message))
        }

        package init(_ finding: Basics.Finding) { self.init(finding, consequences: []) }

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
