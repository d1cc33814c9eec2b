import Basics
import JSON

/// Properties: their schemas, and which ones there must and may be.
extension PairVisit {
    mutating func compareObjects() {
        guard pair.before.kinds.contains(.object), pair.after.kinds.contains(.object) else { return }
        for (name, old) in pair.before.properties.all {
            guard let new = pair.after.properties[name] else {
                compareRemoved(name, old)
                continue
            }
            switch (pair.presence(old, in: pair.oldRevision), pair.presence(new, in: pair.newRevision)) {
            case (.possible, .possible): compareInner(old, new, at: pair.way(name))
            case (.possible, .elsewhere): tellRemoved(name, "is \(pair.elsewhere)", old)
            case (.possible, .refused): tellRemoved(name, "is no longer allowed", old)
            case (.elsewhere, .possible): tellAdded(name, "is no longer \(pair.elsewhere)", new)
            case (.refused, .possible): tellAdded(name, "is allowed", new, wasRefused: true)
            case (.elsewhere, _), (.refused, _): continue
            }
        }
        for (name, new) in pair.after.properties.all where pair.before.properties[name] == nil {
            compareAdded(name, new)
        }
        compareRequired()
        compareDependents()
        comparePatternProperties()
        compareAdditional()
    }

    private func changed(_ expression: ExactText) -> String {
        "\(pair.subject): the schema of properties that match \"\(expression.text)\" has changed"
    }

    private mutating func comparePatternProperties() {
        for (name, old) in pair.before.patternProperties.all {
            if let new = pair.after.patternProperties[name] {
                compareConditional(old, new, at: pair.way(matching: name))
            } else if !pair.after.patternProperties.all.isEmpty {
                // A name may match the other expressions.
                tellUncertain(changed(name), nil, at: "patternProperties")
            } else if pair.after.isClosed {
                let sentence = "\(pair.subject) may no longer have properties that match \"\(name.text)\""
                tell("additional", sentence, .narrows, at: "additionalProperties")
            } else {
                compareConditional(old, pair.after.additional, at: pair.way(matching: name))
            }
        }
        for (name, new) in pair.after.patternProperties.all where pair.before.patternProperties[name] == nil {
            if !pair.before.patternProperties.all.isEmpty {
                tellUncertain(changed(name), nil, at: "patternProperties")
            } else if pair.before.isClosed {
                let sentence = "\(pair.subject) may have properties that match \"\(name.text)\""
                tell("additional", sentence, .widensSlightly, at: "patternProperties")
            } else {
                compareConditional(pair.before.additional, new, at: pair.way(matching: name))
            }
        }
    }

    private mutating func compareRemoved(_ name: ExactText, _ old: [SchemaPlace]) {
        switch pair.presence(old, in: pair.oldRevision) {
        case .elsewhere: return
        case .refused:
            if pair.after.schemasOfOther(name) != nil {
                tell("property-added", "`\(pair.way(name))` is allowed", .widensSlightly)
            }
        case .possible:
            let others = pair.after.schemasOfOther(name)
            let isKnown =
                others != nil
                && (pair.after.required[name] != nil
                    || pair.before.required[name] == nil && pair.after.hasPattern(for: name))
            if !isKnown { tellRemoved(name, "was removed", old) }
            if let others, isKnown || !others.isEmpty { compareInner(old, others, at: pair.way(name)) }
        }
    }

    private mutating func tellRemoved(_ name: ExactText, _ text: String, _ old: [SchemaPlace]) {
        tell(
            "property-removed",
            "`\(pair.way(name))` \(text)",
            pair.shiftOfRemoval(of: name),
            at: "properties",
            old: old.first.map(pair.oldRevision.position)
        )
    }

