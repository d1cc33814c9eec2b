import JSON

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
        // What a branch has of its own is changed too, where the branch was taken.
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

    /// Adds members that no schema names.
    private mutating func addStrangers(to object: JSONObject, _ place: VariantPlace, of base: JSONValue) {
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
        addEntries(to: object, place, of: base)
    }

    /// Fills and empties an object whose names the schema leaves open.
    private mutating func addEntries(to object: JSONObject, _ place: VariantPlace, of base: JSONValue) {
        let open = place.demand.objects.compactMap(\.objects.additional)
        guard !open.isEmpty, place.demand.objects.allSatisfy(\.objects.properties.all.isEmpty),
            let entry = make(open, name: "")
        else { return }
        offer(.object([:]), "empty", .legal, .element, at: place, of: base)
        var changed = object
        for name in ["", "key with spaces", "열쇠", "a/b~c"] { changed[name] = entry }
        offer(.object(changed), "of odd names", .legal, .element, at: place, of: base)
        for number in 0..<100 { changed["key\(number)"] = entry }
        offer(.object(changed), "of many names", .legal, .element, at: place, of: base)
    }
}
