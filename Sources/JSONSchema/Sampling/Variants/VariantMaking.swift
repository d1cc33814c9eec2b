import Basics
package import JSON

/// The making of all variants of one schema.
struct VariantMaking {
    var maker: SampleMaker
    var collection: VariantCollection
    let root: SchemaID
    /// The first documented example of the whole value.
    private(set) var documentedValue: JSONValue?
    /// The places that may still be looked at.
    var places = 400
    /// The values that may still be added to make the rich value.
    var additions = 2_000
    /// Changes that are legal by themselves and may come together: what is absent and what is null.
    var gaps: [VariantGap] = []
    mutating func makeAll(examples: [(name: String, value: JSONValue)], seed: UInt64) {
        let sound = examples.filter { collection.accepts($0.value) == true }
        documentedValue = sound.first?.value
        guard let base = richValue(examples: sound.map(\.value), seed: seed) else { return }
        let whole = place(of: base, by: [root], at: JSONPointer(), .whole)
        collection.offer(base, "everything is present", .legal, .whole, at: whole)
        for example in sound {
            let known = known(example.value, by: [root])
            let label = "the example \(example.name)"
            collection.offer(example.value, label, .legal, .whole, at: whole, known: known)
        }
        let firstGaps = changeEverything(in: base, from: whole)
        gaps = firstGaps
        combineGaps(of: base, at: whole, seed: seed)
        layOut(base, at: whole)
        takeChances(at: whole, seed: seed)
        if known(base, by: [root]) != base { leaveOutUnknown() }
    }

    /// Compares with no variant what no schema knows in it: a branch of a choice may need such members, so that the others
    /// refuse the value.
    private mutating func leaveOutUnknown() {
        var collection = self.collection
        collection.changeKnown { known($0, by: [root]) }
        self.collection = collection
    }

    /// Random values, which may differ in many things at once.
    private mutating func takeChances(at whole: VariantPlace, seed: UInt64) {
        for number in 1...8 {
            for (attempt, strategy) in SampleStrategy.ladder(.schema).prefix(6).enumerated() {
                let seed = seed &+ UInt64(number) &* 0x9E37_79B9 &+ UInt64(attempt) &* 0xD134_2543_DE82_EF95
                guard let value = maker.make(root, by: strategy, seed: seed) else { continue }
                let known = known(value, by: [root])
                let label = "all values are made by chance"
                if collection.offer(value, label, .legal, .chance, at: whole, known: known) { break }
            }
        }
    }
}

/// A member that is left out or null, legal by itself.
struct VariantGap {
    var place: VariantPlace
    /// The replacement: nothing, or null.
    var value: JSONValue?
}

extension VariantMaking {
    /// Puts other numbers of elements in a place.
    mutating func changeElements(_ elements: [JSONValue], _ place: VariantPlace, of base: JSONValue) {
        offer([], "empty", place, base)
        guard let first = elements.first else { return }
        let hasPrefix = place.constraints.arrays.contains { !$0.arrays.prefix.isEmpty }
        guard !hasPrefix else { return }
        offer([first], "of one element", place, base)
        let maximum = place.constraints.arrays.map(\.arrays.maximumCount).min() ?? .max
        if !place.constraints.arrays.contains(where: \.arrays.isUnique) {
            offer([first, first], "of two equal elements", place, base)
            let size = max(1, first.utf8().count)
            let count = min(maximum, max(12, min(200, 16_000 / size)))
            if count > 2, count < 10_000 {
                offer(Array(repeating: first, count: count), "of \(count) elements", place, base)
            }
        }
        // A list in which one element has everything and the next only the necessary.
        if maximum > 1, let plain = make(place.constraints.elementSchemas(at: 0), name: place.pointer.tokens.last ?? "")
        {
            offer([first, plain, first], "of different elements", place, base)
            offer([plain, first], "of different elements, the plain one first", place, base)
        }
    }

    private mutating func offer(
        _ elements: [JSONValue],
        _ phrase: String,
        _ place: VariantPlace,
        _ base: JSONValue
    ) {
        offer(.array(elements), phrase, .legal, .element, at: place, of: base)
    }
}

