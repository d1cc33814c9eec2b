import Basics
import JSON

/// The elements or members of one array or object that some schema has looked at.
struct EvaluatedParts: Sendable {
    private var isMarked: [Bool] = []
    private(set) var isComplete = false

    subscript(number: Int) -> Bool { isComplete || (number < isMarked.count && isMarked[number]) }

    mutating func mark(_ number: Int) {
        guard !isComplete else { return }
        while isMarked.count <= number { isMarked.append(false) }
        isMarked[number] = true
    }

    mutating func markAll() {
        isComplete = true
        isMarked = []
    }

    mutating func merge(_ other: EvaluatedParts) {
        guard !isComplete else { return }
        if other.isComplete { return markAll() }
        for number in other.isMarked.indices where other.isMarked[number] { mark(number) }
    }
}

/// The schemas that may be applied to arrays and objects before a run gives up.
///
/// Most runs need a fraction of the initial budget, so the parts of a value are not counted until that is spent. Then
/// a large value gets more, in proportion to its parts; what a schema that branches out without end takes grows faster.
struct StepBudget {
    /// The steps for a value of any size.
    static let standard = 20_000_000
    /// The further steps for each part: as many as the program has schemas, within these limits.
    static let perPart = 64...1_024

    /// The steps after which a run is unusual, as when the same schema is applied to the same value again and again; a
    /// quarter of a smaller budget, but no fewer than a small run takes.
    private static let usual = (least: 2_500, most: 20_000)

    private let value: JSONValue
    private var steps: Int
    private let stepsOfUnusualRun: Int
    private var isExtended = false

    /// - Parameter value: the whole value.
    init(for value: JSONValue, steps: Int = StepBudget.standard) {
        self.value = value
        self.steps = steps
        stepsOfUnusualRun = steps - min(max(steps / 4, Self.usual.least), Self.usual.most)
    }

    /// The initial steps that are left.
    var left: Int { isExtended ? 0 : max(0, steps) }

    /// A Boolean value that indicates whether the run has taken more steps than almost all runs.
    @inline(__always)
    var isUnusual: Bool { steps < stepsOfUnusualRun }

    /// Takes one step; `false` when no step is left.
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
    /// The number of arrays and objects, the value itself included.
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

/// The limit on the running thread's stack; stacks grow downwards on every platform that there is.
///
/// Asking the system where a stack ends can take longer than a whole validation, so that is left until a run has used
/// what every thread has to spare.
struct ThreadStack {
    /// The bytes that are there without asking.
    private static let unasked = 64 * 1024
    /// The bytes in all that are there when the system does not tell: the smallest threads have 512 kB.
    private static let untold = 384 * 1024
    /// The bytes that are left to what a schema calls last, such as the search for a pattern.
    private static let reserve = 128 * 1024

    private let start = ThreadStack.address
    private var end: Int
    private var isAsked = false

    init() {
        end = start - Self.unasked
    }

    /// Returns whether there is room for another schema inside the ones that are being applied.
    @inline(__always)
    mutating func hasRoom() -> Bool {
        ThreadStack.address > end || asksForRoom()
    }

    @inline(never)
    private mutating func asksForRoom() -> Bool {
        guard !isAsked else { return false }
        isAsked = true
        end = DeepStack.lowestAddress.map { $0 + Self.reserve } ?? start - Self.untold
        return ThreadStack.address > end
    }

    /// Roughly the address that the stack has grown to.
    @inline(__always)
    private static var address: Int {
        var marker: UInt8 = 0
        return withUnsafeMutablePointer(to: &marker) { Int(bitPattern: $0) }
    }
}
