import JSON

/// The schemas that may be applied to arrays and objects before a run gives up.
///
/// Most runs need a fraction of what is there at first, so nobody counts the parts of a value until that is spent. Then
/// a large value gets more, in proportion to its parts; what a schema that branches out without end takes grows faster.
struct StepBudget {
    /// What is there, whatever the size of the value.
    static let standard = 20_000_000
    /// The further steps for each part: as many as the program has schemas, but so many at least and at most.
    static let perPart = 64...1_024

    private let value: JSONValue
    private var steps: Int
    private var isExtended = false

    /// - Parameter value: the whole value.
    init(for value: JSONValue, steps: Int = StepBudget.standard) {
        self.value = value
        self.steps = steps
    }

    /// Takes one step; `false` when there is none left.
    @inline(__always)
    mutating func spend(with schemas: CompiledSchemas) -> Bool {
        steps -= 1
        return steps >= 0 || extend(with: schemas)
    }

    @inline(never)
    private mutating func extend(with schemas: CompiledSchemas) -> Bool {
        guard !isExtended else { return false }
        isExtended = true
        let each = min(max(schemas.nodes.count, Self.perPart.lowerBound), Self.perPart.upperBound)
        steps = value.partCount * each
        return steps > 0
    }
}

extension JSONValue {
    /// How many arrays and objects there are in all, the value itself included.
    fileprivate var partCount: Int {
        var count = 0
        var waiting = [self]
        while let value = waiting.popLast() {
            switch value.content {
            case .array(let elements): waiting += elements
            case .object(let object): waiting += object.members.lazy.map(\.value)
            default: continue
            }
            count += 1
        }
        return count
    }
}
