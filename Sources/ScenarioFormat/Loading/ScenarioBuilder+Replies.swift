import Basics
import HTTPCodec
import JSON

extension ScenarioBuilder {
    /// Reads the listed responses of a route or a case, and the one that stands beside them.
    ///
    /// - Parameter always: whether there is an own response even if nothing is said about it.
    mutating func sequence(_ tree: JSONValue, always: Bool) -> ResponseSequence {
        let listed = (tree["responses"]?.array ?? []).map { tree in
            expectNoUploadRate(in: tree)
            return response(tree)
        }
        let said = Optional(tree).members.first { Self.ownKeys.contains($0.name) }
        let own = said != nil || (always && listed.isEmpty) ? response(tree) : nil
        let written = tree["afterLast"]
        if let written, listed.isEmpty {
            report("scenario/idle-key", "\"afterLast\" means nothing without \"responses\"", at: written.position)
        }
        // After a story's list the route goes on as the file below has it, be it by a case.
        let goesOn = own != nil || listsFirst(in: tree)
        let afterLast = written?.string.flatMap(AfterLast.init) ?? (goesOn ? .own : .repeatLast)
        if let written, afterLast == .own, !goesOn {
            report(
                "scenario/no-own-response",
                "there is no response beside \"responses\" to go on with",
                at: written.position,
                advice: "give the route a status or a body of its own, or say \"repeat\""
            )
        }
        if let written, listsFirst(in: tree), afterLast != .own { expectOwnAfterLast(written, of: tree) }
        // A story that says it of a route in another file means that the route's own response is not given any more.
        let isOverridden = written.map { $0.position.document != said?.namePosition.document } ?? false
        if let said, !listed.isEmpty, afterLast != .own, !isOverridden {
            report(
                "scenario/idle-key",
                "\"\(said.name)\" beside \"responses\" means nothing, because \"afterLast\" is"
                    + " \"\(afterLast.rawValue)\"",
                at: said.namePosition,
                advice: "remove it, or let the route's own response go on with \"afterLast\": \"own\""
            )
        }
        if own == nil, let reason = tree.object?.member(named: "breaks") {
            report(
                "scenario/idle-key",
                "\"breaks\" means nothing here, because there is no response beside it",
                at: reason.namePosition,
                advice: "say it in the response that breaks the contract"
            )
        }
        return ResponseSequence(own: own, listed: listed, afterLast: afterLast)
    }

    /// Refuses a list that goes before the cases of a route and that would hide them for ever, because the file below
    /// says so of a list of its own.
    private mutating func expectOwnAfterLast(_ written: JSONValue, of tree: JSONValue) {
        guard let responses = tree.object?.member(named: "responses"),
            written.position.document != responses.namePosition.document
        else { return }
        report(
            "scenario/inherited-after-last",
            "these responses go before the route's cases, and \"afterLast\": \(written.text(.compact)) at"
                + " \(sources.place(of: written.position)) would let them hide the cases for ever",
            at: responses.namePosition,
            advice: "say \"afterLast\" here, too: \"own\" goes on with the cases"
        )
    }

    /// The keys that make a response of the object that they stand in.
    static let ownKeys: Set<String> = [
        "status", "headers", "fixture", "json", "text", "file", "contentOf", "empty", "fault", "grants", "signIn",
        "then",
    ]

    /// The body is read before it is known which case or guard answers.
    mutating func expectNoUploadRate(in tree: JSONValue) {
        guard let rate = tree["bandwidth"]?.object?.member(named: "up") else { return }
        report(
            "scenario/idle-key",
            "\"up\" means nothing here, because the body is read before it is known what answers",
            at: rate.namePosition,
            advice: "say it for the whole route or in \"defaults\""
        )
    }

