import Basics
import HTTPCodec
import JSON
import JSONSchema

extension ShapeChecker {
    /// Judges a name that the author chose; a value under a meaningless name is not looked at.
    mutating func checkName(_ member: JSONObject.Member, _ form: NameForm) -> Bool {
        switch form {
        case .any: return true
        case .expression:
            if !URLTemplate.isBalanced(member.name) {
                badName(member, "a runtime expression with a } for each {")
            }
            return true
        case .path: return checkPath(member)
        case .status: return checkStatus(member)
        case .component:
            if member.name.isEmpty || !member.name.utf8.allSatisfy({ $0.isUnreserved && $0 != UInt8(ascii: "~") }) {
                badName(member, "a component name, which contains only letters, digits, dots, hyphens and underscores")
            }
            return true
        case .mediaType:
            if MediaType(parsing: member.name) == nil { badName(member, "a media type such as \"application/json\"") }
            return true
        case .fieldName:
            if !HTTPFields.isName(member.name) { badName(member, "a header field name") }
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
                problem.severity(in: version),
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
}

/// Something wrong with the text of a path template.
enum PathProblem: Hashable {
    case unbalancedBrace
    case emptyName
    case repeatedName(String)
    case query
    case fragment

    func severity(in version: OpenAPIVersion) -> Finding.Severity {
        switch self {
        case .unbalancedBrace, .emptyName: .error
        // Only 3.2 forbids it (section 4.8.2).
        case .repeatedName: version < .v32 ? .warning : .error
        case .query, .fragment: .warning
        }
    }

    /// The end of a sentence that begins with the path.
    var sentence: String {
        switch self {
        case .unbalancedBrace: "a brace has no counterpart in the same segment"
        case .emptyName: "a parameter has no name between its braces"
        case .repeatedName(let name): "the parameter \"\(name.shortened)\" appears twice"
        case .query: "a query is not part of a path; describe the query with parameters \"in\": \"query\""
        case .fragment: "a # is not allowed in a path"
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

/// Names in braces in the URL of a server, and in the expression of a callback.
enum URLTemplate {
    /// The names between braces, each once.
    static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: 0x7B), let close = rest[open...].firstIndex(of: 0x7D) {
            names.append(String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self))
            rest = rest[rest.index(after: close)...]
        }
        return names.unique
    }

    /// Returns whether each opening brace has a closing one, and none is inside another pair.
    static func isBalanced(_ text: String) -> Bool {
        var isOpen = false
        for byte in text.utf8 {
            switch byte {
            case 0x7B, 0x7D:
                guard isOpen == (byte == 0x7D) else { return false }
                isOpen.toggle()
            default: break
            }
        }
        return !isOpen
    }
}
