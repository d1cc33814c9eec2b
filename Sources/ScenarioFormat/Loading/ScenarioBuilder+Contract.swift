import Basics
import JSON

extension ScenarioBuilder {
    /// The contract that the scenario names; whether it can be read is for whoever reads it to say.
    mutating func contract() -> ContractReference? {
        guard let tree = root["contract"] else {
            for key in ["undocumented", "fill"] {
                guard let member = root.object?.member(named: key) else { continue }
                report(
                    "scenario/idle-key",
                    "\"\(key)\" means nothing without a \"contract\"",
                    at: member.namePosition,
                    severity: .warning
                )
            }
            return nil
        }
        guard let name = tree.string, FilePath.isPath(name) else { return nil }
        do {
            let path = try assets.locate(name, from: sources.path(of: tree.position) ?? "")
            return ContractReference(path: path, position: tree.position)
        } catch {
            report("scenario/contract", error.message, at: tree.position, advice: error.advice)
            return nil
        }
    }
}
