package import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// A backend made of captured traffic: what a server normally answers, and a story of the session that was captured.
///
/// It holds no token, cookie, password, email address or phone number of the capture, and `check` accepts it.
package struct ImportedBackend: Sendable {
    private let draft: BackendDraft
    package let kinds: [String]
    /// The parts that were left out or guessed, with the reasons.
    package var findings: [Finding] { draft.findings }
    package var files: [ScenarioDraft.File] { draft.files }
    package var routeCount: Int { draft.routeCount }

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
        var made = try BackendDraft(
            [.init(path: "backend.json", tree: backend), .init(path: "captured-session.json", tree: story)],
            with: maker.fixtures,
            from: [0: session.capture.file]
        ) { document in
            var parts: [BackendDraft.Part] = []
            Self.collect(document.tree, [], &redaction, &parts)
            return parts
        }
        guard made.routeCount > 0 else {
            throw CaptureProblem("no route in the capture can be imported", in: session.capture.file)
        }
        made.note(maker.findings)
        draft = made
        kinds = session.tokens.kinds
    }

    /// Collects the parts that would show something private.
    private static func collect(
        _ value: JSONValue,
        _ path: [String],
        _ redaction: inout Redaction,
        _ parts: inout [BackendDraft.Part]
    ) {
        func check(_ text: String, _ path: [String]) {
            guard !redaction.isPlain(text) else { return }
            parts.append(
                BackendDraft.Part(
                    path: path,
                    reason: "it would contain a token or an address from the capture",
                    isNamed: false
                )
            )
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
