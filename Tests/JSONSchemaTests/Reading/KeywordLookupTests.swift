import Foundation
import JSONSchema
import TestSupport
import Testing

/// The keywords of schemas are read by the compiler alone: two readers of one keyword disagree sooner or later.
@Suite struct `A keyword of JSON Schema` {
    /// Why a file looks up names that are also keywords.
    private static let exceptions: [String: (keywords: Set<String>, reason: String)] = [
        "Checking/Changes/ServerAddresses.swift": (["default", "enum"], "a server variable"),
        "Checking/Traffic/Stubs/StubDraft+JSONServer.swift": (["id"], "items of json-server"),
        "Checking/Traffic/Stubs/MockServerReader.swift": (["not", "type"], "expectations of MockServer"),
        "Checking/Traffic/Stubs/MockoonReader.swift": (["default", "id", "type"], "environments of Mockoon"),
        "Checking/Traffic/Stubs/PactReader.swift": (["description"], "pacts"),
        "Checking/Traffic/Stubs/PostmanReader.swift": (["id"], "collections of Postman"),
        "Checking/Traffic/Stubs/WireMockReader.swift": (
            ["contains", "not", "oneOf", "type"], "mappings of WireMock"
        ),
        "Checking/Validate/BatchValidation.swift": (["format", "id"], "a line of a batch"),
        "Checking/Validate/SchemaLibrary.swift": (["$ref"], "files are found before any of them is compiled"),
        "Checking/Verify/DocumentedLink.swift": (["$ref"], "Reference Objects"),
        "JSONSchema/Sampling/Plausible/PlausibleNumbers.swift": (["id"], "names of properties"),
        "OpenAPI/Building/ContractBuilder.swift": (
            ["$ref", "default", "deprecated", "description", "example", "examples", "required", "type"],
            "objects of OpenAPI around schemas"
        ),
        "OpenAPI/Judging/Bodies/SequenceForm.swift": (["id"], "an event in a stream"),
        "OpenAPI/Loading/ContractLoader.swift": (["title"], "the Info Object"),
        "OpenAPI/Loading/DocumentLibrary.swift": (["$ref"], "Reference Objects"),
        "OpenAPI/Overlays/Overlay.swift": (["$ref"], "a target may be a Reference Object"),
        "OpenAPI/Shapes/ShapeChecker.swift": (
            ["$ref"], "Reference Objects"
        ),
        "OpenAPI/Shapes/ShapeChecker+Schemas.swift": (
            ["$ref", "examples"], "the kind of a reference or of a list of examples that the compiler has found"
        ),
        "OpenAPI/Shapes/ShapeChecker+Objects.swift": (
            ["default", "enum", "required", "type"], "objects of OpenAPI around schemas"
        ),
        "OpenAPI/Shapes/ShapeChecker+Names.swift": (["default"], "the statuses of responses"),
    ]

    @Test func `is looked up in JSONSchema's Compiling alone`() throws {
        let sources = URL(filePath: "\(Project.folder)/Sources")
        let lookup = try Regex(#"(?:(?:\[|named: |contains\()(?="[$A-Za-z]+"[\])])|member\.name == )"([$A-Za-z]+)""#)
        let keywords = Set(SchemaDialect.allKeywords)
        var found: [String: Set<String>] = [:]
        for target in ["JSONSchema", "OpenAPI", "Checking"] {
            let files = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: target).path())
            for file in files where file.hasSuffix(".swift") {
                let path = "\(target)/\(file)"
                guard !path.hasPrefix("JSONSchema/Compiling/") else { continue }
                let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
                for match in text.matches(of: lookup) {
                    let name = String(match.output[1].substring ?? "")
                    if keywords.contains(name) { found[path, default: []].insert(name) }
                }
            }
        }
        #expect(found.count > 10)
        for (path, names) in found {
            let allowed = Self.exceptions[path]?.keywords ?? []
            #expect(names.isSubset(of: allowed), "\(path) looks up \(names.subtracting(allowed).sorted())")
        }
        for (path, exception) in Self.exceptions {
            let unused = exception.keywords.subtracting(found[path] ?? [])
            #expect(unused.isEmpty, "\(path) no longer looks up \(unused.sorted()) of \(exception.reason)")
        }
    }
}