    mutating func response(_ tree: JSONValue) -> StubResponse {
        let outer = scope
        defer { scope = outer }
        // What is made on the way has names that the rest of the response may use.
        let changes = (tree["then"]?.array ?? []).compactMap { event($0, inResponse: true) }
        let status = tree["status"]?.number?.int ?? 200
        let body = body(of: tree)
        if case .none = body {
        } else if status == 204 || status == 304 || status == 205 {
            report(
                "scenario/body-not-allowed",
                "a \(status) response has no body (RFC 9110, section 15)",
                at: tree["status"]?.position ?? tree.position,
                advice: "remove the body or choose another status"
            )
        }
        let headers = headers(tree["headers"], over: line.headers)
        let grants = grants(tree["grants"])
        checkTokensAreGranted(grants, in: body.placeholders + headers.flatMap(\.value.placeholders), of: tree)
        return StubResponse(
            status: status,
            headers: headers,
            body: body,
            latency: latency(tree["latency"]) ?? line.latency,
            pacing: pacing(tree) ?? line.pacing,
            fault: tree["fault"].flatMap { fault($0) },
            grants: grants,
            signIn: signIn(tree["signIn"]),
            changes: changes,
            position: tree.position,
            breaks: tree["breaks"]?.string,
            fixture: fixture(of: tree),
            tree: tree
        )
    }

    /// A token that the response shows and does not grant is always null.
    private mutating func checkTokensAreGranted(_ grants: [Grant], in placeholders: [Placeholder], of tree: JSONValue) {
        for placeholder in placeholders where placeholder.fallback == nil {
            guard case .token(let kind, _) = placeholder.source, !grants.contains(where: { $0.kind == kind }) else {
                continue
            }
            guard !foreignKinds.containsExactly(kind) else {
                expectOwnKind(kind, at: tree.position, for: "show")
                continue
            }
            report(
                "scenario/token-not-granted",
                "the response shows {{\(placeholder.text)}} but grants no \"\(kind)\", so this is always null",
                at: tree.position,
                advice: "add \"grants\": {\"\(kind)\": \"new\"}",
                severity: .warning
            )
        }
    }

    mutating func headers(_ tree: JSONValue?, over base: [HeaderTemplate]) -> [HeaderTemplate] {
        let written = tree.members
        let replaced = Set(written.map { $0.name.lowercased() })
        var headers = base.filter { !replaced.contains($0.name.lowercased()) }
        var seen: [String: String] = [:]
        for member in written {
            if let first = seen.updateValue(member.name, forKey: member.name.lowercased()) {
                report(
                    "scenario/same-field",
                    "\"\(first)\" and \"\(member.name)\" are the same header field",
                    at: member.namePosition,
                    advice: "write it as \"\(first)\"; an array gives one field several values"
                )
            }
            if Self.managedFields.contains(member.name.lowercased()) {
                report(
                    "scenario/managed-field",
                    "\"\(member.name)\" is written by the server itself, because it frames the message",
                    at: member.namePosition,
                    advice: "use \"fault\" to break the framing on purpose"
                )
                continue
            }
            for value in member.value.array ?? [member.value] {
                guard let text = value.string else { continue }
                guard HTTPFields.isValue(text) else {
                    report(
                        "scenario/bad-value",
                        "the value of \"\(member.name)\" holds a control character, which no header field may",
                        at: value.position
                    )
                    continue
                }
                headers.append(HeaderTemplate(name: member.name, value: templates.text(text, at: value.position)))
            }
        }
        return headers
    }

    /// Fields that the writer owns (RFC 9112, section 6).
    private static let managedFields: Set<String> = ["content-length", "transfer-encoding", "connection"]

    private mutating func signIn(_ tree: JSONValue?) -> SignIn? {
        guard let tree, tree.bool != false else { return nil }
        if let account = tree["account"], let name = account.string, !TemplateParser.mayHoldPlaceholders(name) {
            expect(name, among: accounts, as: "account", at: account.position)
        }
        return SignIn(
            device: tree["device"].flatMap { text($0) },
            account: tree["account"].flatMap { text($0) }
        )
    }

    private mutating func text(_ tree: JSONValue) -> TextTemplate? {
        tree.string.map { templates.text($0, at: tree.position) }
    }
}
