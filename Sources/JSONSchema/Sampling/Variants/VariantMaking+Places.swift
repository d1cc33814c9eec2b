import Basics
import ECMAPatterns
import JSON

extension VariantMaking {
    /// Everything that holds at a place of a value.
    mutating func place(
        of value: JSONValue,
        by schemas: [SchemaID],
        at pointer: JSONPointer,
        _ role: VariantPlace.Role
    ) -> VariantPlace {
        var constraints = Conjunction()
        var branches: [SchemaID] = []
        var tags: Set<ExactText> = []
        var assumed: JSONValue?
        var example = documentedValue.flatMap(pointer.value)
        for part in partsInForce(of: schemas, on: value) {
            let facts = maker.table.facts(of: part)
            constraints.add(facts)
            branches += facts.choices.anyOf + facts.choices.oneOf
            if let discriminator = facts.annotations.discriminator { tags.insert(discriminator.property.exact) }
            assumed = assumed ?? facts.annotations.assumed
            example = example ?? facts.annotations.values.first
        }
        let first = schemas.first ?? root
        return VariantPlace(
            pointer: pointer,
            value: value,
            schemas: schemas,
            constraints: constraints,
            role: role,
            schema: maker.table.program.uri(of: first),
            schemaPosition: maker.table.program.position(of: first),
            branches: branches,
            tags: tags,
            assumed: assumed,
            example: example
        )
    }

    /// Every schema object that holds for a value: what references and `allOf` lead to, the branches that accept the
    /// value, and what follows from conditions.
    private mutating func partsInForce(of schemas: [SchemaID], on value: JSONValue) -> [SchemaID] {
        var parts: [SchemaID] = []
        var seen: Set<SchemaID> = []
        var waiting = Array(schemas.reversed())
        while let schema = waiting.popLast(), parts.count < 200 {
            for part in maker.table.parts(of: schema) where seen.insert(part).inserted {
                parts.append(part)
                let choices = maker.table.facts(of: part).choices
                var branches = (choices.anyOf + choices.oneOf).prefix(64).filter {
                    maker.table.accepts(value, by: $0)
                }
                // A value of one branch may be valid for others, too, whose members are not documented in it.
                if let discriminator = maker.table.facts(of: part).annotations.discriminator,
                    let tag = value.object?[discriminator.property]?.string
                {
                    let named = branches.filter { maker.isNamed(tag, $0, by: discriminator) }
                    if !named.isEmpty { branches = named }
                }
                waiting += branches
                if let condition = choices.condition {
                    let holds = maker.table.accepts(value, by: condition.test)
                    if let next = holds ? condition.then : condition.otherwise { waiting.append(next) }
                }
            }
        }
        return parts
    }

    /// The places inside of a place: its members that are documented, and its first element.
    mutating func children(of place: VariantPlace) -> [VariantPlace] {
        switch place.value.content {
        case .object(let object): return members(of: object, in: place)
        case .array(let elements):
            var children: [VariantPlace] = []
            let prefix = place.constraints.arrays.map(\.arrays.prefix.count).max() ?? 0
            for (index, element) in elements.prefix(max(1, min(prefix, 16))).enumerated() {
                let schemas = place.constraints.elementSchemas(at: index)
                guard !schemas.isEmpty else { continue }
                children.append(self.place(of: element, by: schemas, at: place.pointer.appending(index), .element))
            }
            return children
        default: return []
        }
    }

    private mutating func members(of object: JSONObject, in place: VariantPlace) -> [VariantPlace] {
        let required = Set(place.constraints.objects.flatMap(\.objects.required).map(\.exact))
        let branches = objectBranches(of: place)
        var children: [VariantPlace] = []
        // One entry of a map represents all with the same schemas.
        var entries: Set<[SchemaID]> = []
        for member in object.members.prefix(places) {
            let schemas = place.constraints.schemas(ofProperty: member.name)
            // A reader need not know what does not travel in this direction, even if the value requires it.
            guard !schemas.isEmpty, !maker.isOtherWay(schemas) else { continue }
            guard place.constraints.declares(member.name) || entries.insert(schemas).inserted else { continue }
            let role = VariantPlace.Role.member(isRequired: required.contains(member.name.exact))
            let pointer = place.pointer.appending(member.name)
            var child = self.place(of: member.value, by: schemas, at: pointer, role)
            child.isTag = place.tags.contains(member.name.exact)
            child.showsKind =
                child.isTag || place.tags.isEmpty && branches.count > 1 && distinguishes(member.name, branches)
            children.append(child)
        }
        return children
    }

