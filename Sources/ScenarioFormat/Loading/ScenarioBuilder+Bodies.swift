import Basics
import HTTPCodec
import JSON

extension ScenarioBuilder {
    mutating func body(of tree: JSONValue) -> ResponseBody {
        if let fixture = tree.written(ResponseKeys.fixture), let name = fixture.string {
            guard let bytes = asset(name, at: fixture.position) else { return .none }
            return json(bytes, named: name, origin: fixture.position)
        }
        if let value = tree[ResponseKeys.json] {
            return template(value) ?? .bytes(value.utf8(.compact), contentType: Self.jsonType)
        }
        if let text = tree[ResponseKeys.text], let string = text.string {
            let template = templates.text(string, at: text.position)
            return template.constant.map { .bytes(Array($0.utf8), contentType: Self.textType) } ?? .text(template)
        }
        if let file = tree.written(ResponseKeys.file), let name = file.string,
            let bytes = asset(name, at: file.position)
        {
            return .bytes(bytes, contentType: MediaTypes.type(ofFile: name))
        }
        if let content = tree.written(ResponseKeys.contentOf), let name = content.string {
            guard expectFound(name, at: content.position) else { return .none }
            expectFile(name, at: content.position)
            return .content(of: name)
        }
        if let empty = tree.written(ResponseKeys.empty), empty.bool == false {
            report("scenario/idle-key", "\"empty\": false means nothing; leave it out", at: empty.position)
        }
        return .none
    }

    /// Warns of a found item that can be no file; a story may have removed the route that uploads some.
    private mutating func expectFile(_ name: String, at position: JSONPosition) {
        guard let found = scope.found.first(where: { $0.name.hasSameUTF8(as: name) }),
            !uploadedCollections.containsExactly(found.collection)
        else { return }
        report(
            "scenario/no-upload",
            "no response uploads anything to \"\(found.collection)\", so \"\(name)\" is never a file",
            at: position,
            severity: .warning
        )
    }

    /// Where the body comes from, once it has been read.
    func fixture(of tree: JSONValue) -> FixtureReference? {
        guard let fixture = tree.written(ResponseKeys.fixture), let name = fixture.string, FilePath.isPath(name) else {
            return nil
        }
        let path = FilePath.join(FilePath.folder(of: sources.path(of: fixture.position) ?? ""), name)
        guard case .some(.some(let document)) = fixtures[path] else { return nil }
        return FixtureReference(path: path, document: document.root.position.document, position: fixture.position)
    }

    private static let jsonType = "application/json"
    private static let textType = "text/plain; charset=utf-8"

    private mutating func asset(_ name: String, at position: JSONPosition) -> [UInt8]? {
        guard FilePath.isPath(name) else { return nil }
        do {
            return try assets.read(name, from: sources.path(of: position) ?? "")
        } catch {
            report("scenario/fixture", error.message, at: position, advice: error.advice)
            return nil
        }
    }

    /// A fixture's bytes as they are, unless it has placeholders; one in YAML is sent as JSON.
    private mutating func json(_ bytes: [UInt8], named name: String, origin: JSONPosition) -> ResponseBody {
        let path = FilePath.join(FilePath.folder(of: sources.path(of: origin) ?? ""), name)
        guard let document = fixture(bytes, at: path, origin: origin) else { return .none }
        templates.origin = "\(sources.place(of: origin)) names this fixture"
        defer { templates.origin = nil }
        let json = TextFormat(ofFile: path) == .json ? bytes : document.root.utf8(.compact)
        return template(document.root) ?? .bytes(json, contentType: Self.jsonType)
    }

    /// A body with placeholders; `nil` for one without.
    private mutating func template(_ value: JSONValue) -> ResponseBody? {
        guard TemplateParser.mayHoldPlaceholders(value) else { return nil }
        guard TemplateParser.mayLeaveOut(value) else { return .json(templates.value(value)) }
        let origin = templates.origin
        return within {
            $0.mayOmit = true
        } read: { builder in
            builder.templates.origin = origin
            return .tree(builder.templates.tree(value))
        }
    }

    /// A JSON file of the backend, read; its faults are reported once.
    mutating func document(named name: String, at origin: JSONPosition) -> JSONDocument? {
        guard let bytes = asset(name, at: origin) else { return nil }
        return fixture(
            bytes,
            at: FilePath.join(FilePath.folder(of: sources.path(of: origin) ?? ""), name),
            origin: origin
        )
    }

    private mutating func fixture(_ bytes: [UInt8], at path: String, origin: JSONPosition) -> JSONDocument? {
        if let known = fixtures[path] { return known }
        let number = sources.add(path)
        templates.sources = sources
        do {
            let document = try JSONParser(document: number, duplicateNames: .refused).parse(bytes, ofFile: path)
            fixtures[path] = .some(document)
            return document
        } catch {
            report(
                "scenario/fixture",
                "this fixture is not \(TextFormat(ofFile: path).name): \(error.sentence)",
                at: error.position,
                advice: "\(sources.place(of: origin)) names it; a body that is not JSON goes under \"file\""
            )
            fixtures[path] = .some(nil)
            return nil
        }
    }
}
