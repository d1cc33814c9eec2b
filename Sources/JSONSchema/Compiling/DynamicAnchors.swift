import JSON

/// The anchors that dynamic references may find, in the resources that compilation came by.
struct DynamicAnchors {
    /// Stands for `$recursiveAnchor: true`; no `$dynamicAnchor` can be empty.
    static let recursive = ""

    var opened: Set<Int> = []
    private var found: [ExactText: [Int32: Int32]] = [:]
    /// The references that are to be given their candidates, with the name that they look for.
    var references: [(number: Int, name: String)] = []

    private var wanted: Set<ExactText> = []
    private var postponed: [ExactText: [(resource: Int, place: Int32)]] = [:]

    func isWanted(_ name: String) -> Bool { wanted.contains(ExactText(name)) }

    mutating func postpone(_ name: String, resource: Int, place: Int32) {
        postponed[ExactText(name), default: []].append((resource, place))
    }

    /// The anchors of a name that nobody looked for until now.
    mutating func want(_ name: String) -> [(resource: Int, place: Int32)] {
        wanted.insert(ExactText(name))
        return postponed.removeValue(forKey: ExactText(name)) ?? []
    }

    mutating func note(_ name: String, resource: Int, node: Int32) {
        found[ExactText(name), default: [:]][Int32(resource)] = node
    }

    /// The nodes with an anchor, by their resource.
    func candidates(named name: String) -> [Int32: Int32] { found[ExactText(name)] ?? [:] }
}
