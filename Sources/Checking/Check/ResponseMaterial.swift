import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// What a response sends, ready to be filled in, and the file that its places are in.
struct ResponseMaterial {
    enum Body {
        case none
        case json(JSONValue)
        case template(BodyTemplate)
        case bytes([UInt8])
        case text(TextTemplate)
        /// The bytes of an uploaded file, of which nothing is known but that it is no document.
        case upload
    }

    var body: Body
    /// The type that the server sends unless a header field of the response names another.
    var contentType: String?
    /// The fixture or file that places in the body belong to; `nil` for the scenario's own files.
    var file: String?
    /// Whether places in the body count from the beginning of the file, since it is sent as it is.
    var isRaw = false

    init(_ response: StubResponse, in loaded: LoadedScenario, fixtures: inout ParsedFixtures) {
        let source =
            response.fixture.map { fixtures.document(at: $0.path, number: $0.document) } ?? response.tree["json"]
        file = response.fixture?.path
        switch response.body {
        case .none:
            body = .none
        case .bytes(let bytes, let type):
            contentType = type
            body = source.map(Body.json) ?? .bytes(bytes)
            if let named = response.tree["file"], let name = named.string {
                isRaw = true
                file = FilePath.join(FilePath.folder(of: loaded.sources.path(of: named.position) ?? ""), name)
            }
        case .json(let template):
            contentType = "application/json"
            body = source.flatMap { BodyTemplate(template, source: $0) }.map(Body.template) ?? .none
        case .tree(let template):
            contentType = "application/json"
            body = source.flatMap { BodyTemplate(template.complete, source: $0) }.map(Body.template) ?? .none
        case .content:
            body = .upload
        case .text(let template):
            contentType = "text/plain; charset=utf-8"
            body = .text(template)
        }
    }

    /// The placeholders of the body.
    var placeholders: [Placeholder] {
        switch body {
        case .template(let template): template.placeholders
        case .text(let template): template.placeholders
        case .none, .json, .bytes, .upload: []
        }
    }
}
