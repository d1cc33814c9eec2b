import JSON

/// The variants so far: each text once, each of the kind that it claims to be.
struct VariantCollection {
    let schema: Schema
    let direction: SchemaDirection
    private var found: [(aspect: VariantAspect, variant: SchemaVariant)] = []
    private var texts: Set<[UInt8]> = []
    private var labels: [String: Int] = [:]
    /// The bytes that may still be looked at.
    private var allowance: Int

    init(schema: Schema, direction: SchemaDirection, limits: VariantLimits = VariantLimits()) {
        self.schema = schema
        self.direction = direction
        allowance = limits.bytes
    }

    /// Whether the schema takes a value; `nil` when it reaches no verdict.
    func accepts(_ value: JSONValue) -> Bool? {
        do { return try schema.accepts(value, going: direction) } catch { return nil }
    }

    /// Adds a variant if it is what it is offered as, and new.
    ///
    /// - Returns: whether it is of that kind.
    @discardableResult
    mutating func offer(
        _ value: JSONValue,
        _ label: String,
        _ kind: SchemaVariant.Kind,
        _ aspect: VariantAspect,
        at place: VariantPlace,
        known: JSONValue? = nil,
        body: [UInt8]? = nil
    ) -> Bool {
        guard allowance > 0 else { return false }
        let body = body ?? value.utf8()
        allowance -= body.count
        guard accepts(value) == (kind == .legal) else { return false }
        guard texts.insert(body).inserted else { return true }
        var variant = SchemaVariant(
            unique(label),
            kind,
            value,
            known: known,
            body: body,
            at: place.pointer,
            schema: place.schema,
            schemaPosition: place.schemaPosition
        )
        variant.mayChoose = [.choice, .chance].contains(aspect) || label.hasPrefix("the example")
        if aspect == .moment, let text = place.pointer.value(in: value)?.string {
            variant.isRare = DateTimeTexts.isRare(text)
        }
        found.append((aspect, variant))
        return true
    }

    private mutating func unique(_ label: String) -> String {
        let count = labels[label, default: 0] + 1
        labels[label] = count
        return count == 1 ? label : "\(label) (\(count))"
    }

    /// The variants in the order in which they were found, of too many a share of every aspect.
    func variants(within limits: VariantLimits) -> [SchemaVariant] {
        let kept = SchemaVariant.Kind.allCases.flatMap { places(of: $0, limit: limits[$0]) }
        return kept.sorted().map { found[$0].variant }
    }

    private func places(of kind: SchemaVariant.Kind, limit: Int) -> [Int] {
        let all = found.indices.filter { found[$0].variant.kind == kind }
        guard all.count > limit else { return all }
        var kept: [Int] = []
        var waiting = VariantAspect.allCases.map { aspect in all.filter { found[$0].aspect == aspect }[...] }
        while kept.count < limit {
            for index in waiting.indices where kept.count < limit {
                if let next = waiting[index].popFirst() { kept.append(next) }
            }
        }
        return kept
    }
}
