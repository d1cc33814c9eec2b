import Basics
import Checking
import ClientTesting
import JSON
import JSONSchema
import TestSupport
import Testing

@Suite struct `A line of a batch` {
    private static let files = MemoryFiles([
        "api.json": #"{"openapi": "3.0.3", "components": {"schemas": {"User": {"type": "object", "nullable": true}}}}"#,
        "user.json":
            #"{"properties": {"name": {"$ref": "parts/name.json#/$defs/short"}, "web": {"$ref": "https://example.com/x"}}}"#,
        "team.json": #"{"properties": {"name": {"$ref": "parts/name.json"}}}"#,
        "parts/name.json":
            #"{"type": "string", "properties": {"a": {"$ref": "../team.json"}}, "$defs": {"short": {"maxLength": 3}}}"#,
        "broken.json": "{",
    ])

    private static func answers(_ lines: String...) -> [String] {
        var batch = BatchValidation(files)
        return lines.map { batch.answer(to: Array($0.utf8)) ?? "" }
    }

    @Test(arguments: [
        (#"{"id": 1, "schema": {"type": "string"}, "instance": "x"}"#, #"{"id":1,"valid":true}"#),
        (#"{"id": "a", "schema": false, "instance": null}"#, #"{"id":"a","valid":false}"#),
        (#"{"schema": {}, "instance": 1}"#, #"{"id":null,"valid":true}"#),
        (#"{"id": 1, "draft": "4", "schema": {"type": "integer"}, "instance": 1.0}"#, #"{"id":1,"valid":false}"#),
        (#"{"id": 1, "draft": 7, "schema": {"type": "integer"}, "instance": 1.0}"#, #"{"id":1,"valid":true}"#),
        (#"{"id": 1, "format": true, "schema": {"format": "date"}, "instance": "x"}"#, #"{"id":1,"valid":false}"#),
        (#"{"id": 1, "format": false, "schema": {"format": "date"}, "instance": "x"}"#, #"{"id":1,"valid":true}"#),
        (
            #"{"id": 1, "schema": {"$ref": "urn:a"}, "registry": {"urn:a": {"type": "null"}}, "instance": 1}"#,
            #"{"id":1,"valid":false}"#
        ),
        (
            #"{"id": 1, "schema": {"properties": {"a": {"readOnly": true}}, "required": ["a"]}, "instance": {}, "direction": "request"}"#,
            #"{"id":1,"valid":true}"#
        ),
        (
            ##"{"id": 1, "spec": "api.json", "pointer": "#/components/schemas/User", "instance": null}"##,
            #"{"id":1,"valid":true}"#
        ),
        (#"{"id": 1, "spec": "team.json", "instance": {"name": 1}}"#, #"{"id":1,"valid":false}"#),
        (#"{"id": 1, "spec": "team.json", "instance": {"name": "x"}}"#, #"{"id":1,"valid":true}"#),
    ])
    func `is answered with the verdict`(line: String, answer: String) {
        #expect(Self.answers(line) == [answer + "\n"])
    }

    @Test(arguments: [
        ("{", "the line is not valid JSON: "),
        ("[]", "a case must be an object"),
        (#"{"id": 1, "schema": {}}"#, #"\"instance\" is missing from the case"#),
        (#"{"id": 1, "instance": 1}"#, #"the case contains neither \"schema\" nor \"spec\""#),
        (#"{"id": 1, "draft": "5", "schema": {}, "instance": 1}"#, #"unknown draft \"5\"; the drafts are 4, 6, 7"#),
        (#"{"id": 1, "schema": {}, "instance": 1, "format": "yes"}"#, #"\"format\" must be true or false"#),
        (
            #"{"id": 1, "spec": "team.json", "pointer": 5, "instance": 1}"#,
            ##"\"pointer\" must be a string such as \"#/a/b\""##
        ),
        (
            #"{"id": 1, "schema": {}, "instance": 1, "registry": []}"#,
            #"\"registry\" must be an object that maps URIs to schemas"#
        ),
        (
            #"{"id": 1, "schema": {}, "instance": 1, "direction": "up"}"#,
            #"\"direction\" must be \"request\" or \"response\""#
        ),
        (#"{"id": 1, "schema": {"type": "strin"}, "instance": 1}"#, #"did you mean \"string\"?"#),
        (#"{"id": 1, "spec": "none.json", "instance": 1}"#, #"there is no file \"none.json\""#),
        (#"{"id": 1, "spec": "broken.json", "instance": 1}"#, "broken.json:1:2: "),
        (
            #"{"id": 1, "spec": "user.json", "instance": 1}"#,
            #"the reference \"https://example.com/x\" cannot be resolved"#
        ),
        (
            ##"{"id": 1, "spec": "api.json", "pointer": "#/components/schemas/Usr", "instance": 1}"##,
            ##"did you mean \"#/components/schemas/User\"?"##
        ),
    ])
    func `that cannot be judged is answered with the reason`(line: String, reason: String) throws {
        let answer = try #require(Self.answers(line).first)
        #expect(answer.contains(reason))
        #expect(answer.hasSuffix("\n") && !answer.dropLast().contains("\n"))
        let object = try JSONParser().parse(Array(answer.utf8)).root
        #expect(object["error"]?.string != nil && object["valid"] == nil)
    }

    @Test(arguments: ["", "  \t", "\r"])
    func `that is blank is not answered`(line: String) {
        #expect(Self.answers(line) == [""])
    }

    @Test func `does not disturb the next one`() {
        let good = #"{"id": 2, "schema": {"type": "null"}, "instance": null}"#
        #expect(Self.answers(good, "{", #"{"schema": 3, "instance": 1}"#, good).last == "{\"id\":2,\"valid\":true}\n")
    }

    @Test func `shares schemas with the others, but not across drafts, formats and registries`() {
        let answers = Self.answers(
            #"{"id": 1, "draft": "4", "schema": {"type": "integer"}, "instance": 1.0}"#,
            #"{"id": 2, "draft": "6", "schema": {"type": "integer"}, "instance": 1.0}"#,
            #"{"id": 3, "schema": {"format": "date"}, "instance": "x"}"#,
            #"{"id": 4, "schema": {"format": "date"}, "instance": "x", "format": true}"#,
            #"{"id": 5, "schema": {"$ref": "urn:a"}, "registry": {"urn:a": true}, "instance": 1}"#,
            #"{"id": 6, "schema": {"$ref": "urn:a"}, "registry": {"urn:a": false}, "instance": 1}"#
        )
        #expect(answers.map { $0.contains("true") } == [false, true, true, false, true, false])
    }

    @Test func `reads a file once, however many cases name it`() {
        let files = MemoryFiles(["a.json": #"{"type": "string"}"#])
        var batch = BatchValidation(files)
        for _ in 0..<3 { _ = batch.answer(to: Array(#"{"spec": "a.json", "instance": 1}"#.utf8)) }
        let first = files.touched.count
        _ = batch.answer(to: Array(#"{"spec": "a.json", "instance": 1}"#.utf8))
        #expect(files.touched.count == first)
    }

    @Test func `too long to be read is answered too`() {
        #expect(
            BatchValidation.answerToLine(longerThan: "64 MB")
                == "{\"id\":null,\"error\":\"the line is longer than 64 MB\"}\n"
        )
    }
}

@Suite struct `A schema of a contract with overlays` {
    private static let files = MemoryFiles([
        "api.yaml": """
        openapi: 3.1.0
        info: {title: A, version: "1"}
        paths: {}
        components:
          schemas:
            Pet: {type: object, required: [id]}
        """,
        "more.yaml": """
        overlay: 1.0.0
        info: {title: More, version: "1"}
        actions:
          - target: $.components.schemas.Pet
            update: {minProperties: 2}
          - target: $.components.schemas.Cat
            remove: true
        """,
        "pet.json": #"{"id": 1}"#,
    ])

    @Test func `is what the overlays make of it, each part with its place`() throws {
        var library = SchemaLibrary(Self.files, formats: .annotation, overlays: ["more.yaml"])
        let schema = try library.schema(in: "api.yaml", at: "#/components/schemas/Pet", dialect: nil)
        #expect(library.remarks.map { $0.place?.position?.line } == [6])
        let pet = try library.read("pet.json", duplicateNames: .lastWins)
        let leaf = try #require(try schema.evaluate(pet.root).leaves.first)
        #expect(library.sources.place(of: leaf.instancePosition).file == "pet.json")
        #expect(library.sources.place(of: leaf.schemaPosition).description.hasPrefix("more.yaml:5:"))
    }

    @Test func `is none where an overlay is not there`() {
        var library = SchemaLibrary(Self.files, formats: .annotation, overlays: ["none.yaml"])
        #expect(throws: SchemaLibrary.Problem.self) {
            try library.schema(in: "api.yaml", at: "#/components/schemas/Pet", dialect: nil)
        }
    }
}
