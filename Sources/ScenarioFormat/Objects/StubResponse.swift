import Basics
package import HTTPCodec
package import JSON

/// One answer: what is sent, how, and what it changes.
package struct StubResponse: Sendable {
    package var status = 200
    package var headers: [HeaderTemplate] = []
    package var body = ResponseBody.none
    package var latency: Latency?
    package var pacing: Pacing?
    package var negotiation = Negotiation()
    package var fault: Fault?
    package var grants: [Grant] = []
    package var signIn: SignIn?
    /// The data that the granted tokens keep, as one object; exchanged tokens pass on theirs.
    package var memory: TreeTemplate?
    package var changes: [Event] = []
    package var position = JSONPosition.unknown
    /// The reason why the response deliberately violates the contract; `nil` for one that does not.
    package var breaks: String?
    /// The fixture from which the body was read.
    package var fixture: FixtureReference?
    /// The object that it was read from, for the place of a key; it shares the scenario's storage.
    package var tree = JSONValue.null
    /// The rate at which the body of the request is read, in bytes per second; only for all responses of a route.
    var uploadRate: Int?
}

extension StubResponse: ModelObject {
    static let keys = Keys(
        "response",
        "a response",
        "one response",
        exclusive: [bodies],
        rules: rules,
        deliveryRules,
        noUploadRate
    ) {
        content
        Negotiation.keys
        delivery
        actions
    }

    @ObjectKeyList<StubResponse> private static var content: [Key] {
        Key("status", \.status, .integer(200...999), "The status code.")
        Key("headers", .headers) { response, tree, builder in
            response.setHeaders(Optional(tree).members, &builder)
        }
        .summary("Header fields; placeholders allowed. An array repeats a field, and `?? omit` omits the field.")
        .example(["Cache-Control": "no-store"])
        Key("cookies", ValueType<[HeaderTemplate]>.cookies) { $0.headers += $1 }
            .summary("Cookies to set, by name: a value, or an object with a value and attributes.")
            .example(["sid": ["value": "{{token.session}}", "lifetime": "14d", "httpOnly": true]])
        Key("fixture", .text(.path), "The JSON file with the body; placeholders allowed.") {
            response,
            tree,
            builder in
            response.body = .fixture(tree, &builder)
        }
        Key("json", .anything, "The body as JSON; placeholders allowed.") { response, tree, builder in
            response.body = .json(tree, &builder)
        }
        .example(["id": 1])
        Key("text", .text(.any), "The body as text; placeholders allowed.") { response, tree, builder in
            response.body = .text(tree, &builder)
        }
        .example("Hello {{account.name}}")
        Key("file", .text(.path), "The file with the body, which is sent byte for byte.") {
            response,
            tree,
            builder in
            response.body = .file(tree, &builder)
        }
        Key("contentOf", .text(.name)) { response, tree, builder in
            response.body = .uploaded(tree, &builder)
        }
        .summary("The name of the \"find\" result whose uploaded file becomes the body.").example("file")
        Key("events", .list(of: .object(EventStream.Event.self)))
            .summary(
                """
                The body as server-sent events on the virtual clock, or as JSON lines with `Content-Type: \
                application/x-ndjson`.
                """
            ).example([["id": "1", "json": ["progress": 0]], ["after": "2s", "id": "2", "json": ["progress": 100]]])
        Key("webSocket", ValueType<WebSocketScript>.object, "The WebSocket that the response opens.") {
            ($0.status, $0.body) = (101, .webSocket($1))
        }
        Key("forward", .boolean, "If true, the upstream responds.") { response, tree, builder in
            if tree.bool == true { response.forward(at: tree.position, &builder) }
        }
        Key("empty", .boolean, "If true, the response has no body.")
        EventStream.keys as [any FormatKey]
    }

    /// The keys for the way in which a response is delivered, which its route may have for it.
    @ObjectKeyList<StubResponse> static var delivery: [Key] {
        Key("latency", \.latency, .latency, "The response latency.").example("80ms")
        Key("dribble", ValueType<Dribble>.object, "The delivery of the body in delayed pieces.") {
            $0.pacing = .dribble(chunks: $1.chunks, over: $1.over)
        }
        Key("bandwidth", ValueType<Bandwidth>.object, "The connection bandwidth.") {
            $0.pacing = $1.down.map(Pacing.bandwidth) ?? $0.pacing
            $0.uploadRate = $1.up ?? $0.uploadRate
        }
    }

