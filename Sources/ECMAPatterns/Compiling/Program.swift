/// A compiled expression.
struct Program: Sendable {
    var instructions: [Instruction] = []
    var sets: [ScalarSet] = []
    /// For each backreference the groups that it may mean.
    var groupLists: [[Int]] = []
    /// Two registers for each group, from group 1 on, and then one for each loop.
    var registerCount = 0
    var hasLookarounds = false
    var hasBackreferences: Bool { !groupLists.isEmpty }

    /// Whether the expression can match only from the beginning of a text.
    var isAnchored = false

    /// Whether `^` stands on every way to the first character.
    func findsOnlyAtStart() -> Bool {
        var seen = [Bool](repeating: false, count: instructions.count)
        var open = [0]
        while let at = open.popLast() {
            if seen[at] { continue }
            seen[at] = true
            switch instructions[at] {
            case .match, .take, .backreference: return false
            case .assert(.start): break
            case .assert, .save, .forget, .requireProgress: open.append(at + 1)
            case .jump(let target): open.append(Int(target))
            case .split(let first, let second): open += [Int(first), Int(second)]
            case .look(_, _, let end): open.append(Int(end))
            }
        }
        return true
    }
}
