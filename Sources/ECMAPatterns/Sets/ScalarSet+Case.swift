extension ScalarSet {
    /// The set with everything that differs from a member only by case (ECMA-262, section 22.2.2.7.3).
    var closedOverCase: ScalarSet {
        var added: [ClosedRange<UInt32>] = []
        for family in CaseFolding.families where family.contains(where: contains) {
            added += family.map { $0...$0 }
        }
        return added.isEmpty ? self : ScalarSet(ranges + added)
    }
}
