import JSON

/// The keys of an object: the declaration that every part of the format reads, and the properties that they fill.
struct ObjectKeys<Root: Sendable>: Sendable {
    var shape: ObjectShape
    let list: [ObjectKey<Root>]
    /// The positions of the keys in the list, by name.
    private let positions: [String: [Int]]
    /// The number of required keys.
    private let requiredCount: Int
    /// A Boolean value that indicates whether the keys are read in the order of the file, and not in their own.
    private let isReadInFileOrder: Bool

    init(
        _ name: String,
        _ article: String,
        _ summary: String,
        exclusive: [[String]] = [],
        needed: [String] = [],
        rules: ObjectRules...,
        merging: ObjectShape.Merging = .members,
        isReadInFileOrder: Bool = false,
        discussion: String = "",
        @ObjectKeyList<Root> _ keys: () -> [ObjectKey<Root>]
    ) {
        list = keys()
        positions = Dictionary(grouping: list.indices) { [list] in list[$0].name }
        requiredCount = list.count { $0.declaration.isRequired }
        self.isReadInFileOrder = isReadInFileOrder
        var shape = ObjectShape(name, article, summary, list, exclusive: exclusive, needed: needed, merging: merging)
        (shape.rules, shape.discussion) = (rules, discussion)
        self.shape = shape
    }
}

extension ObjectKeys {
    /// Reads the keys of an object; returns `false` if a required key is missing or has the wrong shape,
    /// which the shape check reports.
    @discardableResult
    func fill(_ root: inout Root, _ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Bool {
        let members = Optional(tree).members
        guard !isReadInFileOrder else {
            for member in members {
                _ = positions[member.name]?.first.map { list[$0].fill(&root, member.value, &builder) }
            }
            return true
        }
        var readCount = 0
        for position in Set(members.flatMap { positions[$0.name] ?? [] }).sorted() {
            let isRead = list[position].read(tree, into: &root, &builder)
            if isRead && list[position].declaration.isRequired { readCount += 1 }
        }
        return readCount == requiredCount
    }
}

extension ObjectKeys where Root: KeyedModel {
    /// Reads an object; `nil` if a required key is missing or has the wrong shape.
    ///
    /// - Parameter start: the values without any key.
    func read(_ tree: JSONValue, over start: Root = Root(), _ builder: inout ScenarioBuilder) -> Root? {
        var root = start
        let isComplete = fill(&root, tree, &builder)
        root.finish(tree, &builder)
        return isComplete ? root : nil
    }
}
