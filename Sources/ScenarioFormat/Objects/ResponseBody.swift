import Basics
import HTTPCodec
package import JSON

/// The bytes of a response, final where they can be.
package enum ResponseBody: Sendable {
    case none
    /// Rendered once, when the scenario was loaded.
    case bytes([UInt8], contentType: String)
    /// The tree keeps the positions of its values; the other form is what is written.
    case json(TreeTemplate, written: ValueTemplate)
    case text(TextTemplate)
    /// JSON of which members may be left out.
    case tree(TreeTemplate)
    /// The bytes of the uploaded file that the route has found under a name.
    case content(of: String)
    /// A body that comes event by event.
    case events(EventStream)
    /// No body: the connection becomes a WebSocket.
    case webSocket(WebSocketScript)
    /// The message of the upstream server.
    case forwarded
}

extension ResponseBody {
    /// The placeholders in it, in their order.
    package var placeholders: [Placeholder] {
        switch self {
        case .none, .bytes, .content, .forwarded: []
        case .json(_, let template): template.placeholders
        case .text(let template): template.placeholders
        case .tree(let template): template.placeholders
        case .events(let stream): stream.placeholders
        case .webSocket(let script): script.placeholders
        }
    }
}

// The bodies that the keys of a response name.
extension ResponseBody {
    /// The bytes of a fixture as they are, unless it has placeholders; one in YAML is sent as JSON.
    static func fixture(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> ResponseBody {
        guard let name = tree.string, let bytes = builder.asset(name, at: tree.position),
            let document = builder.fixture(bytes, named: name, at: tree.position)
        else { return .none }
        builder.templates.origin = "the fixture is used at \(builder.sources.place(of: tree.position))"
        defer { builder.templates.origin = nil }
        let format = TextFormat(ofFile: builder.path(ofFixture: name, at: tree.position))
        let json = format == .json ? bytes : document.root.utf8(.compact)
        return template(document.root, &builder) ?? .bytes(json, contentType: jsonType)
    }

    static func json(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> ResponseBody {
        template(tree, &builder) ?? .bytes(tree.utf8(.compact), contentType: jsonType)
    }

    static func text(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> ResponseBody {
        guard let text = builder.read(tree, as: .template(.any)) else { return .none }
        return text.constant.map { .bytes(Array($0.utf8), contentType: textType) } ?? .text(text)
    }

    static func file(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> ResponseBody {
        guard let name = tree.string, let bytes = builder.asset(name, at: tree.position) else { return .none }
        return .bytes(bytes, contentType: MediaTypes.type(ofFile: name))
    }

    static func uploaded(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> ResponseBody {
        guard let name = tree.string, builder.expectFound(name, at: tree.position) else { return .none }
        expectFile(name, at: tree.position, &builder)
        return .content(of: name)
    }

    /// Warns of a found item that can be no file; a story may have removed the route that uploads some.
    private static func expectFile(_ name: String, at position: JSONPosition, _ builder: inout ScenarioBuilder) {
        guard let found = builder.scope.found.first(where: { $0.name.exact == name.exact }),
            !builder.names.uploadedCollections.contains(found.collection.exact)
        else { return }
        builder.report(
            "scenario/no-upload",
            "no response uploads files to \"\(found.collection)\", so \"\(name)\" is never a file",
            at: position,
            severity: .warning
        )
    }

    /// A body with placeholders; `nil` for one without.
    private static func template(_ value: JSONValue, _ builder: inout ScenarioBuilder) -> ResponseBody? {
        guard TemplateParser.mayHoldPlaceholders(value) else { return nil }
        guard TemplateParser.mayLeaveOut(value) else {
            let tree = builder.templates.tree(value)
            return .json(tree, written: tree.complete)
        }
        return builder.omitting { .tree($0.templates.tree(value)) }
    }

    /// The media types of bodies without a Content-Type.
    package static let jsonType = "application/json"
    package static let textType = "text/plain; charset=utf-8"
}

/// The fixture that a response's body was read from, so that a checker can read it again with the place of every value.
package struct FixtureReference: Sendable, Hashable {
    /// The file's path as the user would write it.
    package var path: String
    /// Its document number in the loaded scenario's ``Basics/SourceMap``.
    package var document: Int32
    /// The place where the scenario names it.
    package var position: JSONPosition
}
