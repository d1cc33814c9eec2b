import Basics
import OpenAPI
import ScenarioFormat
import Simulation

/// Makes loaded scenarios ready for playing, each with the contract that it names.
struct ScenarioPreparation: Sendable {
    let library: ScenarioLibrary
    let configuration: StubServer.Configuration

    /// A scenario ready for playing.
    struct Prepared: Sendable {
        var loaded: LoadedScenario
        var played: CompiledScenario
        var contract: ContractEnforcer?
    }

    private var mode: ContractMode { configuration.contract ?? .warn }

    /// Makes a scenario ready for playing, with its contract.
    ///
    /// - Parameter contracts: what was read before, by path; one that is there is not read again.
    func prepare(
        _ loaded: LoadedScenario,
        contracts: inout [String: Contract]
    ) throws(ScenarioError) -> Prepared {
        let (loaded, contract) = try complete(loaded, contracts: &contracts)
        let enforcer = contract.map { contract in
            ContractEnforcer(
                configuration.assertsFormats ? contract.assertingFormats() : contract,
                loaded,
                files: library.files,
                mode: mode,
                fill: configuration.fill ?? loaded.scenario.fill,
                asksCredentials: library.isContract && configuration.asksCredentials
            )
        }
        let played = CompiledScenario(loaded.scenario, clock: configuration.clock)
        return Prepared(loaded: loaded, played: played, contract: enforcer)
    }

    /// Reads the contract of a scenario, where it has one and something is done with it.
    ///
    /// - Returns: the scenario with what its contract adds, and the contract.
    func complete(
        _ loaded: LoadedScenario,
        contracts: inout [String: Contract]
    ) throws(ScenarioError) -> (loaded: LoadedScenario, contract: Contract?) {
        guard let reference = loaded.scenario.contract,
            mode != .off || (configuration.fill ?? loaded.scenario.fill) != .off
        else { return (loaded, nil) }
        var loaded = loaded
        let known = contracts[reference.path]
        let contract = if let known { known } else { try library.contract(reference, watchedBy: loaded) }
        contracts[reference.path] = contract
        loaded.watched += contract.watched
        loaded.findings += contract.toldFindings
        if library.isContract {
            loaded.scenario.backend = contract.title
            if configuration.asksCredentials, let issuer = ContractIssuer(contract) {
                loaded.take(try library.load(issuer.backend, beside: reference.path))
            }
        }
        return (loaded, contract)
    }
}

extension ScenarioLibrary {
    /// Reads a contract; what keeps it from being used is told as the scenario's own mistakes are.
    fileprivate func contract(
        _ reference: ContractReference,
        watchedBy loaded: LoadedScenario
    ) throws(ScenarioError) -> Contract {
        let contract: Contract
        do throws(ContractError) {
            contract = try loadContract(reference.path)
        } catch {
            throw ScenarioError(error.findings, watched: loaded.watched + error.watched)
        }
        guard !isContract || !contract.operations.isEmpty else {
            let nothing = Finding(
                .error,
                id: "contract/no-operation",
                "there is no operation that could be answered",
                at: Place(file: reference.path)
            )
            throw ScenarioError(contract.findings + [nothing], watched: loaded.watched + contract.watched)
        }
        return contract
    }
}

extension Contract {
    /// How many findings are told; a large contract may have thousands, and the server works without what they cost.
    private static let told = 10

    /// What a user who serves the contract should know about it, errors first.
    fileprivate var toldFindings: [Finding] {
        let worst = findings.filter { $0.severity == .error } + findings.filter { $0.severity == .warning }
        guard worst.count > Self.told else { return worst }
        let rest = Finding(
            .warning,
            id: "contract/more-findings",
            "and \(worst.count - Self.told) more findings",
            at: Place(file: path),
            advice: "\"backlot check \(path)\" shows all of them"
        )
        return worst.prefix(Self.told) + [rest]
    }
}