    private mutating func compareAdded(_ name: ExactText, _ new: [SchemaPlace]) {
        switch pair.presence(new, in: pair.newRevision) {
        case .elsewhere: return
        case .refused:
            if pair.before.schemasOfOther(name) != nil {
                tell("property-removed", "`\(pair.way(name))` is no longer allowed", .narrows)
            }
        case .possible:
            let others = pair.before.schemasOfOther(name)
            if let others, pair.before.required[name] != nil || !others.isEmpty {
                compareInner(others, new, at: pair.way(name))
            }
            guard pair.before.required[name] == nil,
                others == nil || pair.after.required[name] != nil || !pair.before.hasPattern(for: name)
            else { return }
            if pair.direction == .request, others?.isEmpty ?? false, pair.before.namesInBranches.contains(name) {
                tellUncertain("`\(pair.way(name))` is new", nil, at: "properties")
            } else {
                tellAdded(name, "is new", new, wasRefused: others == nil)
            }
        }
    }

    private mutating func tellAdded(
        _ name: ExactText,
        _ text: String,
        _ new: [SchemaPlace],
        wasRefused: Bool = false
    ) {
        let isRequired = pair.after.required[name] != nil
        let shift: ValueShift =
            switch pair.direction {
            case .response: wasRefused ? .widensSlightly : .narrows
            case .subset: wasRefused ? .widens : .narrows
            case .request, .unclear: isRequired ? .narrows : .widens
            }
        let text = isRequired ? "\(text) and required" : text
        tell(
            "property-added",
            "`\(pair.way(name))` \(text)",
            shift,
            new.first.map(pair.newRevision.position),
            old: pair.before.position
        )
    }

    /// Compares what is required, whether or not it has a schema; properties that are new or gone are reported elsewhere.
    private mutating func compareRequired() {
        for name in pair.after.required.keys.sorted(by: { $0.text < $1.text }) where pair.before.required[name] == nil {
            let (old, new) = (pair.before.properties[name], pair.after.properties[name])
            if let new,
                old.map({ !pair.travels($0, in: pair.oldRevision) }) ?? true || !pair.travels(new, in: pair.newRevision)
            {
                continue
            }
            let position = old?.first.map(pair.oldRevision.position)
            tell(
                "required",
                "`\(pair.way(name))` is required",
                .narrows,
                pair.after.position(ofRequired: name),
                old: position
            )
        }
        for name in pair.before.required.keys.sorted(by: { $0.text < $1.text }) where pair.after.required[name] == nil {
            let (old, new) = (pair.before.properties[name], pair.after.properties[name])
            if let old,
                new.map({ !pair.travels($0, in: pair.newRevision) }) ?? true || !pair.travels(old, in: pair.oldRevision)
            {
                continue
            }
            let position = new?.first.map(pair.newRevision.position)
            let place = pair.before.position(ofRequired: name)
            tell("required", "`\(pair.way(name))` is no longer required", .widens, position, old: place)
        }
    }

    private mutating func compareAdditional() {
        let keyword = "additionalProperties"
        switch (pair.before.isClosed, pair.after.isClosed) {
        case (true, true): return
        case (true, false): tell("additional", "\(pair.subject) may have more properties", .widensSlightly, at: keyword)
        case (false, true):
            tell("additional", "\(pair.subject) may no longer have other properties", .narrows, at: keyword)
        case (false, false):
            guard !pair.before.additional.isEmpty || !pair.after.additional.isEmpty else { return }
            // Without properties it is a map, whose values matter; else it says what the unknown ones would be.
            compareInner(pair.before.additional, pair.after.additional, at: "\(pair.path).*")
        }
    }

    private mutating func compareDependents() {
        for name in Set(pair.before.dependents.keys).union(pair.after.dependents.keys).sorted() {
            let (old, new) = (pair.before.dependents[name] ?? [], pair.after.dependents[name] ?? [])
            let (added, removed) = (new.subtracting(old).shown, old.subtracting(new).shown)
            let keyword = "dependentRequired"
            if let added {
                tell(
                    "required",
                    "\(pair.subject): \(added) is required together with \"\(name)\"",
                    .narrows,
                    at: keyword
                )
            }
            if let removed {
                tell(
                    "required",
                    "\(pair.subject): \(removed) is no longer required together with \"\(name)\"",
                    .widens,
                    at: keyword
                )
            }
        }
        let old = pair.before.dependentSchemas
        for (name, new) in pair.after.dependentSchemas.all where old[name] == nil { compareConditional([], new) }
        for (name, earlier) in old.all { compareConditional(earlier, pair.after.dependentSchemas[name] ?? []) }
    }
}
