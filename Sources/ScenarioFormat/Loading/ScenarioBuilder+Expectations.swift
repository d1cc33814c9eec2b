import JSON

extension ScenarioBuilder {
    mutating func expectations() -> [Expectation] {
        within {
            $0.makesOperands = false
        } read: { builder in
            (builder.root["expect"]?.array ?? []).compactMap { tree in
                builder.content(of: tree).map { Expectation(content: $0, position: tree.position) }
            }
        }
    }

    private mutating func content(of tree: JSONValue) -> Expectation.Content? {
        if tree["request"] != nil {
            return pattern(tree).map { pattern in
                .exchanges(
                    pattern,
                    count: count(tree["count"]),
                    relations: relations(of: tree),
                    within: tree["within"]?.string.flatMap(DurationText.parse),
                    gap: gap(of: tree)
                )
            }
        }
        if let client = tree["client"] {
            let facts =
                client.string.map { [Expectation.ClientFact(name: $0, value: true)] }
                ?? Optional(client).members.map { Expectation.ClientFact(name: $0.name, value: $0.value) }
            return .client(facts, orUnknown: tree["orUnknown"]?.bool ?? false)
        }
        if let states = tree["state"] {
            let wanted = statesAndValues(states)
            for state in wanted { testedStates += state.values.map { (state.name, $0.text, $0.position) } }
            return .states(wanted.map { ($0.name, $0.values.map(\.text)) })
        }
        if let token = tree["token"], let kind = token.string {
            expectOwnKind(kind, at: token.position, for: "tell the state of")
            return .token(kind: kind, device: device(of: tree), standings: standings(tree["is"]))
        }
        if tree["items"] != nil { return items(tree) }
        if let exit = tree["exit"] { return (exit.number?.int).map(Expectation.Content.exit) }
        return tree["order"]?.array.map { patterns in .order(patterns.compactMap { pattern($0) }) }
    }

    private mutating func gap(of tree: JSONValue) -> GapRange? {
        guard let written = tree["gap"] else { return nil }
        if let most = tree["count"]?["atMost"]?.number?.int ?? tree["count"]?.number?.int, most < 2 {
            report(
                "scenario/idle-key",
                "\"gap\" means nothing here, because there may not be two such exchanges",
                at: written.position
            )
        }
        let range = GapRange(
            atLeast: written["atLeast"]?.string.flatMap(DurationText.parse) ?? .zero,
            atMost: written["atMost"]?.string.flatMap(DurationText.parse)
        )
        if let most = range.atMost, range.atLeast > most {
            report("scenario/bad-range", "\"atLeast\" is more than \"atMost\"", at: written.position)
        }
        return range
    }

    private mutating func items(_ tree: JSONValue) -> Expectation.Content? {
        guard let name = tree["items"], let collection = name.string,
            expectCollection(collection, at: name.position)
        else { return nil }
        let account = tree["account"].flatMap { constantOwner($0, of: collection) }
        let conditions = tree["where"].members.compactMap { member in
            pointer(member.name, into: collection, at: member.namePosition).map { ($0, matcher(member.value)) }
        }
        return .items(
            ItemPattern(collection: collection, account: account, conditions: conditions),
            count: count(tree["count"])
        )
    }

    private mutating func constantOwner(_ tree: JSONValue, of collection: String) -> String? {
        guard let text = tree.string else { return nil }
        guard !TemplateParser.mayHoldPlaceholders(text) else {
            report(
                "scenario/placeholder",
                "placeholders mean nothing here, because nobody is calling when the items are counted",
                at: tree.position,
                advice: "write the account's name"
            )
            return nil
        }
        _ = owner(tree, of: collection)
        return text
    }

    private mutating func relations(of tree: JSONValue) -> [Expectation.Relation] {
        let before = tree["before"].flatMap { pattern($0) }.map(Expectation.Relation.before)
        let after = tree["after"].flatMap { pattern($0) }.map(Expectation.Relation.after)
        let notAfter = tree["notAfter"].flatMap { pattern($0) }.map(Expectation.Relation.notAfter)
        return [before, after, notAfter].compactMap { $0 }
    }

    private mutating func pattern(_ tree: JSONValue) -> ExchangePattern? {
        guard let request = tree["request"], let route = request.string else { return nil }
        let origin = origin(of: tree, asking: route, at: request.position)
        let tokens = tree["token"].members.map { member in
            expect(member.name, among: kinds, as: "token kind", at: member.namePosition)
            expectForeignStates(of: member.name, in: member.value)
            return (kind: member.name, standings: standings(member.value))
        }
        var sent = JSONObject()
        for key in ["header", "query", "body"] { sent[key] = tree[key] }
        return ExchangePattern(
            route: route,
            origin: origin,
            launch: launch(of: tree),
            statuses: statuses(tree["status"]),
            tokens: tokens,
            device: device(of: tree),
            condition: condition(.object(sent))
        )
    }

    private mutating func launch(of tree: JSONValue) -> Int? {
        guard let written = tree["launch"], let launch = written.number?.int else { return nil }
        if launch > lastLaunch {
            report(
                "scenario/unknown-launch",
                lastLaunch == 1
                    ? "there is no launch \(launch), because the timeline launches the client only once"
                    : "there is no launch \(launch), because the timeline's last is launch \(lastLaunch)",
                at: written.position,
                advice: "add {\"launch\": \(lastLaunch + 1)} to \"timeline\", with its moment"
            )
        }
        return launch
    }

    func statuses(_ tree: JSONValue?) -> [Int] {
        (tree?.array ?? [tree].compactMap(\.self)).compactMap(\.number?.int)
    }

    private mutating func device(of tree: JSONValue) -> String? {
        guard let device = tree["device"], let name = device.string else { return nil }
        mentionedDevices.append((name, device.position))
        return name
    }

    mutating func count(_ tree: JSONValue?) -> CountRange {
        guard let tree else { return CountRange(atLeast: 1, atMost: .max) }
        if let exact = tree.number?.int { return CountRange(atLeast: exact, atMost: exact) }
        let range = CountRange(
            atLeast: tree["atLeast"]?.number?.int ?? 0,
            atMost: tree["atMost"]?.number?.int ?? .max
        )
        if range.atLeast > range.atMost {
            report("scenario/bad-range", "\"atLeast\" is more than \"atMost\"", at: tree.position)
        }
        return range
    }
}
