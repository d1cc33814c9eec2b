import JSON
package import ScenarioFormat

extension BackendDraft {
    /// Makes a backend of captured traffic: what a server normally answers, and a story of the session that was captured.
    ///
    /// It holds no token, cookie, password, email address or phone number of the capture, and `check` accepts it.
    ///
    /// - Parameters:
    ///   - name: what the backend is called.
    ///   - schemaPath: the path of the format's JSON Schema as the files name it.
    ///   - rules: the numbers of the rules that the captured client broke.
    /// - Throws: where `check` refuses a part that cannot be left out, or no route remains.
    package init(
        _ session: CapturedSession,
        named name: String,
        schemaPath: String?,
        rules: [String] = []
    ) throws(CaptureProblem) {
        var maker = BackendMaker(session)
        let backend = maker.backend(named: name, schemaPath: schemaPath)
        let story = maker.story(schemaPath: schemaPath, rules: rules)
        var redaction = maker.redaction
        try self.init(
            checking: [Document(backend), Document(story, path: "captured-session.json")],
            with: maker.fixtures.files,
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
