import Basics
import JSON
import Testing

@testable import ScenarioFormat

@Suite
struct `Templates` {
    private func parser() -> TemplateParser {
        TemplateParser(vocabulary: PlaceholderParser.Vocabulary(kinds: ["access"]), sources: SourceMap())
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("{{uuid}}", "<uuid>"), ("a{{uuid}}b", "a<uuid>b"),
        ("{{uuid}}{{session}}", "<uuid><session>"), ("{ {uuid} }", "{ {uuid} }"), ("}}", "}}"), ("{", "{"),
        (#"{{ "{{" }}uuid}}"#, #"<"{{">uuid}}"#), (#"{{request.query.a ?? "}}"}}!"#, #"<request.query.a ?? "}}">!"#),
        (#"{{request.query.a ?? {"b": {}}}}!"#, #"<request.query.a ?? {"b": {}}>!"#), ("é{{uuid}}é", "é<uuid>é"),
        ("{{uuid}}}", "<uuid>}"), ("{\u{301}{{uuid}}", "{\u{301}<uuid>"),
    ])
    func `take text apart`(text: String, parts: String) {
        var parser = parser()
        let template = parser.text(text, at: .unknown)
        let summary = template.parts.map { part in
            switch part {
            case .literal(let text): text
            case .placeholder(let placeholder): "<\(placeholder.text)>"
            }
        }.joined()
        #expect(summary == parts)
        #expect(parser.findings.isEmpty)
        #expect(template.constant == (template.placeholders.isEmpty ? text : nil))
    }

    @Test(arguments: [
        (#"{"a": 1, "b": [true, null]}"#, #"{"a":1,"b":[true,null]}"#), (#""{{uuid}}""#, "<uuid>"),
        (#""a {{uuid}}""#, #""a (uuid)""#),
        (#"{"id": "{{uuid}}", "t": "{{clock}} \"now\" "}"#, #"{"id":<uuid>,"t":"(clock) \"now\" "}"#),
        (#"["{{uuid}}", 1.50, "{{session}}-{{device}}"]"#, #"[<uuid>,1.50,"(session)-(device)"]"#),
    ])
    func `compile JSON to bytes and places`(text: String, parts: String) throws {
        var parser = parser()
        let template = parser.tree(try JSONParser().parse(text).root).complete
        let summary = template.parts.map { part in
            switch part {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .value(let placeholder): "<\(placeholder.text)>"
            case .fragment(let placeholder): "(\(placeholder.text))"
            }
        }.joined()
        #expect(summary == parts)
        #expect(parser.findings.isEmpty)
    }

    @Test
    func `report every mistake at its string, and go on`() throws {
        var parser = parser()
        let text = """
            {
              "a": "{{uid}} and {{token.acess}}",
              "b": ["{{uuid", "{{uuid}}"],
              "{{uuid}}": 1
            }
            """
        _ = parser.tree(try JSONParser().parse(text).root)
        #expect(
            parser.findings.map(\.description) == [
                #"2:8: error: unknown placeholder "uid"; did you mean "uuid"? [scenario/placeholder]"#,
                #"2:8: error: unknown token kind "acess"; did you mean "access"? [scenario/placeholder]"#,
                #"3:9: error: the placeholder is not closed; close the placeholder with "}}" [scenario/placeholder]"#,
                #"4:3: warning: the name "{{uuid}}" is sent unchanged, because placeholders are expanded in values, not in names [scenario/placeholder-name]"#,
            ]
        )
    }
}
