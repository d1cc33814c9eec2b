import Basics
import HTTPCodec
import JSON

/// The keys of a response, which guards, cases, routes and fallbacks have as well.
enum ResponseKeys: FormatObject {
    static let status = Key("status", .integer(200...999), default: 200, "The status code.")
    static let headers = Key(
        "headers",
        list: .headers,
        "Header fields; placeholders allowed. An array repeats a field, and `?? omit` omits it.",
        example: ["Cache-Control": "no-store"]
    )
    static let cookies = Key(
        "cookies",
        list: ValueType(shape: .cookies) { Optional($0).members },
        "Cookies that the response sets, by name: a value, or an object with a value and attributes.",
        example: ["sid": ["value": "{{token.session}}", "lifetime": "14d", "httpOnly": true]]
    )
    static let fixture = Key("fixture", .text(.path), "The JSON file that contains the body; placeholders allowed.")
    static let json = Key("json", .json(.anything), "The body as JSON; placeholders allowed.", example: ["id": 1])
    static let text = Key(
        "text",
        .json(.text(.any)),
        "The body as text; placeholders allowed.",
        example: "Hello {{account.name}}"
    )
    static let file = Key("file", .text(.path), "The file that contains the body, sent byte for byte.")
    static let contentOf = Key(
        "contentOf",
        .text(.name),
        "The name of the \"find\" result whose uploaded file becomes the body.",
        example: "file"
    )
    static let empty = Key("empty", .boolean, "If true, the response has no body.")
    static let events = Key(
        "events",
        .json(.list(of: .object(StreamEventKeys.self))),
        """
        The body as server-sent events on the virtual clock, or as JSON lines with `Content-Type: \
        application/x-ndjson`.
        """,
        example: [["id": "1", "json": ["progress": 0]], ["after": "2s", "id": "2", "json": ["progress": 100]]]
    )
    static let webSocket = Key("webSocket", .object(WebSocketKeys.self), "The WebSocket that the response opens.")
    static let fault = Key(
        "fault",
        .json(.fault),
        "The connection failure that replaces the response.",
        example: "reset"
    )
    static let grants = Key(
        "grants",
        list: .grants,
        """
        The tokens to grant, by kind: a new token, the last granted token (null if the server deleted it), or no token.
        """,
        example: ["access": "new", "refresh": "stored"]
    )
    static let remember = Key(
        "remember",
        list: .map(of: .anything, names: .name),
        "Data to store with the granted tokens; later requests read it as {{presented.KIND#/NAME}}.",
        example: ["scope": "{{request.form.scope ?? \"read\"}}"]
    )
    static let signIn = Key(
        "signIn",
        .json(.choice([.boolean, .object(SignInKeys.self)])),
        "If true, the response is a sign-in. A response that grants tokens on a route without \"requires\" is also a sign-in.",
        example: ["account": "{{request.body#/user}}"]
    )
    static let then = Key(
        "then",
        list: .list(of: .json(.event(with: .nothing))),
        "The events that the response causes on the server.",
        example: [["state": ["plan": "paid"]]]
    )
    static let breaks = Key(
        "breaks",
        .text(.filled),
        "The reason why the response deliberately violates the contract.",
        example: "the server is partly updated"
    )
    static let optional = Key(
        "optional",
        .boolean,
        default: false,
        "If true, the story is judged even if this addition was not played."
    )

    /// The keys of which a response has at most one, because each is its body.
    static let bodies: [any FormatKey] = [fixture, json, text, file, contentOf, events, webSocket, empty]

    static let all: [any FormatKey] =
        [status, headers, cookies] + bodies + EventStream.keys + NegotiationKeys.all + LineKeys.all + [
            fault, grants, remember, signIn, then, breaks, optional,
        ]

    /// The fields that the server sets, because they frame the message (RFC 9112, section 6).
    static let managedFields = ["content-length", "transfer-encoding", "connection"]

    static let rules = ObjectRules(
        "responseRules",
        [
            ObjectRule(
                .not(
                    .all([
                        .member(status, .oneOf([204, 205, 304])),
                        .hasAny(bodies.filter { $0.declaration.name != empty.name }),
                    ])
                ),
                "scenario/body-not-allowed",
                at: status,
                advice: "remove the body or choose another status",
                message: { "a \($0[status]) response has no body (RFC 9110, section 15)" }
            ),
            ObjectRule(
                .not(.all([.has(webSocket), .has(status)])),
                "scenario/idle-key",
                at: status,
                "the status of a WebSocket response is always 101"
            ),
            ObjectRule(
                .not(.member(empty, .oneOf([false]))),
                "scenario/idle-key",
                at: empty,
                "\"empty\": false has no effect; remove it"
            ),
            .idle(EventStream.staysOpen, unless: .has(events), "without \"events\""),
            .idle(EventStream.tokenAt, unless: .has(events), "without \"events\""),
            .idle(
                remember,
                unless: .member(grants, .anyMember(.oneOf([.string(Grant.Source.new.rawValue)]))),
                "here, because the response grants no new token",
                advice: "add \"grants\", or store the data with {\"create\": …} in \"then\""
            ),
        ]
    )

