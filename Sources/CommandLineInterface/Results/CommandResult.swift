package import Basics
package import JSON

/// The result of a command as `--json` prints it: one envelope for all commands, also for usage errors.
///
/// A command adds its findings and its own members; ``document(of:_:isDetailed:)`` adds everything else.
package struct CommandResult: Sendable {
    /// The version of the envelope, which changes when a member is removed or gets another meaning.
    package static let schemaVersion = 1
    /// The size in bytes that a document without details does not exceed by its findings.
    package static let size = 4_096

    package var findings: [SubjectFinding] = []
    /// The command's own members, in their order.
    package var members = JSONObject()
    /// The text that the command would have printed; it is the result of a command without own members.
    package var text = ""
    /// The commands that make sense next.
    package var next: [String] = []
    /// The exit code whose outcome the result states if the command succeeds; `nil` for the command's own.
    ///
    /// A server exits with 0 although a client has failed.
    package var verdictCode: ExitCode?

    /// A finding and its subject, such as a story or an operation.
    package struct SubjectFinding: Sendable {
        package var finding: Finding
        package var subject: String?

        package init(_ finding: Finding, of subject: String? = nil) {
            (self.finding, self.subject) = (finding, subject)
        }
    }

    package static let option = Option(flag: "json", "Print the result as JSON, also that of a usage error")
    package static let detail = Option(flag: "detail", "With --json, print everything, without a size limit")

    package init() {}

    /// The one document of a command that has ended.
    ///
    /// - Parameters:
    ///   - command: the words after the program's name, such as `clock advance`.
    ///   - code: the exit code; `nil` while the command continues, as a server does.
    ///   - isDetailed: whether it contains every finding, and not only those that ``size`` leaves room for.
    package func document(of command: String, _ code: ExitCode?, isDetailed: Bool) -> JSONValue {
        var object: JSONObject = [
            "schemaVersion": .number(JSONNumber(Self.schemaVersion)),
            "command": .string(command),
            "outcome": .string(code.map { Self.outcome($0 == .success ? verdictCode ?? $0 : $0) } ?? "running"),
        ]
        object["exitCode"] = code.map { .number(JSONNumber(Int($0.rawValue))) }
        object["findings"] = []
        object["next"] = .array((next + explanations).unique.prefix(5).map(JSONValue.string))
        let reserved = Set(object.names)
        for member in members.members where !reserved.contains(member.name) { object[member.name] = member.value }
        if members.isEmpty, !text.isEmpty { object["text"] = .string(text) }
        let all = sorted.map(Self.json)
        let shown = isDetailed ? all[...] : fitting(all, after: JSONValue.object(object).text(.compact).utf8.count)
        object["findings"] = .array(Array(shown))
        if shown.count < all.count { object["omittedFindings"] = .number(JSONNumber(all.count - shown.count)) }
        return .object(object)
    }

    /// The findings, the errors first.
    private var sorted: [SubjectFinding] {
        Finding.Severity.allCases.reversed().flatMap { severity in
            findings.filter { $0.finding.severity == severity }
        }
    }

    /// The first findings that there is room for; at least one.
    private func fitting(_ all: [JSONValue], after used: Int) -> ArraySlice<JSONValue> {
        // The count of the others, and the line's end.
        var left = max(Self.size - used, 1_024) - 32
        let count = all.prefix { finding in
            left -= finding.text(.compact).utf8.count + 1
            return left >= 0
        }.count
        return all.prefix(max(count, 1))
    }

    /// The commands that explain the first findings.
    private var explanations: [String] {
        let ids = sorted.filter { $0.finding.severity > .note && !$0.finding.id.hasPrefix("command/") }
            .map { $0.finding.rule ?? $0.finding.id }
        return ids.unique.prefix(2).map { "backlot explain \($0)" }
    }

    private static func outcome(_ code: ExitCode) -> String {
        switch code {
        case .success: "passed"
        case .failed: "failed"
        case .interrupted: "interrupted"
        default: "error"
        }
    }

    private static func json(_ entry: SubjectFinding) -> JSONValue {
        let finding = entry.finding
        var object: JSONObject = [
            "severity": .string(finding.severity.rawValue), "id": .string(finding.id),
            "message": .string(finding.message),
        ]
        object["rule"] = finding.rule.map(JSONValue.string)
        object["subject"] = entry.subject.map(JSONValue.string)
        let place = finding.place
        object["file"] = place?.file.map(JSONValue.string)
        object["line"] = place?.position.map { .number(JSONNumber($0.line)) }
        object["column"] = place?.position.map { .number(JSONNumber($0.column)) }
        object["pointer"] = place?.pointer.map(JSONValue.string)
        object["operation"] = place?.operation.map(JSONValue.string)
        let exchanges = finding.exchanges.isEmpty ? [place?.exchange].compactMap { $0 } : finding.exchanges
        if !exchanges.isEmpty { object["exchanges"] = .array(exchanges.map { .number(JSONNumber($0)) }) }
        object["advice"] = finding.advice.map(JSONValue.string)
        return .object(object)
    }
}

extension Finding {
    /// The number of the token rule, `B2`; `nil` for a finding of another kind.
    package var rule: String? {
        let number = id.prefix { $0 != "/" && $0 != " " }
        let isNumber = number.utf8.first == UInt8(ascii: "B") && Int(number.dropFirst()) != nil
        return isNumber && number.count < id.count ? String(number) : nil
    }
}
