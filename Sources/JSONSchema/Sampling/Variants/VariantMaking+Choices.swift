import JSON

extension VariantMaking {
    /// The most values of one enumeration, and branches of one choice, that are tried.
    private static let choiceLimit = 100

    /// Every other value of an enumeration, and one that it may have some day.
    mutating func takeOtherValues(_ place: VariantPlace, of base: JSONValue) {
        guard let values = place.demand.values else { return }
        for value in values.prefix(Self.choiceLimit) where !value.isNull {
            offer(value, "\(value.text().shortenedForLabel)", .legal, .choice, at: place, of: base)
        }
        let telling = values.filter { !$0.isNull }
        // One value alone is a fixed text; unless it tells the branches of a choice apart.
        guard telling.count > 1 || place.isInUnion else { return }
        if telling.allSatisfy({ $0.string != nil }) {
            let phrase = place.isInUnion ? "a new kind" : "an unknown value"
            offer("SOMETHING_NEW", phrase, .evolution, .choice, at: place, of: base)
        } else if telling.allSatisfy({ $0.int != nil }) {
            let highest = telling.compactMap(\.int).max() ?? 0
            guard highest < Int.max else { return }
            offer(.number(JSONNumber(highest + 1)), "an unknown value", .evolution, .choice, at: place, of: base)
        }
    }

    /// Values of all branches of a choice, and of one that may come.
    ///
    /// - Returns: the bodies with another branch at the place, with the place in them.
    mutating func takeOtherBranches(
        _ place: VariantPlace,
        of base: JSONValue
    ) -> [(value: JSONValue, place: VariantPlace)] {
        guard place.branches.count > 1 else { return [] }
        var bodies: [(value: JSONValue, place: VariantPlace)] = []
        for (number, branch) in place.branches.prefix(Self.choiceLimit).enumerated() {
            guard maker.table.kinds(of: branch) != .null, !maker.table.seemsToAccept(place.value, by: branch) else {
                continue
            }
            let name = maker.table.branchName(of: branch) ?? "branch \(number + 1)"
            for _ in 0..<4 {
                guard let made = make(place.schemas + [branch], name: place.pointer.tokens.last ?? "") else { continue }
                additions = max(additions, 200)
                let value = completed(made, by: place.schemas, name: "", path: [])
                guard offer(value, "of the kind \(name)", .legal, .choice, at: place, of: base) else { continue }
                let body = base.replacing(place.pointer, with: value)
                var inside = self.place(of: value, by: place.schemas, at: place.pointer, place.role)
                inside.branches = []
                bodies.append((body, inside))
                break
            }
        }
        if objectBranches(of: place).count > 1 {
            offer(["kindOfTheNextVersion": true], "of a new kind", .evolution, .choice, at: place, of: base)
        }
        return bodies
    }
}

extension SchemaTable {
    /// What a branch is called: the last part of its reference, or its title.
    mutating func branchName(of number: Int) -> String? {
        if let target = facts(of: number).choices.always.first, let name = lastToken(of: target) { return name }
        return entries[number].value["title"]?.string
    }
}

extension String {
    /// The beginning, for a label on one line.
    var shortenedForLabel: String {
        unicodeScalars.count > 40 ? String(String.UnicodeScalarView(unicodeScalars.prefix(39))) + "…" : self
    }
}
