extension [Finding] {
    /// The number of equal findings from which they are reported as one.
    package static var groupSize: Int { 4 }

    /// Findings whose cause is one missing thing elsewhere, so that a second one adds nothing.
    private static let elsewhere = ["contract/unresolvable-reference"]

    /// The findings, of which those that differ by their places alone are one that counts them.
    ///
    /// Nothing is lost: the further places are ``Finding/related``.
    package var grouped: [Finding] {
        grouped(by: \.withoutPlace) { Self.elsewhere.contains($0.id.exact) ? 2 : Self.groupSize }
    }

    /// The findings, of which those about the same unknown name in a scenario are one that counts them, whether the name
    /// is a value or in a placeholder.
    package var groupedByUnknownName: [Finding] {
        let names = Set(filter { $0.id == "scenario/unknown-name" }.map(\.withoutPlace))
        return grouped { finding in
            var same = finding.withoutPlace
            if finding.id == "scenario/placeholder" { same.id = "scenario/unknown-name" }
            return names.contains(same) ? same : finding.withoutPlace
        } ofAtLeast: {
            $0.id == "scenario/unknown-name" ? 2 : .max
        }
    }

    private func grouped(by key: (Finding) -> Finding, ofAtLeast size: (Finding) -> Int) -> [Finding] {
        var groups: [Finding: [Int]] = [:]
        for (number, finding) in enumerated() where finding.related.isEmpty && finding.place != nil {
            groups[key(finding), default: []].append(number)
        }
        var first: [Int: [Int]] = [:]
        var further: Set<Int> = []
        for (finding, numbers) in groups where numbers.count >= size(finding) {
            first[numbers[0]] = Array<Int>(numbers.dropFirst())
            further.formUnion(numbers.dropFirst())
        }
        return enumerated().compactMap { number, finding in
            guard !further.contains(number) else { return nil }
            guard let others = first[number] else { return finding }
            var finding = finding
            finding.message += others.count == 1 ? " (and at 1 more place)" : " (and at \(others.count) more places)"
            finding.related = others.compactMap { self[$0].place.map { RelatedPlace($0, "here too") } }
            return finding
        }
    }
}

extension Finding {
    fileprivate var withoutPlace: Finding {
        var finding = self
        finding.place = nil
        return finding
    }

    /// The further places that a reader is shown, and the number of those that only reports for programs list.
    package var shownRelated: (places: ArraySlice<RelatedPlace>, omitted: Int) {
        let shown = related.count > 8 ? related.prefix(3) : related[...]
        return (shown, related.count - shown.count)
    }

    /// The lines for the further places.
    package var relatedLines: [String] {
        let (places, omitted) = shownRelated
        return places.map(\.description)
            + (omitted > 0 ? ["… and \(omitted) more places; a JSON report contains all places"] : [])
    }
}