extension VariantMaking {
    /// The value without members that no schema knows.
    ///
    /// A member that no schema names is not known where any is allowed.
    mutating func known(_ value: JSONValue, by schemas: [SchemaID], depth: Int = 0) -> JSONValue {
        guard depth < SampleMaker.depthLimit, value.array != nil || value.object != nil else { return value }
        let place = place(of: value, by: schemas, at: JSONPointer(), .whole)
        switch value.content {
        case .object(let object):
            guard !place.constraints.objects.isEmpty else { return value }
            var kept = JSONObject()
            for member in object.members {
                guard let schemas = self.schemas(ofKnown: member.name, in: place.constraints),
                    !maker.isOtherWay(schemas)
                else { continue }
                kept[member.name] = self.known(member.value, by: schemas, depth: depth + 1)
            }
            return .object(kept)
        case .array(let elements):
            var kept: [JSONValue] = []
            kept.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                let schemas = place.constraints.elementSchemas(at: index)
                kept.append(schemas.isEmpty ? element : self.known(element, by: schemas, depth: depth + 1))
            }
            return .array(kept)
        default:
            return value
        }
    }

    /// The schemas of a member; `nil` when none has more to say than that anything may be there.
    mutating func schemas(ofKnown name: String, in constraints: Conjunction) -> [SchemaID]? {
        let schemas = constraints.schemas(ofProperty: name)
        if constraints.declares(name) { return schemas }
        let isTold = schemas.contains { !maker.table.facts(of: $0).isSilent }
        return isTold || constraints.declaredNames.isEmpty && !schemas.isEmpty ? schemas : nil
    }
}

extension VariantMaking {
    /// The members of a value that no schema names, where schemas name others.
    mutating func strangers(
        in value: JSONValue,
        by schemas: [SchemaID],
        at pointer: JSONPointer = JSONPointer(),
        depth: Int = 0
    ) -> [StrangeMember] {
        guard depth < SampleMaker.depthLimit, value.array != nil || value.object != nil else { return [] }
        let place = place(of: value, by: schemas, at: pointer, .whole)
        var strangers: [StrangeMember] = []
        switch value.content {
        case .object(let object):
            let names = place.constraints.declaredNames
            for member in object.members {
                let pointer = pointer.appending(member.name)
                if let schemas = self.schemas(ofKnown: member.name, in: place.constraints) {
                    strangers += self.strangers(in: member.value, by: schemas, at: pointer, depth: depth + 1)
                } else if !names.isEmpty {
                    let missing = names.filter { object[$0] == nil }
                    strangers.append(StrangeMember(name: member.name, place: pointer, missing: missing))
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let schemas = place.constraints.elementSchemas(at: index)
                let pointer = pointer.appending(index)
                strangers += self.strangers(in: element, by: schemas, at: pointer, depth: depth + 1)
            }
        default: break
        }
        return strangers
    }
}

/// A member that no schema names.
package struct StrangeMember: Sendable, Hashable {
    package var name: String
    package var place: JSONPointer
    /// Names next to it that schemas have, and the value has not.
    package var missing: [String]
}

extension VariantMaking {
    /// The most values of one enumeration, and branches of one choice, that are tried.
    private static let choiceLimit = 100