    /// Returns whether the values that branches list for a member show of which branch an object is.
    private mutating func distinguishes(_ name: String, _ branches: [SchemaID]) -> Bool {
        var lists: Set<[JSONValue]> = []
        for branch in branches {
            let constraints = constraints(of: [branch])
            let schemas = constraints.objects.compactMap { $0.objects.schema(named: name) }
            if let values = self.constraints(of: schemas).values { lists.insert(values) }
        }
        return lists.count > 1 || lists.contains { $0.count == 1 }
    }

    /// The requirements of schemas, and of those that they refer to, without those of branches.
    private mutating func constraints(of schemas: [SchemaID]) -> Conjunction {
        var constraints = Conjunction()
        for part in schemas.flatMap({ maker.table.parts(of: $0) }) { constraints.add(maker.table.facts(of: part)) }
        return constraints
    }

    /// The schemas of the members that an object may have under names that no schema declares, if they describe values.
    mutating func entrySchemas(of place: VariantPlace) -> [SchemaID] {
        place.constraints.objects.flatMap { $0.objects.entrySchemas }
            .filter { !maker.table.facts(of: $0).isSilent && !maker.table.kinds(of: $0).isEmpty }
    }

    /// The branches of a place that allow objects.
    mutating func objectBranches(of place: VariantPlace) -> [SchemaID] {
        // The keywords next to the choice may exclude objects.
        for schema in place.schemas where !maker.table.kinds(of: schema).contains(.object) { return [] }
        var branches: [SchemaID] = []
        for branch in place.branches where maker.table.kinds(of: branch).contains(.object) { branches.append(branch) }
        return branches
    }
}

extension VariantMaking {
    /// A value that has everything: what is optional, something that is not null, an element in each array.
    mutating func richValue(examples: [JSONValue], seed: UInt64) -> JSONValue? {
        let made = plainValue(seed: seed)
        let beginnings = examples.prefix(1) + (made.map { [$0] } ?? [])
        for beginning in beginnings {
            additions = 2_000
            let rich = completed(beginning, by: [root], name: "", path: [])
            let known = known(rich, by: [root])
            if collection.accepts(known) == true { return known }
            if collection.accepts(rich) == true { return rich }
        }
        for beginning in beginnings where collection.accepts(beginning) == true { return beginning }
        return nil
    }

    private mutating func plainValue(seed: UInt64) -> JSONValue? {
        for attempt in 0..<12 {
            let strategy = attempt < 4 ? SampleStrategy.rich : SampleStrategy.ladder(.schema)[attempt]
            let seed = seed &+ UInt64(attempt) &* 0xD134_2543_DE82_EF95
            guard let value = maker.make(root, by: strategy, seed: seed) else { continue }
            if collection.accepts(value) == true { return value }
        }
        return nil
    }

    /// Makes a value of schemas, without what is optional.
    mutating func make(_ schemas: [SchemaID], name: String) -> JSONValue? {
        maker.strategy = .rich
        maker.steps = 600
        maker.nodes = 200
        return maker.make(schemas, depth: 0, name: name)
    }

