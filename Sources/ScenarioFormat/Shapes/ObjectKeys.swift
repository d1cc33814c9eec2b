import JSON

/// The keys of an object: the declaration that every part of the format reads, and the properties that they fill.
struct ObjectKeys<Root: Sendable>: Sendable {
    var shape: ObjectShape
    let list: [ObjectKey<Root>]
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
        guard !isReadInFileOrder else {
            for member in Optional(tree).members {
                _ = list.first { $0.name == member.name }?.fill(&root, member.value, &builder)
            }
            return true
        }
        var isComplete = true
        for key in list {
            let isRead = key.read(tree, into: &root, &builder)
            if !isRead && key.declaration.isRequired { isComplete = false }
        }
        return isComplete
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
