import Basics
import JSON

/// Properties: their schemas, and which ones there must and may be.
extension PairVisit {
    private func way(_ name: ExactText) -> String { path.isEmpty ? name.text : "\(path).\(name.text)" }

    mutating func compareObjects() {
        guard before.kinds.contains(.object), after.kinds.contains(.object) else { return }
        for (name, old) in before.properties.all {
            guard let new = after.properties[name] else {
                compareRemoved(name, old)
                continue
            }
            switch (presence(old, in: oldRevision), presence(new, in: newRevision)) {
            case (.possible, .possible): compareInner(old, new, at: way(name))
            case (.possible, .elsewhere): tellRemoved(name, "is \(elsewhere)", old)
            case (.possible, .refused): tellRemoved(name, "is no longer allowed", old)
            case (.elsewhere, .possible): tellAdded(name, "is no longer \(elsewhere)", new)
            case (.refused, .possible): tellAdded(name, "is allowed", new, wasRefused: true)
            case (.elsewhere, _), (.refused, _): continue
            }
        }
        for (name, new) in after.properties.all where before.properties[name] == nil { compareAdded(name, new) }
        compareRequired()
        compareDependents()
        comparePatternProperties()
        compareAdditional()
    }

    private func changed(_ expression: ExactText) -> String {
        "\(subject): the schema of properties that match \"\(expression.text)\" has changed"
    }

    /// The way to the properties that an expression matches.
    private func way(matching expression: ExactText) -> String { "\(path).<\(expression.text)>" }

    private mutating func comparePatternProperties() {
        for (name, old) in before.patternProperties.all {
            if let new = after.patternProperties[name] {
                compareConditional(old, new, at: way(matching: name))
            } else if !after.patternProperties.all.isEmpty {
                // A name may match the other expressions.
                tellUncertain(changed(name), nil, at: "patternProperties")
            } else if after.isClosed {
                let sentence = "\(subject) may no longer have properties that match \"\(name.text)\""
                tell("additional", sentence, .narrows, at: "additionalProperties")
            } else {
                compareConditional(old, after.additional, at: way(matching: name))
            }
        }
        for (name, new) in after.patternProperties.all where before.patternProperties[name] == nil {
            if !before.patternProperties.all.isEmpty {
                tellUncertain(changed(name), nil, at: "patternProperties")
            } else if before.isClosed {
                let sentence = "\(subject) may have properties that match \"\(name.text)\""
                tell("additional", sentence, .widensSlightly, at: "patternProperties")
            } else {
                compareConditional(before.additional, new, at: way(matching: name))
            }
        }
    }

    /// The occurrence of a property in messages of this direction.
    private enum Presence {
        case possible
        /// The other side makes it.
        case elsewhere
        case refused
    }

    private func presence(_ places: [SchemaPlace], in revision: ContractRevision) -> Presence {
        let view = revision.view(of: places)
        return isElsewhere(view) ? .elsewhere : view.isImpossible ? .refused : .possible
    }

    /// Returns whether the other side makes it, so that it is not in messages of this direction.
    func isElsewhere(_ view: SchemaView) -> Bool {
        direction == .request && view.isReadOnly || direction == .response && view.isWriteOnly
    }

    private func travels(_ places: [SchemaPlace], in revision: ContractRevision) -> Bool {
        presence(places, in: revision) != .elsewhere
    }

    /// Returns whether a property of the sender's schema may be in messages of this direction.
    func isSent(_ name: ExactText) -> Bool {
        sender.properties[name].map { travels($0, in: sender.revision) } ?? true
    }

    /// The description of a property that is not in messages of this direction.
    private var elsewhere: String { direction == .request ? "read-only" : "write-only" }

    private mutating func compareRemoved(_ name: ExactText, _ old: [SchemaPlace]) {
        switch presence(old, in: oldRevision) {
        case .elsewhere: return
        case .refused:
            if after.schemasOfOther(name) != nil {
                tell("property-added", "`\(way(name))` is allowed", .widensSlightly)
            }
        case .possible:
            let others = after.schemasOfOther(name)
            let isKnown =
                others != nil
                && (after.required[name] != nil || before.required[name] == nil && after.hasPattern(for: name))
            if !isKnown { tellRemoved(name, "was removed", old) }
            if let others, isKnown || !others.isEmpty { compareInner(old, others, at: way(name)) }
        }
    }