    /// A value with everything that its schemas allow next to it.
    ///
    /// - Parameter path: the schemas around, so that what contains itself comes to an end.
    mutating func completed(_ value: JSONValue, by schemas: [SchemaID], name: String, path: Set<SchemaID>) -> JSONValue
    {
        guard additions > 0, path.count < 40 else { return value }
        var value = value
        if value.isNull, let other = make(schemas, name: name) { value = other }
        let place = place(of: value, by: schemas, at: JSONPointer(), .whole)
        switch value.content {
        case .object(let object):
            return .object(completed(object, at: place, name: name, path: path.union(schemas)))
        case .array(var elements):
            let element = place.constraints.elementSchemas(at: 0)
            guard !element.isEmpty, path.isDisjoint(with: element) else { return value }
            if elements.isEmpty, let first = make(element, name: name) { elements = [first] }
            // Two elements are enough to tell; all must be alike where the schema tells elements apart.
            let hasPrefix = place.constraints.arrays.contains { !$0.arrays.prefix.isEmpty }
            if elements.count > 2, !hasPrefix { elements.removeLast(elements.count - 2) }
            for index in elements.indices.prefix(16) {
                let schemas = place.constraints.elementSchemas(at: index)
                elements[index] = completed(elements[index], by: schemas, name: name, path: path.union(schemas))
            }
            let all = JSONValue.array(elements)
            return maker.accepts(all, schemas) ? all : value
        default:
            return value
        }
    }

    private mutating func completed(
        _ object: JSONObject,
        at place: VariantPlace,
        name: String,
        path: Set<SchemaID>
    ) -> JSONObject {
        var object = object
        let entries = entrySchemas(of: place)
        if object.isEmpty, !entries.isEmpty, place.constraints.declaredNames.isEmpty, path.isDisjoint(with: entries),
            let filled = make(place.schemas, name: name)?.object
        {
            object = filled
        }
        let keys = entries.isEmpty ? [] : object.names.filter { !place.constraints.declares($0) }
        for name in place.constraints.declaredNames + keys.prefix(2) {
            let schemas = place.constraints.schemas(ofProperty: name)
            guard !schemas.isEmpty, additions > 0 else { continue }
            let known = object[name]
            guard known != nil || path.isDisjoint(with: schemas), !maker.isOtherWay(schemas) else { continue }
            additions -= 1
            guard let value = known ?? make(schemas, name: name) else { continue }
            let before = object
            object[name] = completed(value, by: schemas, name: name, path: path)
            // A member may bring the value into another branch, or out of all of them.
            if !place.branches.isEmpty, !maker.accepts(.object(object), place.schemas) { object = before }
        }
        return object
    }
}

extension SampleStrategy {
    /// Only what is required, never null where something else may be, an element in each array.
    static let rich = SampleStrategy(
        usesExamples: true,
        nullShare: 0,
        optionalShares: Array(repeating: 0, count: 12),
        elements: 1,
        nodes: 400
    )
}

extension VariantMaking {
    /// Puts numbers in a place that readers round, cut off or refuse.
    mutating func changeNumber(_ number: JSONNumber, _ place: VariantPlace, of base: JSONValue) {
        guard place.constraints.values == nil else { return }
        let constraints = place.constraints.numbersOfFormats
        let isInteger = !place.constraints.kinds.contains(.fraction)
        if let minimum = constraints.minimum { offer(minimum, "the least, \(minimum.text)", place, base) }
        if let maximum = constraints.maximum { offer(maximum, "the greatest, \(maximum.text)", place, base) }
        for (text, phrase) in isInteger ? HardNumbers.integers : HardNumbers.fractions {
            guard let number = JSONNumber(text), constraints.allows(number) else { continue }
            offer(number, phrase, place, base)
        }
        if isInteger, !number.text.utf8.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }),
            let decimal = JSONNumber("\(number.text).0")
        {
            offer(decimal, "written \(decimal.text)", place, base)
        }
    }

    private mutating func offer(_ number: JSONNumber, _ phrase: String, _ place: VariantPlace, _ base: JSONValue) {
        offer(.number(number), phrase, .legal, .number, at: place, of: base)
    }

    /// Puts texts in a place that readers cut off, mix up or refuse.
    mutating func changeText(_ text: String, _ place: VariantPlace, of base: JSONValue) {
        let constraints = place.constraints
        guard constraints.values == nil, !place.isTag else { return }
        guard let lengths = constraints.lengths else { return }
        let (minimum, maximum) = (lengths.lowerBound, lengths.upperBound)
        offer("", "empty", .text, place, base)
        let length = min(maximum, max(minimum, HardTexts.longest))
        if length <= 100_000 { offer(HardTexts.long(length), "\(length) characters long", .text, place, base) }
        if minimum > 0, minimum < 100_000 {
            offer(HardTexts.long(minimum), "of minimum length", .text, place, base)
        }
        for hard in HardTexts.all {
            offer(HardTexts.fitted(hard.text, from: minimum, to: maximum), hard.phrase, .text, place, base)
        }
        for format in constraints.formats {
            for odd in FormatTexts.all(of: format) { offer(odd.text, odd.phrase, .text, place, base) }
        }
        guard constraints.texts.contains(where: { $0.pattern != nil || $0.format != nil }) else { return }
        // Next to a real date the pattern alone says too little of what is meant.
        if maker.table.wantsMoments(constraints) {
            for moment in DateTimeTexts.all { offer(moment.text, moment.phrase, .moment, place, base) }
        } else {
            offerMatches(place, base)
        }
    }

    /// Random texts that match a pattern.
    private mutating func offerMatches(_ place: VariantPlace, _ base: JSONValue) {
        for pattern in place.constraints.texts.compactMap(\.pattern) {
            for number in 1...10 {
                guard let sample = pattern.sample(using: &maker.chance) else { continue }
                offer(sample, "match \(number) of its pattern", .text, place, base)
            }
        }
    }

    private mutating func offer(
        _ text: String,
        _ phrase: String,
        _ aspect: VariantAspect,
        _ place: VariantPlace,
        _ base: JSONValue
    ) {
        guard maker.table.fits(text, place.constraints) else { return }
        offer(.string(text), phrase, .legal, aspect, at: place, of: base)
    }
}

