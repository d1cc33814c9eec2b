import HTTPWire
import JSONText

/// How the line is, for every reply that does not say otherwise: the file's defaults, then the route's.
struct LineDefaults {
    var headers: [HeaderTemplate] = []
    var latency: Latency?
    var pacing: Pacing?
    var uploadRate: Int?

    init() {}

    /// Lays what an object of the file says over what held before.
    init(_ tree: JSONValue?, over base: LineDefaults, builder: inout ScenarioBuilder) {
        self = base
        guard let tree else { return }
        latency = builder.latency(tree["latency"]) ?? latency
        pacing = builder.pacing(tree) ?? pacing
        uploadRate = tree["bandwidth"]?["up"]?.string.flatMap(RateText.parse) ?? uploadRate
    }
}

extension ScenarioBuilder {
    /// Reads the listed replies of a route or a case, and the one that stands beside them.
    ///
    /// - Parameter always: whether there is an own reply even if nothing is said about it.
    mutating func sequence(_ tree: JSONValue, always: Bool) -> ReplySequence {
        let listed = (tree["replies"]?.array ?? []).map { reply($0) }
        let saysSomething = ["status", "headers", "fixture", "json", "text", "file", "empty", "fault", "grants", "then"]
            .contains { tree[$0] != nil }
        let own = saysSomething || (always && listed.isEmpty) ? reply(tree) : nil
        let written = tree["afterLast"]
        if let written, listed.isEmpty {
            report("scenario/idle-key", "\"afterLast\" means nothing without \"replies\"", at: written.position)
        }
        let afterLast = written?.string.flatMap(AfterLast.init) ?? (own == nil ? .repeatLast : .own)
        if let written, afterLast == .own, own == nil {
            report(
                "scenario/no-own-reply",
                "there is no reply beside \"replies\" to go on with",
                at: written.position,
                advice: "give the route a status or a body of its own, or say \"repeat\""
            )
        }
        return ReplySequence(own: own, listed: listed, afterLast: afterLast)
    }

    mutating func reply(_ tree: JSONValue) -> Reply {
        let status = tree["status"]?.number?.int ?? 200
        let body = body(of: tree)
        if case .none = body {
        } else if status == 204 || status == 304 || status == 205 {
            report(
                "scenario/body-not-allowed",
                "a \(status) reply has no body (RFC 9110, section 15)",
                at: tree["status"]?.position ?? tree.position,
                advice: "remove the body or choose another status"
            )
        }
        return Reply(
            status: status,
            headers: headers(tree["headers"], over: line.headers),
            body: body,
            latency: latency(tree["latency"]) ?? line.latency,
            pacing: pacing(tree) ?? line.pacing,
            fault: tree["fault"].flatMap { fault($0) },
            grants: grants(tree["grants"]),
            signIn: signIn(tree["signIn"]),
            changes: (tree["then"]?.array ?? []).compactMap { event($0, inReply: true) },
            position: tree.position
        )
    }

