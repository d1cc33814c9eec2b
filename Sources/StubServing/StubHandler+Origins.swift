import Basics
import EventLoops
import HTTPServing
import ScenarioFormat
import Simulation

/// Listeners of the stories' other servers.
///
/// The default session has one for each, which sessions without a listener of their own share by header or prefix.
extension StubHandler {
    /// Opens the listeners that a session needs for what it plays, and returns every origin's base URL by name.
    ///
    /// A session that shares listeners has a URL for those origins only that the default session has, too.
    func openOrigins(of session: String, playing stage: CompiledScenario) throws(SystemError) -> [String: String] {
        let isMain = session == Session.defaultName
        let ownsListener = listeners.withLock { $0.sessions.values.contains(session) }
        let owner = isMain ? nil : session
        var urls: [String: String] = [:]
        for origin in stage.scenario.origins {
            if isMain || ownsListener {
                urls[origin.name] = baseURL(port: try openOrigin(origin.name, of: owner))
            } else if let port = port(ofOrigin: origin.name, of: nil) {
                urls[origin.name] = "\(baseURL(port: port))/__session/\(session)"
            }
        }
        return urls
    }

    /// Opens the listeners of what the default session plays first.
    func openOrigins() throws(SystemError) {
        let main = sessions.main
        main.set(originURLs: try openOrigins(of: main.name, playing: main.stage))
    }

    /// Closes the listeners of origins that a session's story does not have.
    func closeOrigins(of session: String, missingIn stage: CompiledScenario) {
        let owner = session == Session.defaultName ? nil : session
        let names = stage.scenario.origins.map(\.name)
        let tags = listeners.withLock { listeners in
            let tags = listeners.origins.filter { $0.value.session == owner && !names.contains($0.value.name) }
                .map(\.key)
            for tag in tags { listeners.origins[tag] = nil }
            return tags
        }
        for tag in tags { server?.removeListener(tag: tag) }
    }

    /// A session at its beginning, with the base URLs of its story's other servers.
    func begin(_ origin: LiveSession.Origin, named name: String) throws(SystemError) -> Session {
        var session = origin.begin(name, configuration)
        if !origin.stage.scenario.origins.isEmpty {
            session.originURLs = try openOrigins(of: name, playing: origin.stage)
        }
        return session
    }

    private func port(ofOrigin name: String, of session: String?) -> UInt16? {
        listeners.withLock { listeners in
            listeners.origins.values.first { $0.session == session && $0.name.utf8.elementsEqual(name.utf8) }?.port
        }
    }

    private func openOrigin(_ name: String, of session: String?) throws(SystemError) -> UInt16 {
        if let port = port(ofOrigin: name, of: session) { return port }
        guard let server else { throw SystemError("listen", .notPermitted) }
        let tag = listeners.withLock { listeners in
            let tag = listeners.nextTag()
            listeners.origins[tag] = OriginListener(name: name, session: session, port: 0)
            return tag
        }
        do throws(SystemError) {
            let port = try server.addListener(host: configuration.host, port: 0, tag: tag)
            listeners.withLock { $0.origins[tag]?.port = port }
            return port
        } catch {
            listeners.withLock { $0.origins[tag] = nil }
            throw error
        }
    }
}
