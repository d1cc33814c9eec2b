import Basics
import Testing

/// Changes of one of so many alternatives that they cannot all be compared with each other.
@Suite struct `One of very many alternatives` {
    struct Kind: Sendable, CustomTestStringConvertible {
        var keyword: String
        /// An alternative, with its number as `%`.
        var alternative: String
        /// A Boolean value that indicates whether values of one alternative may match others, too.
        var isOpen = false

        var testDescription: String { "\(keyword) of \(alternative)" }

        func schema(_ numbers: [Int]) -> String {
            let all = numbers.map { alternative.replacing("%", with: "\($0)") }
            return #"{"\#(keyword)": [\#(all.joined(separator: ", "))]}"#
        }
    }

    private static let kinds = ["anyOf", "oneOf"].flatMap { keyword in
        [
            Kind(keyword: keyword, alternative: #"{"const": "v%"}"#),
            Kind(
                keyword: keyword,
                alternative: #"{"type": "object", "required": ["k"], "properties": {"k": {"const": "v%"}}}"#
            ),
            Kind(
                keyword: keyword,
                alternative: #"{"type": "object", "required": ["k%"], "properties": {"k%": {"const": %}}}"#,
                isOpen: true
            ),
            Kind(
                keyword: keyword,
                alternative:
                    #"{"title": "T%", "type": "object", "required": ["k"], "properties": {"k": {"enum": ["v%"]}}}"#
            ),
        ]
    }

    /// A value that is sent and not read breaks a client; an open object may match two alternatives, which `oneOf` refuses.
    @Test(arguments: [10, 70], kinds)
    func `breaks a client where its values are sent and not read`(count: Int, kind: Kind) throws {
        let few = Array(0..<count)
        let many = few + [count]
        let isExclusive = kind.isOpen && kind.keyword == "oneOf"
        for (side, old, new, isBreaking) in [
            (SchemaRevisions.Side.request, many, few, true), (.response, few, many, true),
            (.request, few, many, isExclusive), (.response, many, few, isExclusive),
            (.request, few, many.map { $0 + 1000 }, true), (.response, few, many.map { $0 + 1000 }, true),
        ] {
            let findings = try SchemaRevisions.findings(side, kind.schema(old), kind.schema(new))
            let severities = Set(findings.map(\.severity))
            let detail = "\(side), \(old.count) to \(new.count): \(findings.map(\.message))"
            #expect(severities.contains(.error) == isBreaking, "\(detail)")
            #expect(isBreaking || severities == [.note], "\(detail)")
        }
    }

    @Test(arguments: kinds) func `is found in any order`(kind: Kind) throws {
        let numbers = Array(0..<80)
        #expect(try SchemaRevisions.findings(.request, kind.schema(numbers), kind.schema(numbers.reversed())).isEmpty)
        let changed = [100] + numbers.dropFirst().reversed()
        for side in [SchemaRevisions.Side.request, .response] {
            let findings = try SchemaRevisions.findings(side, kind.schema(numbers), kind.schema(changed))
            #expect(findings.contains { $0.severity == .error }, "\(findings.map(\.message))")
        }
    }
}
