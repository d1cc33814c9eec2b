import Basics
import EventLoops
import OpenAPI
import ScenarioFormat
import Simulation

extension StubHandler {
    /// Looks at the files, and loads again what has changed and stood still since the last look.
    func lookAtFiles() {
        if watch.withLock({ $0.look() }) { reload() }
    }

    /// Watches the files of a scenario that some session now plays, too.
    func follow(_ loaded: LoadedScenario) {
        guard configuration.watchesFiles else { return }
        watch.withLock { $0.add(loaded.watched) }
    }

    /// Loads what each session plays again; a version that cannot be played changes nothing.
    private func reload() {
        var versions: [Edition: Version] = [:]
        var contracts: [String: Contract] = [:]
        var watched: [String] = []
        // The default session comes first and the others are listed after it, because new ones begin as it is: one
        // that is made meanwhile is either listed or begins with the new version.
        reload(sessions.main, &versions, &contracts, &watched)
        for session in sessions.all where session !== sessions.main { reload(session, &versions, &contracts, &watched) }
        watch.withLock { $0.follow(watched) }
    }

    private func reload(
        _ session: LiveSession,
        _ versions: inout [Edition: Version],
        _ contracts: inout [String: Contract],
        _ watched: inout [String]
    ) {
        let origin = session.origin
        let edition = Edition(path: origin.loaded.path, variant: origin.loaded.variant)
        let version = versions[edition] ?? load(origin.loaded, &contracts, &watched)
        versions[edition] = version
        guard case .good(let staged) = version else { return }
        do throws(SystemError) {
            let urls = try openOrigins(of: session.name, playing: staged.stage)
            let hold = configuration.refusalHold(in: staged.stage.scenario)
            set(session.reload(staged, originURLs: urls, refusalHold: hold, at: now), for: session)
        } catch {
            log.keptLastVersion([.noListener(error)])
        }
        // The session may play something else by now, so what it plays is asked for again.
        closeOrigins(of: session.name, missingIn: session.stage)
    }

    /// What a session plays of a file.
    private struct Edition: Hashable {
        var path: String
        var variant: String?
    }

    private enum Version {
        case good(ScenarioPreparation.Prepared)
        case bad
    }

    private func load(
        _ old: LoadedScenario,
        _ contracts: inout [String: Contract],
        _ watched: inout [String]
    ) -> Version {
        do throws(ScenarioError) {
            let staged = try staging.stage(library.load(path: old.path, variant: old.variant), contracts: &contracts)
            watched += staged.loaded.watched
            log.reloaded(staged.loaded, after: old)
            return .good(staged)
        } catch {
            watched += old.watched + error.watched
            log.keptLastVersion(error.findings)
            return .bad
        }
    }
}

extension Finding {
    /// An origin of a new version that nobody can be let in to.
    fileprivate static func noListener(_ error: SystemError) -> Finding {
        Finding(.error, id: "serve/no-listener", "the system gives no listener for an origin (\(error))")
    }
}
