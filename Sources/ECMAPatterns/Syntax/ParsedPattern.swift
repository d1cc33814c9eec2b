/// An expression as a tree, with what the tree refers to.
struct ParsedPattern: Sendable {
    var root: PatternNode
    /// How many groups capture.
    var groupCount: Int
    /// The groups of each name: several may share one when they are in different alternatives.
    var groupsByName: [PatternNode.GroupName: [Int]]

    func groups(of reference: PatternNode.Reference) -> [Int] {
        switch reference {
        case .number(let number): [number]
        case .name(let name): groupsByName[name] ?? []
        }
    }
}