    @ObjectKeyList<StubResponse> private static var actions: [Key] {
        Key("fault", \.fault, .fault, "The connection failure that replaces the response.").example("reset")
        Key("grants", \.grants, .grants)
            .summary(
                """
                The tokens to grant, by kind: a new one, the last one (null if the server deleted it), or none.
                """
            ).example(["access": "new", "refresh": "stored"])
        Key("remember", .map(of: .anything, names: .name)) { response, tree, builder in
            guard response.grants.contains(where: { $0.source == .new }) else { return }
            response.memory = builder.omitting { $0.templates.tree(tree) }
        }
        .summary("Data to store with the granted tokens; later requests read it as {{presented.KIND#/NAME}}.")
        .example(["scope": "{{request.form.scope ?? \"read\"}}"])
        Key("signIn", \.signIn, .choice(.of(.boolean) { $0 ? SignIn() : nil }, .object))
            .summary(
                "If true, the response is a sign-in. A response that grants tokens on a route without \"requires\" is also a sign-in."
            )
            .example(["account": "{{request.body#/user}}"])
        Key("then", .list(of: .event(with: .nothing)), "The events that the response causes on the server.")
            .example([["state": ["plan": "paid"]]])
        Key("breaks", \.breaks, .text(.filled), "The reason why the response deliberately violates the contract.")
            .example("the server is partly updated")
        optional
    }

    /// The key of every addition of a story.
    static let optional = Key("optional", .boolean)
        .summary("If true, the story is judged even if this addition was not played.").otherwise("`false`")

    /// The keys of which a response has at most one, because each is its body.
    static let bodies = ["fixture", "json", "text", "file", "contentOf", "events", "webSocket", "forward", "empty"]

    /// The keys that make their object a response.
    static let ownKeys =
        ["status", "headers", "cookies"] + bodies + ["fault", "grants", "remember", "signIn", "then"]

    /// The keys of a route that all of its responses take from it.
    static let routeKeys = Negotiation.keys + delivery

    /// The fields that the server sets, because they frame the message (RFC 9112, section 6).
    static let managedFields = ["content-length", "transfer-encoding", "connection"]

    static let rules = ObjectRules(
        "responseRules",
        [
            ObjectRule(
                .not(
                    .all([
                        .member("status", .oneOf([204, 205, 304])),
                        .hasAny(bodies.filter { $0 != "empty" }),
                    ])
                ),
                "scenario/body-not-allowed",
                at: "status",
                advice: "remove the body or choose another status",
                message: { "a \($0["status"]?.int ?? 200) response has no body (RFC 9110, section 15)" }
            ),
            ObjectRule(
                .not(.all([.has("webSocket"), .has("status")])),
                "scenario/idle-key",
                at: "status",
                "the status of a WebSocket response is always 101"
            ),
            ObjectRule(
                .not(.member("empty", .oneOf([false]))),
                "scenario/idle-key",
                at: "empty",
                "\"empty\": false has no effect; remove it"
            ),
            .idle("staysOpen", unless: .has("events"), "without \"events\""),
            .idle("tokenAt", unless: .has("events"), "without \"events\""),
            .idle(
                "remember",
                unless: .member("grants", .anyMember(.oneOf([.string(Grant.Source.new.rawValue)]))),
                "here, because the response grants no new token",
                advice: "add \"grants\", or store the data with {\"create\": …} in \"then\""
            ),
        ]
    )

    static let deliveryRules = ObjectRules(
        "lineRules",
        [
            ObjectRule(
                .not(.all([.has("dribble"), .member("bandwidth", .has("down"))])),
                "scenario/rival-keys",
                at: "dribble",
                "\"dribble\" and \"bandwidth\" cannot be combined; keep one"
            )
        ]
    )

    /// The rule of single responses: the body is read before it is known which case or guard responds.
    static let noUploadRate = ObjectRules(
        "noUploadRate",
        [
            ObjectRule(
                .not(.member("bandwidth", .has("up"))),
                "scenario/idle-key",
                at: "bandwidth",
                "\"up\" has no effect here, because the body is read before the response is chosen",
                advice: "set \"up\" for the whole route or in \"defaults\""
            )
        ]
    )

    /// Lets the upstream server respond.
    fileprivate mutating func forward(at position: JSONPosition, _ builder: inout ScenarioBuilder) {
        body = .forwarded
        guard builder.root["upstream"] == nil else { return }
        builder.report(
            "scenario/no-upstream",
            "\"forward\" requires \"upstream\" in the backend",
            at: position,
            advice: "add the base URL of the server, or name it with backlot proxy",
            severity: .warning
        )
    }

