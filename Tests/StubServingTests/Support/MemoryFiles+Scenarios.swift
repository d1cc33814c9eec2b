import TestSupport

extension MemoryFiles {
    /// - Parameter texts: by path below `/project/Scenarios`.
    convenience init(scenarios texts: [String: String]) {
        self.init(Dictionary(uniqueKeysWithValues: texts.map { ("Scenarios/\($0)", $1) }))
    }
}
