package import Basics
import JSON
package import ScenarioFormat
import Simulation

/// Makes loaded scenarios ready for playing, each with the contract that it names.
struct ScenarioPreparation: Sendable {
    let library: ScenarioLibrary
    let configuration: StubServer.Configuration

    /// A scenario ready for playing.
    ///
    /// A class, because all sessions that play it refer to one; it is never changed.
    final class Prepared: Sendable {
        let loaded: LoadedScenario
        let played: CompiledScenario
        /// The contract next to it, where something is done with one.
        let contract: (any ContractEnforcer)?
        /// The scenario without what was learned of an upstream.
        let root: JSONValue
        /// The tokens and routes of the upstream that were added to the scenario.
        let learned: LearnedParts?
        /// Sends requests on to the upstream.
        let forwarder: (any RequestForwarder)?
        /// The files among which it was found; `nil` for those of the server.
        let library: ScenarioLibrary?

        init(
            loaded: LoadedScenario,
            played: CompiledScenario,
            contract: (any ContractEnforcer)? = nil,
            root: JSONValue? = nil,
            learned: LearnedParts? = nil,
            forwarder: (any RequestForwarder)? = nil,
            library: ScenarioLibrary? = nil
        ) {
            self.loaded = loaded
            self.played = played
            self.contract = contract
            self.root = root ?? loaded.root
            self.learned = learned
            self.forwarder = forwarder
            self.library = library
        }
    }

    private var mode: ContractMode { configuration.contract ?? .warn }

    private func fill(of loaded: LoadedScenario) -> FillRule { configuration.fill ?? loaded.scenario.fill }

    /// Makes a scenario ready for playing, with its contract.
    ///
    /// - Parameters:
    ///   - base: the scenario to which an upstream's tokens and routes were added.
    ///   - learned: those tokens and routes.
    ///   - contracts: what was read before, by path; one that is there is not read again.
    func prepare(
        _ loaded: LoadedScenario,
        over base: Prepared? = nil,
        learned: LearnedParts? = nil,
        contracts: inout [String: any ServedContract]
    ) throws(ScenarioError) -> Prepared {
        var (loaded, contract) = try complete(loaded, contracts: &contracts)
        let obstacles = configuration.obstaclesOfTLS(in: loaded)
        if obstacles.contains(where: { $0.severity == .error }) {
            throw ScenarioError(obstacles, watched: loaded.watched)
        }
        loaded.findings += obstacles
        var terms = ContractTerms(mode: mode, fill: fill(of: loaded), files: library.files)
        terms.asksCredentials = library.isContract && configuration.asksCredentials
        terms.assertsFormats = configuration.assertsFormats
        let enforcer = contract?.enforcer(nextTo: loaded, terms)
        if configuration.replays {
            loaded.scenario.replay(forwardingRestTo: configuration.upstream)
        } else if let upstream = configuration.upstream {
            loaded.scenario.forwardRest(to: upstream)
        }
        let forwarder = base?.forwarder ?? configuration.forwarder
        if let upstream = loaded.scenario.upstream, let finding = forwarder?.refusal(of: upstream) {
            guard finding.severity != .error else { throw ScenarioError([finding], watched: loaded.watched) }
            loaded.findings.append(finding)
        }
        let played = CompiledScenario(loaded.scenario, clock: configuration.clock)
        return Prepared(
            loaded: loaded,
            played: played,
            contract: enforcer,
            root: base?.root,
            learned: learned,
            forwarder: forwarder,
            library: base?.library ?? library
        )
    }

    /// Adds the tokens and routes of an upstream to a scenario, whose own routes have precedence.
    ///
    /// - Returns: `nil` for a story and for a scenario with tokens, which are played as they are.
    func prepare(
        _ base: Prepared,
        adding learned: LearnedParts,
        contracts: inout [String: any ServedContract]
    ) throws(ScenarioError) -> Prepared? {
        guard base.loaded.scenario.story == nil, var merged = base.root.object, merged["tokens"] == nil else {
            return nil
        }
        var routes = merged["routes"]?.object ?? JSONObject()
        for member in learned.root["routes"]?.object?.members ?? [] where routes[member.name] == nil {
            routes[member.name] = member.value
        }
        (merged["tokens"], merged["routes"]) = (learned.root["tokens"], .object(routes))
        let loaded = base.loaded
        var next = try (base.library ?? library).load(.object(merged), nextTo: loaded.path)
        (next.path, next.variant, next.watched) = (loaded.path, loaded.variant, loaded.watched)
        return try prepare(next, over: base, learned: learned, contracts: &contracts)
    }

