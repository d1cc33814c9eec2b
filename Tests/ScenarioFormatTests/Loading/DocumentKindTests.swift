import JSON
import ScenarioFormat
import Testing

/// What a file is by its content.
@Suite struct DocumentKindTests {
    @Test(arguments: [
        (#"{"openapi":"3.1.0"}"#, true), (#"  { "info": {}, "swagger" : "2.0" }"#, true),
        (#"{"backend":"openapi","x":{"openapi":1}}"#, false), (#"["openapi"]"#, false),
        (#"{"open\"api":1,"a":"openapi"}"#, false),
        ("", false), (#"{"openapi"#, false), (#"{"a\"#, false),
    ])
    func `an OpenAPI file is known by its root`(text: String, isContract: Bool) {
        #expect(DocumentKind.isContract(Array(text.utf8), at: "a.json") == isContract)
    }

    @Test(arguments: [
        (#"{"openapi":"3.1.0","backend":"A"}"#, DocumentKind.contract), (#"{"paths":{},"info":{}}"#, .contract),
        (#"{"backend":"A"}"#, .backend), (#"{"extends":"backend.json","id":"A-1"}"#, .story),
        (#"{"routes":{"GET /a":{}}}"#, .backend), (#"{"routes":{"GET /a":{}},"id":"A-1"}"#, .story),
        (#"{"$schema":"../scenario.schema.json"}"#, .backend), (#"{"id":"A-1","expect":[]}"#, .story),
        (#"{"id":1,"routes":["a"]}"#, .other), (#"{"routes":{"home":"/"}}"#, .other), (#"["openapi"]"#, .other),
    ])
    func `a document is known by the members of its root`(text: String, kind: DocumentKind) throws {
        #expect(DocumentKind(of: try JSONParser().parse(Array(text.utf8)).root) == kind)
    }
}
