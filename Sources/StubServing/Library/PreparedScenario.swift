import Basics
import JSON
package import ScenarioFormat
import Simulation

/// A scenario that was read together with its contract, for any number of servers.
package struct PreparedScenario: Sendable {
    let library: ScenarioLibrary
    let prepared: ScenarioPreparation.Prepared

    /// Reads what a server with this configuration plays.
    ///
    /// - Parameter contracts: what was read before; a contract that is there is not read again.
    /// - Throws: ``ScenarioError`` when the scenario cannot be played.
    package init(
        _ library: ScenarioLibrary,
        _ configuration: StubServer.Configuration,
        contracts: inout ReadContracts
    ) throws(ScenarioError) {
        // The contract is read while the scenario is built; one that cannot be used is read again, to say why.
        var early: (path: String, work: DeepStack.Work<(any ServedContract)?>)?
        let loaded: LoadedScenario
        do {
            defer {
                if let (path, work) = early, let contract = work.wait() ?? nil { contracts.byPath[path] = contract }
            }
            let known = contracts.byPath
            loaded = try library.load(story: configuration.story) { path in
                guard configuration.contract != .off, known[path] == nil, let reader = configuration.contractReader
                else {
                    return
                }
                early = (
                    path,
                    DeepStack.Work {
                        let overlays = configuration.overlays
                        let contract = try? library.contract(at: path, by: reader, overlays: overlays)
                        // There is time while the scenario is built.
                        if let contract { Task.detached(priority: .utility) { contract.prepare() } }
                        return contract
                    }
                )
            }
        }
        try self.init(library, loaded, configuration, contracts: &contracts)
    }

    /// Makes a scenario that was read before ready for a server with this configuration.
    ///
    /// - Parameter contracts: what was read before; a contract that is there is not read again.
    /// - Throws: ``ScenarioError`` when the scenario's contract cannot be used.
    package init(
        _ library: ScenarioLibrary,
        _ loaded: LoadedScenario,
        _ configuration: StubServer.Configuration,
        contracts: inout ReadContracts
    ) throws(ScenarioError) {
        let preparation = ScenarioPreparation(library: library, configuration: configuration)
        self.library = library
        prepared = try preparation.prepare(loaded, contracts: &contracts.byPath)
    }

    /// The scenario itself, with what was found in it and its contract.
    package var loaded: LoadedScenario { prepared.loaded }

    /// The same of a scenario that is not played yet, without making it ready for that.
    package static func complete(
        _ loaded: LoadedScenario,
        of library: ScenarioLibrary,
        _ configuration: StubServer.Configuration,
        contracts: inout ReadContracts
    ) throws(ScenarioError) -> LoadedScenario {
        try ScenarioPreparation(library: library, configuration: configuration)
            .complete(loaded, contracts: &contracts.byPath).loaded
    }
}

/// Contracts that were read, for scenarios that share them.
package struct ReadContracts: Sendable {
    var byPath: [String: any ServedContract] = [:]

    package init() {}
}