    /// Replaces the header fields of these names.
    fileprivate mutating func setHeaders(_ written: [JSONObject.Member], _ builder: inout ScenarioBuilder) {
        let replaced = Set(written.map { $0.name.lowercased() })
        headers.removeAll { replaced.contains($0.name.lowercased()) }
        var seen: [String: String] = [:]
        for member in written {
            if let first = seen.updateValue(member.name, forKey: member.name.lowercased()) {
                builder.report(
                    "scenario/same-field",
                    "\"\(first)\" and \"\(member.name)\" are the same header field",
                    at: member.namePosition,
                    advice: "write the name as \"\(first)\"; use an array for several values"
                )
            }
            if StubResponse.managedFields.contains(member.name.lowercased()) {
                builder.report(
                    "scenario/managed-field",
                    "\"\(member.name)\" is set by the server, because the field frames the message",
                    at: member.namePosition,
                    advice: "use \"fault\" to break the framing deliberately"
                )
                continue
            }
            for value in member.value.array ?? [member.value] {
                guard let text = value.string, HTTPFields.isValue(text) else { continue }
                let template = builder.omitting { $0.templates.text(text, at: value.position) }
                headers.append(HeaderTemplate(name: member.name, value: template))
            }
        }
    }

    /// A token that the response shows and does not grant is always null, unless `omit` expects that.
    fileprivate func checkTokensAreGranted(_ builder: inout ScenarioBuilder) {
        for placeholder in body.placeholders + headers.flatMap(\.value.placeholders)
        where placeholder.fallback == nil && !placeholder.mayBeOmitted && placeholder.alternatives.isEmpty {
            guard case .token(let kind, _) = placeholder.source, !grants.contains(where: { $0.kind == kind }) else {
                continue
            }
            guard !builder.names.foreignKinds.contains(kind.exact) else {
                builder.expectOwnKind(kind, at: tree.position, for: "show")
                continue
            }
            builder.report(
                "scenario/token-not-granted",
                "the response contains {{\(placeholder.text)}} but grants no \"\(kind)\","
                    + " so the placeholder is always null",
                at: tree.position,
                advice: "add \"grants\": {\"\(kind)\": \"new\"}",
                severity: .warning
            )
        }
    }
}

extension Shape {
    static let headers = Shape.shared(
        "headers",
        .map(of: .choice([.text(.fieldValue), .list(of: .text(.fieldValue))]), names: .responseField)
    )
}

extension ValueType<StubResponse> {
    static var response: Self { Self(.object(StubResponse.self)) { $1.response($0) } }
}

/// The defaults of a file for every response.
enum ResponseDefaults: FormatObject {
    static let keys = ObjectKeys<StubResponse>(
        "defaults",
        "\"defaults\"",
        "defaults for every response",
        rules: StubResponse.deliveryRules
    ) {
        StubResponse.Key("headers", .headers, "Header fields to add to every response.") { response, tree, builder in
            response.setHeaders(Optional(tree).members, &builder)
        }
        .example(["Cache-Control": "no-store"])
        StubResponse.routeKeys
    }

    static var shape: ObjectShape { keys.shape }
}

extension ScenarioBuilder {
    mutating func response(_ tree: JSONValue) -> StubResponse {
        let outer = scope
        defer { scope = outer }
        var response = line
        // The events under "then" name items that the rest of the response may use.
        response.changes = (tree["then"]?.array ?? []).compactMap { event($0, inResponse: true) }
        StubResponse.keys.fill(&response, tree, &self)
        if let stream = EventStream(of: tree, &self) { response.body = .events(stream) }
        (response.tree, response.position, response.uploadRate) = (tree, tree.position, nil)
        response.checkTokensAreGranted(&self)
        response.fixture = fixture(of: tree)
        return response
    }

    /// Reads what an object sets for all of its responses over what holds around it.
    mutating func readDefaults(_ tree: JSONValue, _ keys: [StubResponse.Key] = StubResponse.routeKeys) {
        var defaults = line
        readsDefaults = true
        for key in keys { key.read(tree, into: &defaults, &self) }
        line = defaults
        readsDefaults = false
    }
}

/// A header field whose value may hold placeholders.
package struct HeaderTemplate: Sendable {
    package var name: String
    package var value: TextTemplate
}