extension SchemaTable {
    /// Returns whether a pattern or format at a place requires dates or times: it takes one, and no other words.
    mutating func wantsMoments(_ constraints: Conjunction) -> Bool {
        guard constraints.values == nil, constraints.texts.contains(where: { $0.pattern != nil || $0.format != nil })
        else {
            return false
        }
        return DateTimeTexts.plain.contains { fits($0, constraints) }
            && !["word", "12", "a-1:b c"].contains { fits($0, constraints) }
    }

    /// Returns whether a text obeys everything that is said of texts at a place, formats too.
    mutating func fits(_ text: String, _ constraints: Conjunction) -> Bool {
        let length = text.unicodeScalars.count
        for facts in constraints.texts {
            guard facts.minimumLength <= length, length <= facts.maximumLength else { return false }
            if let format = facts.format {
                if FormatChecker.accepts(text, as: format) == false { return false }
                if NumberText.accepts(text, as: format) == false { return false }
            }
            if let pattern = facts.pattern, pattern.search(in: text) != .match { return false }
        }
        return true
    }
}

extension VariantMaking {
    /// Makes every change that is about one place, at every place of a value.
    ///
    /// - Returns: the members of the value that may be absent or null.
    mutating func changeEverything(in base: JSONValue, from start: VariantPlace, nesting: Int = 0) -> [VariantGap] {
        var gaps: [VariantGap] = []
        var waiting = [start]
        var next = 0
        var otherBranches: [(value: JSONValue, place: VariantPlace)] = []
        while next < waiting.count, places > 0 {
            let place = waiting[next]
            next += 1
            places -= 1
            collection.note(freedomsOf: place)
            if !entrySchemas(of: place).isEmpty { collection.note(mapAt: place) }
            gaps += leaveOut(place, of: base)
            mistype(place, of: base)
            otherBranches += takeOtherBranches(place, of: base)
            switch place.value.content {
            case .null: break
            case .bool(let isTrue): offer(.bool(!isTrue), "\(!isTrue)", .legal, .choice, at: place, of: base)
            case .number(let number): changeNumber(number, place, of: base)
            case .string(let text): changeText(text, place, of: base)
            case .array(let elements): changeElements(elements, place, of: base)
            case .object(let object): addStrangers(to: object, place, of: base)
            }
            takeOtherValues(place, of: base)
            if place.pointer.tokens.count < 24 { waiting += children(of: place) }
        }
        // The members of a branch are changed too, where the branch was taken.
        guard nesting < 3 else { return gaps }
        for branch in otherBranches {
            _ = changeEverything(in: branch.value, from: branch.place, nesting: nesting + 1)
        }
        return gaps
    }

