import Basics
import JSON
package import ScenarioFormat

extension BackendDraft {
    /// Makes a backend of captured traffic: what a server normally answers, and a story of the session that was captured.
    ///
    /// It holds no token, cookie or password of the capture, unless it is exact no email address or phone number either,
    /// and `check` accepts it.
    ///
    /// - Parameters:
    ///   - name: what the backend is called.
    ///   - schemaPath: the path of the format's JSON Schema as the files name it.
    ///   - isExact: whether equal requests get the same bytes; data about people then stays.
    ///   - earlier: the files of an earlier draft, to whose routes those of the session are added.
    ///   - rules: the numbers of the rules that the captured client broke.
    ///   - archiveVersion: the version of the program that writes an HTTP Archive of the session as well; `nil` for none.
    /// - Throws: where `check` refuses a part that cannot be left out, or no route remains.
    package init(
        _ session: CapturedSession,
        named name: String,
        schemaPath: String?,
        isExact: Bool = false,
        addingTo earlier: [File] = [],
        rules: [String] = [],
        archiveVersion: String? = nil
    ) throws(CaptureProblem) {
        var maker = BackendMaker(session, isExact: isExact)
        var backend = maker.backend(named: name, schemaPath: schemaPath)
        var story = Document(maker.story(schemaPath: schemaPath, rules: rules), path: Self.storyName)
        for file in earlier {
            guard let tree = try? JSONParser().parse(file.bytes).root.object else { continue }
            if file.path == Self.backendName { backend = backend.added(to: DraftScenario(tree)) }
            if file.path == Self.storyName { story = Document(DraftScenario(tree), path: Self.storyName) }
        }
        let names = Set(maker.fixtures.files.map(\.path))
        var redaction = maker.redaction
        try self.init(
            checking: [Document(backend), story],
            with: maker.fixtures.files + earlier.filter { !names.contains($0.path) },
            from: [0: session.capture.file]
        ) { document in
            var parts: [Part] = []
            Self.collect(document.tree, [], &redaction, &parts)
            return parts
        }
        guard routeCount > 0 else {
            throw CaptureProblem("no route in the capture can be imported", in: session.capture.file)
        }
        note(maker.findings)
        guard let archiveVersion else { return }
        let known = earlier.first { $0.path == Self.archiveName }
        let archive = known.flatMap { try? JSONParser().parse($0.bytes).root }
        if let known, archive?["log"]?["entries"]?.array == nil {
            attach(known)
            let message = "\(known.path) is not a HAR file, so it stays as it is, without the new requests"
            note([Finding(.note, id: "import/left-out", message, at: Place(file: session.capture.file))])
        } else {
            let har = session.har(version: archiveVersion, after: archive, without: redaction)
            attach(File(path: Self.archiveName, bytes: har.utf8(.compact) + [UInt8(ascii: "\n")]))
        }
    }

    /// Collects the parts that would show something private.
    private static func collect(
        _ value: JSONValue,
        _ path: [String],
        _ redaction: inout Redaction,
        _ parts: inout [Part]
    ) {
        func check(_ text: String, _ path: [String]) {
            guard !redaction.isPlain(text) else { return }
            let reason = "the part would contain a token or an address from the capture"
            parts.append(Part(path: path, reason: reason, isNamed: false))
        }
        if let text = value.string { check(text, path) }
        for (index, element) in (value.array ?? []).enumerated() {
            collect(element, path + ["\(index)"], &redaction, &parts)
        }
        for member in value.object?.members ?? [] {
            check(member.name, path + [member.name])
            collect(member.value, path + [member.name], &redaction, &parts)
        }
    }
}

extension DraftScenario {
    /// An earlier backend with the routes, cases and kinds of token that it lacks.
    fileprivate func added(to earlier: DraftScenario) -> DraftScenario {
        var whole = earlier
        var routes = earlier[.routes]?.object ?? JSONObject()
        for member in self[.routes]?.object?.members ?? [] {
            guard let known = routes[member.name]?.object else {
                routes[member.name] = member.value
                continue
            }
            var route = DraftRoute(known)
            let cases = route[.cases]?.array ?? []
            let conditions = Set(cases.map { $0["when"]?.text() ?? "" })
            let new = (DraftRoute(member.value.object ?? [:])[.cases]?.array ?? []).filter {
                !conditions.contains($0["when"]?.text() ?? "")
            }
            guard !new.isEmpty else { continue }
            // Cases with more conditions come first.
            let sorted = (cases + new).enumerated().sorted {
                (-Self.count($0.element), $0.offset) < (-Self.count($1.element), $1.offset)
            }
            route[.cases] = .array(sorted.map(\.element))
            routes[member.name] = route.json
        }
        whole[.routes] = .object(routes)
        whole[.cors] = earlier[.cors] ?? self[.cors]
        guard let kinds = self[.tokens]?.object else { return whole }
        var rules = Draft<DraftKeys.Tokens>(earlier[.tokens]?.object ?? kinds)
        var known = rules[.kinds]?.object ?? JSONObject()
        for kind in Draft<DraftKeys.Tokens>(kinds)[.kinds]?.object?.members ?? [] where known[kind.name] == nil {
            known[kind.name] = kind.value
        }
        rules[.kinds] = .object(known)
        whole[.tokens] = rules.json
        return whole
    }

    private static func count(_ branch: JSONValue) -> Int {
        DraftCondition(branch["when"]?.object ?? [:]).count
    }
}
