import ECMAPatterns
import JSON

extension VariantMaking {
    /// Puts numbers in a place that readers round, cut off or refuse.
    mutating func changeNumber(_ number: JSONNumber, _ place: VariantPlace, of base: JSONValue) {
        guard place.demand.values == nil else { return }
        var demand = place.demand.numbers
        for format in place.demand.formats {
            guard let range = IntegerRange.of(format) else { continue }
            demand.raise(to: JSONNumber(range.bounds.lowerBound))
            demand.lower(to: JSONNumber(range.bounds.upperBound))
        }
        let isInteger = !place.demand.kinds.contains(.fraction)
        if let minimum = demand.minimum { offer(minimum, "the least, \(minimum.text)", place, base) }
        if let maximum = demand.maximum { offer(maximum, "the greatest, \(maximum.text)", place, base) }
        for (text, phrase) in isInteger ? HardNumbers.integers : HardNumbers.fractions {
            guard let number = JSONNumber(text), demand.allows(number) else { continue }
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
        let demand = place.demand
        guard demand.values == nil, !place.isTag else { return }
        let minimum = demand.texts.map(\.minimumLength).max() ?? 0
        let maximum = demand.texts.compactMap(\.maximumLength).min() ?? .max
        guard minimum <= maximum else { return }
        offer("", "empty", .text, place, base)
        let length = min(maximum, max(minimum, HardTexts.longest))
        if length <= 100_000 { offer(HardTexts.long(length), "\(length) characters long", .text, place, base) }
        if minimum > 0, minimum < 100_000 {
            offer(HardTexts.long(minimum), "as short as it may be", .text, place, base)
        }
        for hard in HardTexts.all {
            offer(HardTexts.fitted(hard.text, from: minimum, to: maximum), hard.phrase, .text, place, base)
        }
        for format in demand.formats {
            for odd in FormatTexts.all(of: format) { offer(odd.text, odd.phrase, .text, place, base) }
        }
        guard demand.texts.contains(where: { $0.pattern != nil || $0.format != nil }) else { return }
        // Beside a real date the pattern alone says too little of what is meant.
        if maker.table.wantsMoments(demand) {
            for moment in DateTimeTexts.all { offer(moment.text, moment.phrase, .moment, place, base) }
        } else {
            offerMatches(place, base)
        }
    }

    /// Texts that chance finds by a pattern.
    private mutating func offerMatches(_ place: VariantPlace, _ base: JSONValue) {
        for source in place.demand.texts.compactMap(\.pattern) {
            guard let pattern = maker.table.pattern(source) else { continue }
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
        guard maker.table.fits(text, place.demand) else { return }
        offer(.string(text), phrase, .legal, aspect, at: place, of: base)
    }
}

extension SchemaTable {
    /// Whether a pattern or format at a place wants dates or times: it takes one, and no other words.
    mutating func wantsMoments(_ demand: Demand) -> Bool {
        guard demand.values == nil, demand.texts.contains(where: { $0.pattern != nil || $0.format != nil }) else {
            return false
        }
        return DateTimeTexts.plain.contains { fits($0, demand) }
            && !["word", "12", "a-1:b c"].contains { fits($0, demand) }
    }

    /// Whether a text obeys everything that is said of texts at a place, formats too.
    mutating func fits(_ text: String, _ demand: Demand) -> Bool {
        let length = text.unicodeScalars.count
        for facts in demand.texts {
            guard facts.minimumLength <= length, length <= facts.maximumLength ?? .max else { return false }
            if let format = facts.format, FormatChecker.accepts(text, as: format) == false { return false }
            if let source = facts.pattern, let pattern = pattern(source), pattern.search(in: text) != .match {
                return false
            }
        }
        return true
    }
}

extension NumberConstraints {
    fileprivate func allows(_ number: JSONNumber) -> Bool {
        if let minimum, excludesMinimum ? number <= minimum : number < minimum { return false }
        if let maximum, excludesMaximum ? number >= maximum : number > maximum { return false }
        return true
    }
}
