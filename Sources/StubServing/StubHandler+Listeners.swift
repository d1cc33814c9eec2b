import Basics
import EventLoops
import HTTPServing
import ScenarioFormat
import Simulation

extension StubHandler {
    /// The tag of the listener that every session can be reached on.
    static let mainListener = 0

    /// The owner of the listener of a request.
    enum ListenerOwner {
        /// The session of this name, or none in particular.
        case name(String?)
        /// A session's that has been deleted.
        case gone
    }

    /// The owner of the listener, and the origin of a story that it is for.
    func owner(ofListener tag: Int) -> (owner: ListenerOwner, origin: String?) {
        if tag == Self.mainListener { return (.name(nil), nil) }
        return listeners.withLock { listeners in
            if let origin = listeners.origins[tag] { return (.name(origin.session), origin.name) }
            return (listeners.sessions[tag].map { .name($0) } ?? .gone, nil)
        }
    }

    func noteAddress(host: String, port: UInt16) {
        listeners.withLock {
            $0.host = host
            $0.port = port
        }
    }

    var address: (host: String, port: UInt16) {
        listeners.withLock { ($0.host, $0.port) }
    }

    /// The URL of a port of this server, as a client on this machine writes it.
    func baseURL(port: UInt16) -> String {
        let host = configuration.host
        let name =
            switch host {
            case "::": "[::1]"
            case _ where host == "localhost" || AdminAccess.isWildcard(host): "127.0.0.1"
            case _ where host.contains(":"): "[\(host)]"
            default: host
            }
        return "\(configuration.prefersTLS ? "https" : "http")://\(name):\(port)"
    }

    /// Opens a listener that belongs to one session, and returns its port.
    ///
    /// - Parameter port: 0 for any free one.
    func listen(for session: String, port: UInt16 = 0) throws(SystemError) -> UInt16 {
        try openListener(port: port) { listeners, tag in listeners.sessions[tag] = session }.port
    }

    /// Opens a listener.
    ///
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - enter: notes whose it is, before anything can come in on it.
    func openListener(
        port: UInt16 = 0,
        _ enter: (inout ListenerTable, _ tag: Int) -> Void
    ) throws(SystemError) -> (tag: Int, port: UInt16) {
        guard let server else { throw SystemError("listen", .notPermitted) }
        let tag = listeners.withLock { listeners in
            let tag = listeners.nextTag()
            enter(&listeners, tag)
            return tag
        }
        do throws(SystemError) {
            return (tag, try server.addListener(host: configuration.host, port: port, tag: tag))
        } catch {
            listeners.withLock { $0.forget(tag) }
            throw error
        }
    }

    /// Closes the listeners of a session; what is being answered on them is finished.
    func closeListeners(of session: String) {
        closeListeners { listeners in
            listeners.sessions.filter { $0.value == session }.map(\.key)
                + listeners.origins.filter { $0.value.session == session }.map(\.key)
        }
    }

    func closeListeners(_ choose: (ListenerTable) -> [Int]) {
        let tags = listeners.withLock { listeners in
            let tags = choose(listeners)
            for tag in tags { listeners.forget(tag) }
            return tags
        }
        for tag in tags { server?.removeListener(tag: tag) }
    }
}

/// Listeners of the stories' other servers.
///
/// The default session has one for each, which sessions without their own listener share by header or prefix.
extension StubHandler {
    /// Opens the listeners that a session needs for what it plays, and returns every origin's base URL by name.
    ///
    /// A session that shares listeners has a URL for those origins only that the default session has, too.
    func openOrigins(of session: String, playing played: CompiledScenario) throws(SystemError) -> [String: String] {
        let isMain = session == Session.defaultName
        let ownsListener = listeners.withLock { $0.sessions.values.contains(session) }
        let owner = isMain ? nil : session
        var urls: [String: String] = [:]
        for origin in played.scenario.origins {
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
        main.set(originURLs: try openOrigins(of: main.name, playing: main.played))
    }

    /// Closes the listeners of origins that a session's story does not have.
    func closeOrigins(of session: String, missingIn played: CompiledScenario) {
        let owner = session == Session.defaultName ? nil : session
        let names = played.scenario.origins.map(\.name)
        closeListeners { listeners in
            listeners.origins.filter { $0.value.session == owner && !names.contains($0.value.name) }.map(\.key)
        }
    }

    /// A session at its beginning, with the base URLs of its story's other servers.
    func begin(_ setup: LiveSession.Setup, named name: String) throws(SystemError) -> Session {
        var session = setup.begin(name, configuration)
        if !setup.played.scenario.origins.isEmpty {
            session.backend.originURLs = try openOrigins(of: name, playing: setup.played)
        }
        return session
    }

    private func port(ofOrigin name: String, of session: String?) -> UInt16? {
        listeners.withLock { listeners in
            listeners.origins.values.first { $0.session == session && $0.name.exact == name.exact }?.port
        }
    }

    private func openOrigin(_ name: String, of session: String?) throws(SystemError) -> UInt16 {
        if let port = port(ofOrigin: name, of: session) { return port }
        let (tag, port) = try openListener { listeners, tag in
            listeners.origins[tag] = OriginListener(name: name, session: session, port: 0)
        }
        listeners.withLock { $0.origins[tag]?.port = port }
        return port
    }
}