    private mutating func tellRemoved(_ name: ExactText, _ text: String, _ old: [SchemaPlace]) {
        let isRefused =
            after.properties[name].map { newRevision.view(of: $0).isImpossible }
            ?? (after.schemasOfOther(name) == nil)
        let shift: ValueShift =
            switch direction {
            case .response where before.required[name] != nil: .widens
            case .response: .widensSlightly
            case .subset: isRefused ? .narrows : .widens
            // The schema of the names that match applies, and the property need not be sent any more.
            case .request where !isRefused && after.hasPattern(for: name): .widens
            // The server may or may not reject values that it no longer documents.
            case .request, .unclear: isRefused ? .narrows : .unknown
            }
        tell(
            "property-removed",
            "`\(way(name))` \(text)",
            shift,
            at: "properties",
            old: old.first.map(oldRevision.position)
        )
    }

    private mutating func compareAdded(_ name: ExactText, _ new: [SchemaPlace]) {
        switch presence(new, in: newRevision) {
        case .elsewhere: return
        case .refused:
            if before.schemasOfOther(name) != nil {
                tell("property-removed", "`\(way(name))` is no longer allowed", .narrows)
            }
        case .possible:
            let others = before.schemasOfOther(name)
            if let others, before.required[name] != nil || !others.isEmpty {
                compareInner(others, new, at: way(name))
            }
            guard before.required[name] == nil,
                others == nil || after.required[name] != nil || !before.hasPattern(for: name)
            else { return }
            if direction == .request, others?.isEmpty ?? false, before.namesInBranches.contains(name) {
                tellUncertain("`\(way(name))` is new", nil, at: "properties")
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
        let isRequired = after.required[name] != nil
        let shift: ValueShift =
            switch direction {
            case .response: wasRefused ? .widensSlightly : .narrows
            case .subset: wasRefused ? .widens : .narrows
            case .request, .unclear: isRequired ? .narrows : .widens
            }
        let text = isRequired ? "\(text) and required" : text
        tell(
            "property-added",
            "`\(way(name))` \(text)",
            shift,
            new.first.map(newRevision.position),
            old: before.position
        )
    }

    /// Compares what is required, whether or not it has a schema; properties that are new or gone are reported elsewhere.
    private mutating func compareRequired() {
        for name in after.required.keys.sorted(by: { $0.text < $1.text }) where before.required[name] == nil {
            let (old, new) = (before.properties[name], after.properties[name])
            if let new, old.map({ !travels($0, in: oldRevision) }) ?? true || !travels(new, in: newRevision) {
                continue
            }
            let position = old?.first.map(oldRevision.position)
            tell("required", "`\(way(name))` is required", .narrows, after.position(ofRequired: name), old: position)
        }
        for name in before.required.keys.sorted(by: { $0.text < $1.text }) where after.required[name] == nil {
            let (old, new) = (before.properties[name], after.properties[name])
            if let old, new.map({ !travels($0, in: newRevision) }) ?? true || !travels(old, in: oldRevision) {
                continue
            }
            let position = new?.first.map(newRevision.position)
            let place = before.position(ofRequired: name)
            tell("required", "`\(way(name))` is no longer required", .widens, position, old: place)
        }
    }

    private mutating func compareAdditional() {
        let keyword = "additionalProperties"
        switch (before.isClosed, after.isClosed) {
        case (true, true): return
        case (true, false): tell("additional", "\(subject) may have more properties", .widensSlightly, at: keyword)
        case (false, true): tell("additional", "\(subject) may no longer have other properties", .narrows, at: keyword)
        case (false, false):
            guard !before.additional.isEmpty || !after.additional.isEmpty else { return }
            // Without properties it is a map, whose values matter; else it says what the unknown ones would be.
            compareInner(before.additional, after.additional, at: "\(path).*")
        }
    }

    private mutating func compareDependents() {
        for name in Set(before.dependents.keys).union(after.dependents.keys).sorted() {
            let (old, new) = (before.dependents[name] ?? [], after.dependents[name] ?? [])
            let (added, removed) = (new.subtracting(old).shown, old.subtracting(new).shown)
            let keyword = "dependentRequired"
            if let added {
                tell("required", "\(subject): \(added) is required together with \"\(name)\"", .narrows, at: keyword)
            }
            if let removed {
                tell(
                    "required",
                    "\(subject): \(removed) is no longer required together with \"\(name)\"",
                    .widens,
                    at: keyword
                )
            }
        }
        let old = before.dependentSchemas
        for (name, new) in after.dependentSchemas.all where old[name] == nil { compareConditional([], new) }
        for (name, earlier) in old.all { compareConditional(earlier, after.dependentSchemas[name] ?? []) }
    }
}
