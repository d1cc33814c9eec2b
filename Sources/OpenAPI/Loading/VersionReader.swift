import Basics
import JSON
import JSONSchema

/// Reads the version of a document, and says what it is when it is no OpenAPI.
enum VersionReader {
    static func version(of document: ContractDocument) throws(FindingError) -> OpenAPIVersion {
        let root = document.root
        guard let object = root.object else {
            throw refusal(
                "an OpenAPI file is a JSON object; this is \(root.kindName.withArticle)",
                at: root.position,
                "",
                in: document
            )
        }
        if let swagger = object.member(named: "swagger"), object["openapi"] == nil {
            throw refusal(
                "this is Swagger \(swagger.value.string ?? "2.0"); OpenAPI 3.0 and 3.1 are understood",
                at: swagger.value.position,
                "/swagger",
                in: document,
                advice: "convert it once with a converter to OpenAPI 3"
            )
        }
        guard let version = object["openapi"] else {
            let meant = Suggestion.nearest(to: "openapi", among: object.names).flatMap(object.member(named:))
            throw refusal(
                "this is no OpenAPI file: it has no \"openapi\" with a version such as \"3.1.0\"",
                at: meant?.namePosition ?? root.position,
                meant.map { JSONPointer(tokens: [$0.name]).description } ?? "",
                in: document,
                advice: meant.map { "is \"\($0.name)\" meant to be \"openapi\"?" }
            )
        }
        guard let text = version.string else {
            throw refusal(
                "\"openapi\" is a version in quotes, such as \"3.1.0\"; this is \(version.kindName.withArticle)",
                at: version.position,
                "/openapi",
                in: document
            )
        }
        guard let known = OpenAPIVersion(written: text) else {
            throw refusal(
                "OpenAPI \(text.shortened) is not understood; 3.0 and 3.1 are",
                at: version.position,
                "/openapi",
                in: document
            )
        }
        return known
    }

    /// What is to be known about a version that is newer than what is understood.
    static func note(on document: ContractDocument) -> Finding {
        let position = document.root["openapi"]?.position.text
        return Finding(
            .note,
            id: "contract/version",
            "OpenAPI 3.2 is read as 3.1; what is new in it is mostly not looked at",
            at: Place(file: document.path, position: position, pointer: "/openapi")
        )
    }

    private static func refusal(
        _ message: String,
        at position: JSONPosition,
        _ pointer: String,
        in document: ContractDocument,
        advice: String? = nil
    ) -> FindingError {
        let place = Place(file: document.path, position: position.text, pointer: pointer)
        return FindingError(
            Finding(.error, id: "contract/version", message.printable, at: place, advice: advice?.printable)
        )
    }
}

extension OpenAPIVersion {
    /// Reads a version as files write it: two or three numbers with dots between them.
    init?(written text: String) {
        let parts = text.utf8.split(separator: 0x2E, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts.contains(where: \.isEmpty),
            parts.count == 2 || (0x30...0x39).contains(parts[2][parts[2].startIndex])
        else { return nil }
        let minor = parts[..<2].map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
        self.init(rawValue: minor)
    }

    /// How schemas are read unless they say so themselves.
    var dialect: SchemaDialect { self == .v30 ? .openAPI30 : .openAPI31 }
}

extension String {
    /// A kind of JSON value with its article.
    var withArticle: String {
        switch self {
        case "array", "object": "an \(self)"
        case "null": self
        default: "a \(self)"
        }
    }
}
