import Basics
import Checking
import JSON
import ScenarioFormat
import Testing

@testable import ClientTesting

@Suite
struct `Braces in a sample` {
    @Test(arguments: [
        ("plain {text}", "plain {text}"),
        ("{{", #"{{"{{"}}"#),
        ("a {{name}} b", #"a {{"{{"}}name}} b"#),
        ("{{{", #"{{"{{"}}{"#),
        ("{{{{", #"{{"{{"}}{{"{{"}}"#),
        ("{ {", "{ {"),
    ])
    func `are written so that they begin no placeholder`(text: String, written: String) {
        #expect(DraftText.literal(text) == written)
    }

    @Test
    func `are sent as they were`() throws {
        let document = Drafting.document(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
                  "schema": {"type": "object"}, "example": {"one": "{{clock}}", "two": ["{{{", "}}"], "{{name}}": 1}
                }}}}}}}
                """
        )
        let findings = try Drafting(document).load().findings
        #expect(findings.map(\.id) == ["scenario/placeholder-name"])
    }
}