    /// Offers the base with another value at a place.
    @discardableResult
    mutating func offer(
        _ value: JSONValue?,
        _ phrase: String,
        _ kind: SchemaVariant.Kind,
        _ aspect: VariantAspect,
        at place: VariantPlace,
        of base: JSONValue
    ) -> Bool {
        let changed = place.pointer.isRoot ? value ?? base : base.replacing(place.pointer, with: value)
        return collection.offer(changed, "\(place.name) is \(phrase)", kind, aspect, at: place)
    }

    /// Leaves a member out, and puts null in a place.
    private mutating func leaveOut(_ place: VariantPlace, of base: JSONValue) -> [VariantGap] {
        var gaps: [VariantGap] = []
        switch place.role {
        case .member(isRequired: true):
            offer(nil, "missing", .illegal, .absence, at: place, of: base)
        case .member(isRequired: false):
            if offer(nil, "absent", .legal, .absence, at: place, of: base) {
                gaps.append(VariantGap(place: place, value: nil))
            }
        default: break
        }
        guard !place.value.isNull else { return gaps }
        let isLegal = offer(.null, "null", .legal, .null, at: place, of: base)
        if isLegal, !place.pointer.isRoot { gaps.append(VariantGap(place: place, value: .null)) }
        if !isLegal, place.isRequiredMember { offer(.null, "null", .illegal, .null, at: place, of: base) }
        return gaps
    }

    /// Puts a value of another type in the place of a required member.
    private mutating func mistype(_ place: VariantPlace, of base: JSONValue) {
        guard place.isRequiredMember || place.pointer.isRoot else { return }
        let kind = ValueKinds(of: place.value)
        for (value, phrase) in Self.otherTypes where ValueKinds(of: value).isDisjoint(with: kind) {
            if offer(value, phrase, .illegal, .whole, at: place, of: base) { break }
        }
        if kind == .integer { offer(1.5, "1.5", .illegal, .number, at: place, of: base) }
    }

    private static let otherTypes: [(JSONValue, String)] = [
        ("text", "a string"), (7, "a number"), (.object([:]), "an object"), (.array([]), "an array"), (true, "true"),
    ]

    /// Adds members that no schema names, and entries to maps.
    private mutating func addStrangers(to object: JSONObject, _ place: VariantPlace, of base: JSONValue) {
        addEntries(to: object, place, of: base)
        guard !place.constraints.declaredNames.isEmpty || entrySchemas(of: place).isEmpty else { return }
        let strangers: [(JSONValue, String)] = [
            ("new", "an unknown text"),
            (["nested": [1, .null, ["deep": true]]], "an unknown object"),
            (.null, "an unknown null"),
        ]
        for (value, phrase) in strangers {
            var changed = object
            changed["addedByTheNextVersion"] = value
            let body = base.replacing(place.pointer, with: .object(changed))
            let label = "\(place.name) has \(phrase)"
            if !collection.offer(body, label, .legal, .stranger, at: place, known: base) { break }
        }
    }

    /// Fills and empties an object whose names the schema leaves open.
    private mutating func addEntries(to object: JSONObject, _ place: VariantPlace, of base: JSONValue) {
        let open = place.constraints.objects.compactMap(\.objects.additional)
        guard !open.isEmpty, place.constraints.declaredNames.isEmpty,
            let entry = object.members.first(where: { place.constraints.schemas(ofProperty: $0.name) == open })?.value
                ?? make(open, name: "")
        else { return }
        offer(.object([:]), "empty", .legal, .element, at: place, of: base)
        var changed = object
        for name in ["", "key with spaces", "key_in_snake_case", "KeyWithCapitals", "열쇠", "a/b~c"] {
            changed[name] = entry
        }
        offer(.object(changed), "with unusual names", .legal, .element, at: place, of: base)
        for number in 0..<min(100, max(12, 16_000 / max(1, entry.utf8().count))) { changed["key\(number)"] = entry }
        offer(.object(changed), "with many names", .legal, .element, at: place, of: base)
    }
}
