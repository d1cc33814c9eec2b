import Basics

/// Something worth telling about a client.
public struct CheckFinding: Sendable, Hashable {
    /// How much a finding weighs.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Worth knowing; nothing is wrong.
        case note
        /// Probably not what was meant; the check passes.
        case warning
        /// The check has failed.
        case error
    }

    /// How much it weighs.
    public let severity: Severity
    /// The rule's name, which stays the same, such as `responses/hang`.
    public let id: String
    /// What was found and what would be right.
    public let message: String
    /// What to do about it.
    public let advice: String?
    /// The operation of the contract that it is about, or the story.
    public let subject: String?
    /// The file of the place that it points to, mostly the contract or the story.
    public let file: String?
    /// The line in that file, from 1.
    public let line: Int?
    /// The column in that line, from 1.
    public let column: Int?

    init(_ finding: Finding, about subject: String? = nil) {
        severity =
            switch finding.severity {
            case .note: .note
            case .warning: .warning
            case .error: .error
            }
        id = finding.id
        message = finding.message
        advice = finding.advice
        self.subject = subject ?? finding.place?.operation
        file = finding.place?.file
        line = finding.place?.position?.line
        column = finding.place?.position?.column
    }
}

extension CheckFinding: CustomStringConvertible {
    /// The line that compilers taught everybody to read: `file:line:column: error: sentence; advice [id]`.
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        let about = subject.map { "\($0): " } ?? ""
        return (place.isEmpty ? "" : "\(place): ") + "\(severity.rawValue): \(about)\(message)"
            + (advice.map { "; \($0)" } ?? "") + " [\(id)]"
    }
}
