import Basics
import EventLoops
import HTTPServing

/// Where a server can be reached, and the listeners that belong to one session each.
struct ListenerTable: Sendable {
    var host = "127.0.0.1"
    var port: UInt16 = 0
    var sessions: [Int: String] = [:]
    /// The listeners of the stories' other servers.
    var origins: [Int: OriginListener] = [:]
    /// The processes of the client that have their own listener.
    var processes: [Int: String] = [:]
    var lastTag = StubHandler.mainListener

    mutating func nextTag() -> Int {
        lastTag += 1
        return lastTag
    }

    mutating func forget(_ tag: Int) {
        sessions[tag] = nil
        origins[tag] = nil
        processes[tag] = nil
    }
}

/// The address of another server of a story.
struct OriginListener: Sendable {
    var name: String
    /// The session that it belongs to; `nil` for all sessions without their own listener.
    var session: String?
    var port: UInt16
}

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