    /// The keys that make their object a response.
    static let ownKeys: [any FormatKey] =
        [status, headers, cookies] + bodies + [fault, grants, remember, signIn, then]
    static let own = Set(ownKeys.map(\.declaration.name))

    /// The keys of a route that all of its responses take from it.
    static let line = Set((LineKeys.all + NegotiationKeys.all).map(\.declaration.name))

    static let shape = ObjectShape(
        "response",
        "a response",
        "one response",
        all,
        exclusive: [bodies],
        rules: rules,
        LineKeys.rules,
        LineKeys.noUploadRate
    )
}

/// The keys of listed responses, which routes, cases and fallbacks have.
enum SequenceKeys {
    static let responses = Key(
        "responses",
        list: .list(of: .object(ResponseKeys.self)),
        "Responses to send in order, one per request.",
        example: [["status": 503, "empty": true]]
    )
    static let afterLast = Key(
        "afterLast",
        .word(AfterLast.self),
        "The behavior after the last response: repeat it, loop, fail with 500, or send the route's own response.",
        otherwise: "`\"own\"` if the route has its own response; otherwise `\"repeat\"`"
    )
    static let all: [any FormatKey] = [responses, afterLast]

    /// The rules of an object with listed responses and perhaps its own one.
    ///
    /// - Parameter others: the keys next to which there is no own response unless it is written.
    static func rules(alsoWith others: [any FormatKey]) -> ObjectRules {
        let isUsual = ValueTest.all([.not(.member(responses, .filled))] + others.map { .lacks($0) })
        return [
            .idle(afterLast, unless: .member(responses, .filled), "without \"responses\""),
            .idle(
                ResponseKeys.breaks,
                unless: .any([.hasAny(ResponseKeys.ownKeys), isUsual]),
                "here, because this object defines no response",
                advice: "move it to the response that violates the contract"
            ),
        ]
    }
}

enum SignInKeys: FormatObject {
    static let device = Key(
        "device",
        .json(.text(.any)),
        "The device that signs in; placeholders allowed.",
        otherwise: "the device named in the device header, or a new device",
        example: "{{request.body#/device}}"
    )
    static let account = Key(
        "account",
        .json(.text(.any)),
        "The account that signs in; placeholders allowed.",
        otherwise: "the first account",
        example: "{{found.user.name}}"
    )

    static let shape = ObjectShape("signIn", "\"signIn\"", "a sign-in that starts a token family", [device, account])
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads the listed responses of a route or a case, and its own one next to them.
    ///
    /// - Parameter always: whether there is an own response even if nothing is said about it.
    mutating func sequence(_ tree: JSONValue, always: Bool) -> ResponseSequence {
        let listed = tree[SequenceKeys.responses].map { response($0) }
        let said = Optional(tree).members.first { ResponseKeys.own.contains($0.name) }
        let own = said != nil || (always && listed.isEmpty) ? response(tree) : nil
        let written = tree.written(SequenceKeys.afterLast)
        // After a story's list, the route continues as in the extended file, also with a case.
        let goesOn = own != nil || listsFirst(in: tree)
        let afterLast = tree[SequenceKeys.afterLast] ?? (goesOn ? .own : .repeatLast)
        if let written, afterLast == .own, !goesOn {
            report(
                "scenario/no-own-response",
                "\"afterLast\": \"own\" requires a response next to \"responses\"",
                at: written.position,
                advice: "add a status or a body to the route, or write \"repeat\""
            )
        }
        if let written, listsFirst(in: tree), afterLast != .own { expectOwnAfterLast(written, of: tree) }
        // A story that says it of a route in another file means that the route's own response is not given any more.
        let isOverridden = written.map { $0.position.document != said?.namePosition.document } ?? false
        if let said, !listed.isEmpty, afterLast != .own, !isOverridden {
            report(
                "scenario/idle-key",
                "\"\(said.name)\" has no effect next to \"responses\", because \"afterLast\" is"
                    + " \"\(afterLast.rawValue)\"",
                at: said.namePosition,
                advice: "remove it, or set \"afterLast\": \"own\" to send the route's own response afterward"
            )
        }
        return ResponseSequence(own: own, listed: listed, afterLast: afterLast)
    }