    /// Every other value of an enumeration, and one that it may have some day.
    mutating func takeOtherValues(_ place: VariantPlace, of base: JSONValue) {
        guard let values = place.constraints.values else { return }
        for value in values.prefix(Self.choiceLimit) where !value.isNull {
            offer(value, "\(value.text().shortenedForLabel)", .legal, .choice, at: place, of: base)
        }
        let telling = values.filter { !$0.isNull }
        // One value alone is a fixed text; unless it distinguishes the branches of a choice.
        guard telling.count > 1 || place.showsKind else { return }
        if telling.allSatisfy({ $0.string != nil }) {
            let phrase = place.showsKind ? "a new kind" : "an unknown value"
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
            guard maker.table.kinds(of: branch) != .null, !maker.table.accepts(place.value, by: branch) else {
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
            var value = commonMembers(of: [place] + bodies.map(\.place))
            value["kindOfTheNextVersion"] = true
            offer(.object(value), "of a new kind", .evolution, .choice, at: place, of: base)
        }
        return bodies
    }

    /// The members that a value of a kind has that no branch is for, since a reader that tolerates new kinds may require
    /// them: those that show of which kind the value is, and those that every branch requires.
    ///
    /// - Parameter places: values of several branches at one place, of which the first one has the members' values.
    private mutating func commonMembers(of places: [VariantPlace]) -> JSONObject {
        var common: Set<ExactText>?
        for place in places {
            let required = Set(children(of: place).filter(\.isRequiredMember).compactMap(\.pointer.tokens.last?.exact))
            common = common?.intersection(required) ?? required
        }
        var members = JSONObject()
        for member in places.first.map({ children(of: $0) }) ?? [] {
            guard let name = member.pointer.tokens.last else { continue }
            if member.value.string != nil, member.showsKind {
                members[name] = "SOMETHING_NEW"
            } else if common?.contains(name.exact) == true {
                members[name] = member.value
            }
        }
        return members
    }
}

extension SchemaTable {
    /// The name of a branch: the last part of its reference, or its title.
    mutating func branchName(of id: SchemaID) -> String? {
        let facts = facts(of: id)
        return facts.choices.reference.flatMap(program.lastToken) ?? facts.annotations.title
    }
}

extension String {
    /// The beginning, for a label on one line.
    var shortenedForLabel: String {
        unicodeScalars.count > 40 ? String(String.UnicodeScalarView(unicodeScalars.prefix(39))) + "…" : self
    }
}

extension VariantMaking {
    /// The most gaps that are combined with each other.
    private static let pairedGaps = 40

    /// Leaves out and puts null in several places together: all, and then so that every two come together once.
    mutating func combineGaps(of base: JSONValue, at whole: VariantPlace, seed: UInt64) {
        let absent = gaps.filter { $0.value == nil }
        let null = gaps.filter { $0.value != nil }
        offerMinimum(of: base, absent, at: whole)
        offerAll(absent, "everything optional is absent", of: base, at: whole)
        offerAll(null, "everything nullable is null", of: base, at: whole)
        // Null where it may be, and the rest left out.
        offerAll(null + absent, "nothing optional is present", of: base, at: whole)
        let factors = Self.factors(of: gaps.prefix(Self.pairedGaps))
        guard factors.count > 1 else { return }
        let rows = PairTable(levels: factors.map { $0.count + 1 }, seed: seed).rows
        for (number, row) in rows.enumerated() {
            let chosen = zip(factors, row).compactMap { factor, level in level == 0 ? nil : factor[level - 1] }
            offerAll(
                chosen,
                "several optional members are absent or null, combination \(number + 1)",
                of: base,
                at: whole
            )
        }
    }

    /// The gaps of each place together: the ways in which it can be empty.
    private static func factors(of gaps: some Sequence<VariantGap>) -> [[VariantGap]] {
        var factors: [[VariantGap]] = []
        for gap in gaps {
            if let last = factors.indices.last, factors[last][0].place.pointer == gap.place.pointer {
                factors[last].append(gap)
            } else {
                factors.append([gap])
            }
        }
        return factors
    }

    private mutating func offerAll(_ gaps: [VariantGap], _ label: String, of base: JSONValue, at whole: VariantPlace) {
        guard gaps.count > 1, let value = changed(base, by: gaps) else { return }
        collection.offer(value, label, .legal, .pair, at: whole)
    }