    /// Reads the contract of a scenario, where it has one and something is done with it.
    ///
    /// - Returns: the scenario with what its contract adds, and the contract.
    func complete(
        _ loaded: LoadedScenario,
        contracts: inout [String: any ServedContract]
    ) throws(ScenarioError) -> (loaded: LoadedScenario, contract: (any ServedContract)?) {
        guard let reference = loaded.scenario.contract,
            mode != .off || fill(of: loaded) != .off
        else { return (loaded, nil) }
        var loaded = loaded
        let contract: any ServedContract
        if let known = contracts[reference.path] {
            contract = known
        } else if let reader = configuration.contractReader {
            contract = try self.contract(reference, namedBy: loaded, by: reader)
        } else {
            let finding = unread(reference, namedBy: loaded)
            guard finding.severity != .error else { throw ScenarioError([finding], watched: loaded.watched) }
            loaded.findings.append(finding)
            return (loaded, nil)
        }
        contracts[reference.path] = contract
        loaded.watched += contract.watched
        loaded.findings += told(of: contract)
        if library.isContract {
            loaded.scenario.backend = contract.title
            if configuration.asksCredentials, let issuer = contract.issuer {
                loaded.take(try library.load(issuer, nextTo: reference.path))
            }
        }
        return (loaded, contract)
    }

    /// Reads a contract; its errors are reported like the scenario's own.
    private func contract(
        _ reference: ContractReference,
        namedBy loaded: LoadedScenario,
        by reader: any ContractReader
    ) throws(ScenarioError) -> any ServedContract {
        let contract: any ServedContract
        do throws(ScenarioError) {
            contract = try library.contract(at: reference.path, by: reader, overlays: configuration.overlays)
        } catch {
            throw ScenarioError(error.findings, watched: loaded.watched + error.watched)
        }
        guard !library.isContract || contract.operationCount > 0 else {
            let nothing = Finding(
                .error,
                id: "contract/no-operation",
                "the contract contains no operation to respond to",
                at: Place(file: reference.path)
            )
            throw ScenarioError(contract.findings + [nothing], watched: loaded.watched + contract.watched)
        }
        return contract
    }

    /// A contract for a server that was given no reader, as those of tests are where the test does not ask for one.
    ///
    /// An error where responses come from the contract, else a warning.
    private func unread(_ reference: ContractReference, namedBy loaded: LoadedScenario) -> Finding {
        let isSource = fill(of: loaded) != .off
        let lack = isSource ? "no response can be created from it" : "requests and responses are not checked against it"
        return Finding(
            isSource ? .error : .warning,
            id: "contract/unread",
            "the contract \"\(reference.path)\" is not read, so \(lack)",
            at: library.isContract ? Place(file: library.path) : loaded.sources.place(of: reference.position),
            advice: "add contracts: .openAPI from the library BacklotTesting"
                + (isSource ? "" : ", or contracts: .unread if this is intended")
        )
    }

    /// The findings for a user who serves the contract, errors first.
    private func told(of contract: any ServedContract) -> [Finding] {
        let findings = contract.findings
        let worst = findings.filter { $0.severity == .error } + findings.filter { $0.severity == .warning }
        guard worst.count > Self.told else { return worst }
        let rest = Finding(
            .warning,
            id: "contract/more-findings",
            "and \(worst.count - Self.told) more findings",
            at: Place(file: contract.path),
            advice: "\"backlot check \(contract.path)\" shows all findings"
        )
        return worst.prefix(Self.told) + [rest]
    }

    /// The number of reported findings; a large contract may have thousands, and the server works without what
    /// they cost.
    private static let told = 10
}

extension StubServer.Configuration {
    /// Reports the TLS of a scenario that a server with this configuration cannot play.
    fileprivate func obstaclesOfTLS(in loaded: LoadedScenario) -> [Finding] {
        let defined = loaded.scenario.definedTLS.map { ($0.behavior, loaded.sources.place(of: $0.position)) }
        guard let certificates else {
            let sentence = "the scenario defines \"tls\", so requests over plain HTTP receive 421"
            return defined.prefix(1).map { _, place in
                Finding(.warning, id: "scenario/requires-tls", sentence, at: place, advice: "serve it with --tls")
            }
        }
        return defined.compactMap { behavior, place in
            certificates()?.obstacle(to: behavior).map { sentence, advice in
                Finding(.error, id: "scenario/impossible-tls", sentence, at: place, advice: advice)
            }
        }
    }
}

extension LoadedScenario {
    /// Reports that a story with TLS cannot be played over plain HTTP; `nil` for other stories.
    package func findingOnPlainHTTP(advice: String) -> Finding? {
        scenario.definedTLS.first.map { first in
            let sentence = "the story defines \"tls\", which has no effect over plain HTTP"
            let place = sources.place(of: first.position)
            return Finding(.error, id: "story/requires-tls", sentence, at: place, advice: advice)
        }
    }
}