    /// Refuses a list that precedes the cases of a route and that would hide them permanently, because the extended file
    /// sets this for its own list.
    private mutating func expectOwnAfterLast(_ written: JSONValue, of tree: JSONValue) {
        guard let responses = tree.member(SequenceKeys.responses),
            written.position.document != responses.namePosition.document
        else { return }
        report(
            "scenario/inherited-after-last",
            "these responses precede the route's cases, and \"afterLast\": \(written.text(.compact)), set at"
                + " \(sources.place(of: written.position)), would hide the cases permanently",
            at: responses.namePosition,
            advice: "also set \"afterLast\" here; \"own\" continues with the cases"
        )
    }

    /// Returns whether a story has added the listed responses to the cases of the file that it extends.
    func listsFirst(in tree: JSONValue) -> Bool {
        guard let responses = tree.written(SequenceKeys.responses), let cases = tree.written(RouteKeys.cases) else {
            return false
        }
        return leading.contains(LeadingResponses(responses: responses.position, cases: cases.position))
    }

    mutating func response(_ tree: JSONValue) -> StubResponse {
        let outer = scope
        defer { scope = outer }
        // What is made on the way has names that the rest of the response may use.
        let changes = tree[ResponseKeys.then].compactMap { event($0, inResponse: true) }
        var status = tree[ResponseKeys.status]
        let body = body(of: tree)
        if case .webSocket = body { status = 101 }
        let headers =
            headers(tree[ResponseKeys.headers], over: line.headers)
            + tree[ResponseKeys.cookies].compactMap { cookie($0) }
        let grants = grants(tree[ResponseKeys.grants])
        checkTokensAreGranted(grants, in: body.placeholders + headers.flatMap(\.value.placeholders), of: tree)
        return StubResponse(
            status: status,
            headers: headers,
            body: body,
            latency: latency(tree[LineKeys.latency]) ?? line.latency,
            pacing: pacing(tree) ?? line.pacing,
            negotiation: negotiation(tree, over: line.negotiation),
            fault: tree[ResponseKeys.fault].flatMap { fault($0) },
            grants: grants,
            signIn: signIn(tree[ResponseKeys.signIn]),
            memory: memory(tree, grants),
            changes: changes,
            position: tree.position,
            breaks: tree[ResponseKeys.breaks],
            fixture: fixture(of: tree),
            tree: tree
        )
    }

    private mutating func memory(_ tree: JSONValue, _ grants: [Grant]) -> TreeTemplate? {
        guard let written = tree.member(ResponseKeys.remember), grants.contains(where: { $0.source == .new }) else {
            return nil
        }
        let origin = templates.origin
        return within {
            $0.mayOmit = true
        } read: { builder in
            builder.templates.origin = origin
            return builder.templates.tree(written.value)
        }
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
                "the response contains {{\(placeholder.text)}} but grants no \"\(kind)\","
                    + " so the placeholder is always null",
                at: tree.position,
                advice: "add \"grants\": {\"\(kind)\": \"new\"}",
                severity: .warning
            )
        }
    }

    mutating func headers(_ written: [JSONObject.Member], over base: [HeaderTemplate]) -> [HeaderTemplate] {
        let replaced = Set(written.map { $0.name.lowercased() })
        var headers = base.filter { !replaced.contains($0.name.lowercased()) }
        var seen: [String: String] = [:]
        for member in written {
            if let first = seen.updateValue(member.name, forKey: member.name.lowercased()) {
                report(
                    "scenario/same-field",
                    "\"\(first)\" and \"\(member.name)\" are the same header field",
                    at: member.namePosition,
                    advice: "write it as \"\(first)\"; use an array for several values"
                )
            }
            if ResponseKeys.managedFields.contains(member.name.lowercased()) {
                report(
                    "scenario/managed-field",
                    "\"\(member.name)\" is set by the server, because it frames the message",
                    at: member.namePosition,
                    advice: "use \"fault\" to break the framing on purpose"
                )
                continue
            }
            for value in member.value.array ?? [member.value] {
                guard let text = value.string, HTTPFields.isValue(text) else { continue }
                let template = within {
                    $0.mayOmit = true
                } read: {
                    $0.templates.text(text, at: value.position)
                }
                headers.append(HeaderTemplate(name: member.name, value: template))
            }
        }
        return headers
    }

    private mutating func signIn(_ tree: JSONValue?) -> SignIn? {
        guard let tree, tree.bool != false else { return nil }
        if let account = tree[SignInKeys.account], let name = account.string,
            !TemplateParser.mayHoldPlaceholders(name)
        {
            expect(name, among: accounts, as: "account", at: account.position)
        }
        return SignIn(
            device: tree[SignInKeys.device].flatMap { text($0) },
            account: tree[SignInKeys.account].flatMap { text($0) }
        )
    }

    private mutating func text(_ tree: JSONValue) -> TextTemplate? {
        tree.string.map { templates.text($0, at: tree.position) }
    }
}
