/// The anchors that dynamic references may find, in the resources that compilation came by.
struct DynamicAnchors {
    /// Stands for `$recursiveAnchor: true`; no `$dynamicAnchor` can be empty.
    static let recursive = ""

    var opened: Set<Int> = []
    private var found: [ExactName: [Int32: Int32]] = [:]
    /// The references that are to be given their candidates, with the name that they look for.
    var references: [(number: Int, name: String)] = []

    mutating func note(_ name: String, resource: Int, node: Int32) {
        found[ExactName(name), default: [:]][Int32(resource)] = node
    }

    /// The nodes with an anchor, by their resource.
    func candidates(named name: String) -> [Int32: Int32] { found[ExactName(name)] ?? [:] }
}
