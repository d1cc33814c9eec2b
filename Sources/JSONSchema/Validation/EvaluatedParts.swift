/// Which elements or members of one array or object some schema has looked at.
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
