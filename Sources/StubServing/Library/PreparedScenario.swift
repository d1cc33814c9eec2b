import OpenAPI
package import ScenarioFormat

/// A scenario that was read together with its contract, for any number of servers.
package struct PreparedScenario: Sendable {
    let library: ScenarioLibrary
    let staged: ScenarioPreparation.Prepared

    /// Reads what a server with this configuration plays.
    ///
    /// - Parameter contracts: what was read before; a contract that is there is not read again.
    /// - Throws: ``ScenarioError`` when the scenario cannot be played.
    package init(
        _ library: ScenarioLibrary,
        _ configuration: StubServer.Configuration,
        contracts: inout ReadContracts
    ) throws(ScenarioError) {
        try self.init(library, library.load(story: configuration.story), configuration, contracts: &contracts)
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
        let staging = ScenarioPreparation(library: library, configuration: configuration)
        self.library = library
        staged = try staging.stage(loaded, contracts: &contracts.byPath)
    }

    /// The scenario itself, with what was found in it and its contract.
    package var loaded: LoadedScenario { staged.loaded }
}

/// Contracts that were read, for scenarios that share them.
package struct ReadContracts: Sendable {
    var byPath: [String: Contract] = [:]

    package init() {}
}
