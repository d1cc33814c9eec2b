import Basics
import HTTPCodec
import JSON

extension ShapeChecker {
    /// Judges a name that the author chose; what stands under a name that means nothing is not looked at.
    mutating func checkName(_ member: JSONObject.Member, _ form: NameForm) -> Bool {
        switch form {
        case .any, .expression: return true
        case .path: return checkPath(member)
        case .status: return checkStatus(member)
        case .component:
            let isName = !member.name.isEmpty && member.name.utf8.allSatisfy(Self.mayStandInComponentName)
            if !isName {
                badName(member, "a component's name, which has letters, digits, dots, hyphens and underscores only")
            }
            return true
        case .mediaType:
            if MediaType(parsing: member.name) == nil { badName(member, "a media type such as \"application/json\"") }
            return true
        case .fieldName:
            if !HTTPMethod(rawValue: member.name).isWellFormed { badName(member, "the name of a header field") }
            return true
        }
    }

    private mutating func checkPath(_ member: JSONObject.Member) -> Bool {
        guard member.name.utf8.first == UInt8(ascii: "/") else {
            let advice =
                member.name.isEmpty ? "the root is \"/\"" : "write \"/\(member.name.shortened)\""
            badName(member, "a path, which begins with a slash", advice: advice)
            return false
        }
        for problem in PathProblem.problems(in: member.name) {
            report(
                problem.severity,
                "contract/bad-path",
                "in \"\(member.name.shortened)\", \(problem.sentence)",
                at: member.namePosition,
                below: member.name
            )
        }
        return true
    }

    private mutating func checkStatus(_ member: JSONObject.Member) -> Bool {
        if DocumentedResponse.Status(key: member.name) != nil { return true }
        let upper = member.name.uppercased()
        let meant =
            DocumentedResponse.Status(key: upper) != nil
            ? upper : Suggestion.nearest(to: member.name, among: ["default"] + (1...5).map { "\($0)XX" })
        badName(
            member,
            "a status such as \"200\", \"4XX\" or \"default\"",
            advice: meant.map { "did you mean \"\($0)\"?" }
        )
        return false
    }

    private mutating func badName(_ member: JSONObject.Member, _ wanted: String, advice: String? = nil) {
        report(
            .error,
            "contract/bad-name",
            "\"\(member.name.shortened)\" is not \(wanted)",
            at: member.namePosition,
            below: member.name,
            advice: advice
        )
    }

    private static func mayStandInComponentName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || ".-_".utf8.contains(byte)
    }
}

/// Something wrong with the text of a path template.
enum PathProblem: Hashable {
    case unbalancedBrace
    case emptyName
    case repeatedName(String)
    case query
    case fragment

    var severity: Finding.Severity {
        switch self {
        case .unbalancedBrace, .emptyName, .repeatedName: .error
        case .query, .fragment: .warning
        }
    }

    /// The end of a sentence that begins with the path.
    var sentence: String {
        switch self {
        case .unbalancedBrace: "a brace has no partner in the same segment"
        case .emptyName: "a parameter has no name between its braces"
        case .repeatedName(let name): "the parameter \"\(name.shortened)\" is there twice"
        case .query: "there is a query, which no request's path has; parameters \"in\": \"query\" describe it"
        case .fragment: "there is a #, which no request's path has"
        }
    }

    static func problems(in path: String) -> [PathProblem] {
        var problems: [PathProblem] = []
        var names: Set<[UInt8]> = []
        var open: [UInt8]?
        for byte in Array(path.utf8) + [0x2F] {
            switch (byte, open) {
            case (0x7B, nil): open = []
            case (0x7D, let name?):
                if name.isEmpty { problems.append(.emptyName) }
                if !names.insert(name).inserted {
                    problems.append(.repeatedName(String(decoding: name, as: UTF8.self)))
                }
                open = nil
            case (0x7B, _), (0x7D, nil), (0x2F, .some):
                return problems + [.unbalancedBrace]
            case (0x3F, nil): if !problems.contains(.query) { problems.append(.query) }
            case (0x23, nil): if !problems.contains(.fragment) { problems.append(.fragment) }
            default: open?.append(byte)
            }
        }
        return problems
    }
}