    mutating func headers(_ tree: JSONValue?, over base: [HeaderTemplate]) -> [HeaderTemplate] {
        let written = tree.members
        let replaced = Set(written.map { $0.name.lowercased() })
        var headers = base.filter { !replaced.contains($0.name.lowercased()) }
        for member in written {
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

    // MARK: Bodies

    private mutating func body(of tree: JSONValue) -> ReplyBody {
        if let fixture = tree["fixture"], let name = fixture.string {
            guard let bytes = asset(name, at: fixture.position) else { return .none }
            return json(bytes, named: name, origin: fixture.position)
        }
        if let value = tree["json"] {
            return TemplateParser.mayHoldPlaceholders(value)
                ? .json(templates.value(value)) : .bytes(value.utf8(.compact), contentType: Self.jsonType)
        }
        if let text = tree["text"], let string = text.string {
            let template = templates.text(string, at: text.position)
            return template.constant.map { .bytes(Array($0.utf8), contentType: Self.textType) } ?? .text(template)
        }
        if let file = tree["file"], let name = file.string, let bytes = asset(name, at: file.position) {
            return .bytes(bytes, contentType: MediaTypes.type(ofFile: name))
        }
        return .none
    }

    private static let jsonType = "application/json"
    private static let textType = "text/plain; charset=utf-8"

    private mutating func asset(_ name: String, at position: JSONPosition) -> [UInt8]? {
        do {
            return try assets.read(name, from: sources.path(of: position) ?? "")
        } catch {
            report("scenario/fixture", error.message, at: position, advice: error.advice)
            return nil
        }
    }

    /// A fixture's bytes as they are, unless it has placeholders.
    private mutating func json(_ bytes: [UInt8], named name: String, origin: JSONPosition) -> ReplyBody {
        let path = FilePath.join(FilePath.folder(of: sources.path(of: origin) ?? ""), name)
        let number = sources.add(path)
        templates.sources = sources
        let document: JSONDocument
        do {
            document = try JSONParser(document: number, duplicateNames: .refused).parse(bytes)
        } catch {
            report(
                "scenario/fixture",
                "this fixture is not JSON: \(error.sentence)",
                at: error.position,
                advice: "\(sources.place(of: origin)) names it; a body that is not JSON goes under \"file\""
            )
            return .none
        }
        guard TemplateParser.mayHoldPlaceholders(document.root) else {
            return .bytes(bytes, contentType: Self.jsonType)
        }
        return .json(templates.value(document.root))
    }

    // MARK: Time and faults

    mutating func latency(_ tree: JSONValue?) -> Latency? {
        guard let tree else { return nil }
        if let text = tree.string {
            return DurationText.parse(text).map { Latency(distribution: .fixed($0), isVirtual: false) }
        }
        let isVirtual = tree["clock"]?.string == "virtual"
        return distribution(tree).map { Latency(distribution: $0, isVirtual: isVirtual) }
    }

    private mutating func distribution(_ tree: JSONValue) -> Latency.Distribution? {
        if let fixed = tree["fixed"] { return duration(fixed).map(Latency.Distribution.fixed) }
        if let bounds = tree["uniform"] {
            let durations = (bounds.array ?? []).compactMap { duration($0) }
            guard bounds.array?.count == 2, durations.count == 2, durations[0] <= durations[1] else {
                report(
                    "scenario/bad-range",
                    "\"uniform\" wants the shortest and the longest wait, in this order",
                    at: bounds.position,
                    advice: "write [\"50ms\", \"200ms\"]"
                )
                return nil
            }
            return .uniform(durations[0], durations[1])
        }
        return tree["logNormal"].flatMap { logNormal($0) }
    }

    private mutating func logNormal(_ tree: JSONValue) -> Latency.Distribution? {
        guard let median = duration(tree["median"]) else { return nil }
        let maximum = duration(tree["maximum"])
        guard median > .zero else {
            report("scenario/bad-range", "the median of \"logNormal\" must be longer than 0s", at: tree.position)
            return nil
        }
        if let maximum, maximum <= median {
            report(
                "scenario/bad-range",
                "the maximum must be longer than the median, or hardly any draw would do",
                at: tree["maximum"]?.position ?? tree.position
            )
            return nil
        }
        if let sigma = tree["sigma"]?.number?.double {
            return .logNormal(median: median, sigma: sigma, maximum: maximum)
        }
        guard let p99 = duration(tree["p99"]) else {
            report("scenario/missing-key", "\"logNormal\" needs \"p99\" or \"sigma\"", at: tree.position)
            return nil
        }
        guard p99 >= median else {
            report(
                "scenario/bad-range",
                "p99 is shorter than the median",
                at: tree["p99"]?.position ?? tree.position
            )
            return nil
        }
        return .logNormal(median: median, sigma: LogNormal.sigma(median: median, p99: p99), maximum: maximum)
    }

    private func duration(_ tree: JSONValue?) -> Duration? {
        tree?.string.flatMap(DurationText.parse)
    }

    mutating func pacing(_ tree: JSONValue) -> Pacing? {
        let rate = tree["bandwidth"]?["down"]?.string.flatMap(RateText.parse)
        guard let dribble = tree["dribble"] else { return rate.map(Pacing.bandwidth) }
        if rate != nil {
            report(
                "scenario/rival-keys",
                "\"dribble\" and \"bandwidth\" both say how the body is sent; keep one",
                at: dribble.position
            )
        }
        guard let chunks = dribble["chunks"]?.number?.int, let over = duration(dribble["over"]) else { return nil }
        return .dribble(chunks: chunks, over: over)
    }

    mutating func fault(_ tree: JSONValue) -> Fault? {
        guard let kind = (tree.string ?? tree["kind"]?.string).flatMap(Fault.Kind.init) else { return nil }
        if let keep = tree["keep"], kind != .truncated {
            report(
                "scenario/idle-key",
                "\"keep\" means nothing for \"\(kind.rawValue)\", only for \"truncated\"",
                at: keep.position
            )
        }
        return Fault(
            kind: kind,
            probability: tree["probability"]?.number?.double ?? 1,
            keep: tree["keep"]?.number?.double ?? 0.5,
            commits: tree["commits"]?.bool ?? kind.commitsByNature
        )
    }

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
