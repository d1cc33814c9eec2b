import Basics
import EventLoops
import JSON
import ScenarioFormat
import Simulation

extension StubHandler {
    /// Checks the files, and reloads those that have changed and are stable since the last check.
    func lookAtFiles() {
        guard watch.withLock({ $0.look() }) else { return }
        // Elsewhere, because a contract takes its time to read; where a test moves the time, it waits for the loop alone.
        if time.passesByItself {
            reader.take { [weak self] in self?.reload() }
        } else {
            reload()
        }
    }

    /// Watches the files of a scenario that some session now plays, too.
    func follow(_ loaded: LoadedScenario) {
        guard configuration.watchesFiles else { return }
        watch.withLock { $0.add(loaded.watched) }
    }

    /// Loads what each session plays again; a version that cannot be played changes nothing.
    private func reload() {
        var versions: [Edition: ScenarioPreparation.Prepared?] = [:]
        var contracts: [String: any ServedContract] = [:]
        var watched: [String] = []
        sessions.forEach { reload($0, &versions, &contracts, &watched) }
        watch.withLock { $0.follow(watched) }
    }

    private func reload(
        _ session: LiveSession,
        _ versions: inout [Edition: ScenarioPreparation.Prepared?],
        _ contracts: inout [String: any ServedContract],
        _ watched: inout [String]
    ) {
        let loaded = session.setup.loaded
        let edition = Edition(path: loaded.path, variant: loaded.variant)
        let version: ScenarioPreparation.Prepared? = versions[edition] ?? load(loaded, &contracts, &watched)
        versions[edition] = .some(version)
        guard var prepared = version else { return }
        do throws(SystemError) {
            let urls = try openOrigins(of: session.name, playing: prepared.played)
            learning.withLock { _ in
                if let learned = session.setup.prepared.learned, prepared.learned?.number != learned.number {
                    prepared = (try? preparation.prepare(prepared, adding: learned, contracts: &contracts)) ?? prepared
                    // The next session probably plays the same.
                    versions[edition] = .some(prepared)
                }
                let hold = configuration.refusalHold(in: prepared.played.scenario)
                session.reload(prepared, originURLs: urls, refusalHold: hold, at: now)
            }
        } catch {
            log.keptLastVersion([.noListener(error)])
        }
        // The session may play something else by now, so what it plays is asked for again.
        closeOrigins(of: session.name, missingIn: session.played)
    }

    /// The part of a file that a session plays.
    private struct Edition: Hashable {
        var path: String
        var variant: String?
    }

    /// Loads a scenario again; `nil` where it cannot be played.
    private func load(
        _ old: LoadedScenario,
        _ contracts: inout [String: any ServedContract],
        _ watched: inout [String]
    ) -> ScenarioPreparation.Prepared? {
        do throws(ScenarioError) {
            let prepared = try preparation.prepare(
                library.load(path: old.path, variant: old.variant),
                contracts: &contracts
            )
            watched += prepared.loaded.watched
            log.reloaded(prepared.loaded, after: old)
            return prepared
        } catch {
            watched += old.watched + error.watched
            log.keptLastVersion(error.findings)
            return nil
        }
    }
}

extension StubHandler {
    /// Plays the tokens and routes of an upstream in addition to the scenario of a session.
    ///
    /// Parts that were learned before those that are played change nothing.
    func learn(_ learned: LearnedParts, in session: LiveSession, saying lines: [String]) {
        learning.withLock { _ in
            let setup = session.setup
            guard setup.prepared.learned?.number ?? 0 < learned.number else { return }
            do throws(ScenarioError) {
                var contracts = setup.contract.map { [$0.source.path: $0.source] } ?? [:]
                guard let prepared = try preparation.prepare(setup.prepared, adding: learned, contracts: &contracts)
                else { return }
                sessions.forEach { session in
                    guard session.setup.prepared === setup.prepared else { return }
                    session.reload(
                        prepared,
                        originURLs: session.copy(at: now).session.backend.originURLs,
                        refusalHold: configuration.refusalHold(in: prepared.played.scenario),
                        at: now
                    )
                }
                for line in lines { log.say(line) }
            } catch {
                // Requests are sent on as before.
                log.keptLastVersion(error.findings)
            }
        }
    }
}

extension Finding {
    /// An origin of a new version that cannot be listened at.
    fileprivate static func noListener(_ error: SystemError) -> Finding {
        Finding(.error, id: "serve/no-listener", "the system does not allow a listener for an origin (\(error))")
    }
}