    /// The smallest value that is left when one thing after another goes.
    private mutating func offerMinimum(of base: JSONValue, _ absent: [VariantGap], at whole: VariantPlace) {
        var value = changed(base, by: absent) ?? base
        var waiting = [JSONPointer()]
        var allowance = 200
        while let pointer = waiting.popLast(), allowance > 0 {
            allowance -= 1
            guard let here = pointer.value(in: value) else { continue }
            switch here.content {
            case .object(let object): waiting += object.names.map(pointer.appending)
            case .array(let elements):
                let emptied = value.replacing(pointer, with: .array([]))
                if collection.accepts(emptied) == true {
                    value = emptied
                } else if let first = elements.first {
                    let single = value.replacing(pointer, with: .array([first]))
                    if collection.accepts(single) == true { value = single }
                    waiting.append(pointer.appending(0))
                }
            default: break
            }
        }
        collection.offer(value, "only required members are present", .legal, .whole, at: whole)
    }

    /// The value with all of the gaps; those that are not legal next to the others are left.
    private func changed(_ base: JSONValue, by gaps: [VariantGap]) -> JSONValue? {
        let ordered = gaps.sorted { $0.place.pointer.tokens.count > $1.place.pointer.tokens.count }
        let all = ordered.reduce(base) { value, gap in gap.applied(to: value) }
        if collection.accepts(all) == true { return all }
        var value = base
        for gap in ordered.prefix(Self.pairedGaps) {
            let next = gap.applied(to: value)
            if collection.accepts(next) == true { value = next }
        }
        return value
    }
}

extension VariantGap {
    fileprivate func applied(to value: JSONValue) -> JSONValue {
        guard place.pointer.value(in: value) != nil else { return value }
        return value.replacing(place.pointer, with: self.value)
    }
}

extension VariantMaking {
    /// Writes the same value in other ways that JSON allows.
    mutating func layOut(_ base: JSONValue, at whole: VariantPlace) {
        let escaped = TextLayout(escapesAll: true, space: "").text(of: base)
        let spacious = TextLayout(escapesAll: false, space: " \t\r\n").text(of: base)
        let forms: [([UInt8], String)] = [
            (base.utf8(.pretty), "written on several lines"),
            (base.turned.utf8(), "written in another order"),
            (escaped, "written only with escapes"),
            (spacious, "written with white space everywhere"),
            (base.utf8() + Array("\r\n".utf8), "written with a trailing newline"),
        ]
        for (body, label) in forms {
            collection.offer(base, "everything is \(label)", .legal, .layout, at: whole, body: body)
        }
    }
}

/// A way of writing JSON that is allowed and unusual.
struct TextLayout {
    /// A Boolean value that indicates whether every character of names and texts is written as `\u` and four digits.
    var escapesAll: Bool
    /// The white space around every token.
    var space: String

    func text(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    /// Recursive, as values that were made here are never deep.
    private func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value.content {
        case .string(let text): append(text, to: &bytes)
        case .array(let elements):
            append(token: "[", to: &bytes)
            for (index, element) in elements.enumerated() {
                if index > 0 { append(token: ",", to: &bytes) }
                append(element, to: &bytes)
            }
            append(token: "]", to: &bytes)
        case .object(let object):
            append(token: "{", to: &bytes)
            for (index, member) in object.members.enumerated() {
                if index > 0 { append(token: ",", to: &bytes) }
                append(member.name, to: &bytes)
                append(token: ":", to: &bytes)
                append(member.value, to: &bytes)
            }
            append(token: "}", to: &bytes)
        default: append(token: value.text(), to: &bytes)
        }
    }

    private func append(token: String, to bytes: inout [UInt8]) {
        bytes += Array(space.utf8)
        bytes += Array(token.utf8)
        bytes += Array(space.utf8)
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        guard escapesAll else {
            append(token: JSONValue.string(text).text(), to: &bytes)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for (index, unit) in text.utf16.enumerated() {
            let digits = String(unit, radix: 16, uppercase: index.isMultiple(of: 2))
            bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONValue {
    /// The same value with the members of its objects in the opposite order.
    fileprivate var turned: JSONValue {
        switch content {
        case .array(let elements): .array(elements.map(\.turned))
        case .object(let object):
            .object(JSONObject(object.members.reversed().map { ($0.name, $0.value.turned) }))
        default: self
        }
    }
}
