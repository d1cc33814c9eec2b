import JSON

extension ScenarioBuilder {
    /// Reads one event; `nil` when its shape is not right, which the shape check reports.
    ///
    /// - Parameters:
    ///   - inReply: whether a request causes it, so that there is a caller.
    ///   - mayLaunch: whether it may start the client.
    mutating func event(_ tree: JSONValue, inResponse: Bool, mayLaunch: Bool = false) -> Event? {
        let verbs = Optional(tree).members.filter { Self.verbs.contains($0.name) }
        // An update has a "set" of its own.
        guard let verb = verbs.first(where: { $0.name == "update" }) ?? verbs.first else { return nil }
        if verb.name == "launch", !mayLaunch {
            report(
                "scenario/misplaced-event",
                "a launch has its place in \"timeline\" alone, because only there it has a moment of its own",
                at: verb.namePosition,
                advice: "write {\"at\": …, \"launch\": …} there"
            )
            return nil
        }
        if !inResponse { scope.hasRequest = false }
        defer { scope.hasRequest = true }
        return action(verb.name, verb.value, of: tree, inResponse: inResponse).map {
            Event($0, position: tree.position)
        }
    }

    static let verbs: Set<String> = [
        "signIn", "signOut", "expire", "revoke", "forget", "issue", "state", "counter", "fault", "advance", "set",
        "freeze", "rate", "automatic", "skew", "launch", "create", "update", "delete", "upload",
    ]

    private mutating func action(
        _ verb: String,
        _ value: JSONValue,
        of tree: JSONValue,
        inResponse: Bool
    ) -> Event.Action? {
        switch verb {
        case "signIn":
            if let account = tree["account"], let name = account.string {
                expect(name, among: accounts, as: "account", at: account.position)
            }
            return value.string.map { device in
                noteSignIn(of: device, at: value.position)
                return .signIn(
                    device: device,
                    account: tree["account"]?.string,
                    grants: tree["grants"].map { grants($0) }
                )
            }
        case "signOut": return .signOut(selection(value, inResponse: inResponse))
        case "expire":
            return kindSelection(value, for: verb).map { .expire($0, devices(of: tree, inResponse: inResponse)) }
        case "revoke":
            return kindSelection(value, for: verb).map { .revoke($0, devices(of: tree, inResponse: inResponse)) }
        case "forget":
            return kindSelection(value, for: verb).map { .forget($0, devices(of: tree, inResponse: inResponse)) }
        case "issue":
            return value.string.map { kind in
                expectOwnKind(kind, at: value.position, for: "issue")
                return .issue(kind: kind, devices(of: tree, inResponse: inResponse))
            }
        case "state":
            let changes = statesAndValues(value).flatMap { state in
                state.values.map { Event.StateChange(name: state.name, value: $0.text) }
            }
            changedStates += changes
            return .changeStates(changes, devices(of: tree, inResponse: inResponse))
        case "counter": return .setCounters(counterChanges(value))
        case "fault": return armedFault(value, of: tree)
        case "launch": return launch(value)
        default:
            return itemChange(verb, value, of: tree, inResponse: inResponse).map(Event.Action.change)
                ?? clockAction(verb, value)
        }
    }

    private mutating func noteSignIn(of device: String, at position: JSONPosition) {
        signedInDevices.append(device)
        guard ["caller", "*"].contains(device) else { return }
        report(
            "scenario/reserved-name",
            "\"\(device)\" stands for \(device == "*" ? "every device" : "whoever asks") and cannot sign in by this name",
            at: position,
            advice: "give the device another name"
        )
    }

    /// Launches are counted in the order of the file, so that nobody has to guess which number comes next.
    private mutating func launch(_ tree: JSONValue) -> Event.Action? {
        guard let number = tree.number?.int, (2...1_000).contains(number) else { return nil }
        if number == lastLaunch + 1 {
            lastLaunch = number
        } else {
            report(
                "scenario/launch-order",
                "found launch \(number), but the next one in this timeline is launch \(lastLaunch + 1)",
                at: tree.position,
                advice: lastLaunch == 1 ? "launch 1 is the client's first start, which needs no event" : nil
            )
        }
        return .launch(number)
    }

    private func clockAction(_ verb: String, _ value: JSONValue) -> Event.Action? {
        switch verb {
        case "advance": value.string.flatMap(DurationText.parse).map(Event.Action.advance)
        case "set": value.string.flatMap(VirtualTime.init).map(Event.Action.setClock)
        case "freeze": value.bool.map(Event.Action.freeze)
        case "rate": (value.number?.double).map(Event.Action.rate)
        case "automatic": value.bool.map(Event.Action.automatic)
        case "skew": value.string.flatMap(DurationText.parseSigned).map(Event.Action.skew)
        default: nil
        }
    }

    private mutating func counterChanges(_ tree: JSONValue) -> [CounterDeclaration] {
        Optional(tree).members.compactMap { member in
            expect(member.name, among: counters, as: "counter", at: member.namePosition)
            return (member.value.number?.int).map { CounterDeclaration(name: member.name, start: $0) }
        }
    }

    private mutating func armedFault(_ value: JSONValue, of tree: JSONValue) -> Event.Action? {
        guard let fault = fault(value), let route = tree["route"], let key = route.string else { return nil }
        expectRoute(key, at: route.position)
        return .armFault(fault, route: key, times: tree["times"]?.number?.int ?? 1)
    }

    private mutating func kindSelection(_ tree: JSONValue, for verb: String) -> Event.KindSelection? {
        guard let name = tree.string else { return nil }
        guard name != "*" else { return .every }
        expectOwnKind(name, at: tree.position, for: verb)
        return .kind(name)
    }

    private mutating func devices(of tree: JSONValue, inResponse: Bool) -> Event.DeviceSelection {
        if let account = tree["account"] {
            if let device = tree["device"] {
                report(
                    "scenario/rival-keys",
                    "\"device\" and \"account\" both say whose; keep one",
                    at: device.position
                )
            }
            return accountDevices(account, inResponse: inResponse)
        }
        return tree["device"].map { selection($0, inResponse: inResponse) } ?? (inResponse ? .caller : .every)
    }

    private mutating func accountDevices(_ tree: JSONValue, inResponse: Bool) -> Event.DeviceSelection {
        guard let name = tree.string, name != "caller" else {
            if !inResponse { reportNoCaller(at: tree.position, advice: "name the account") }
            return .account(nil)
        }
        expect(name, among: accounts, as: "account", at: tree.position)
        return .account(name)
    }

    private mutating func selection(_ tree: JSONValue, inResponse: Bool) -> Event.DeviceSelection {
        guard let name = tree.string, name != "*" else { return .every }
        guard name == "caller" else {
            mentionedDevices.append((name, tree.position))
            return .named(name)
        }
        if !inResponse {
            reportNoCaller(at: tree.position, advice: "name the device")
        }
        return .caller
    }

    private mutating func reportNoCaller(at position: JSONPosition, advice: String) {
        report(
            "scenario/no-caller",
            "there is no caller here, because no request causes this",
            at: position,
            advice: advice
        )
    }
}
