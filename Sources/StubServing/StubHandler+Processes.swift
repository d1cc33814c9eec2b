import Basics
import EventLoops
import HTTPServing
package import ScenarioFormat
import Simulation

/// The processes of a client that share the default session: each has its own base URL, so that the journal knows
/// who has sent what.
extension StubHandler {
    /// Opens the listener of a process, and returns its port.
    fileprivate func listen(forProcess name: String) throws(SystemError) -> UInt16 {
        let (tag, port) = try openListener { listeners, tag in
            listeners.sessions[tag] = Session.defaultName
            listeners.processes[tag] = name
        }
        sessions.main.note(process: name, ofListener: tag)
        return port
    }

    /// The process whose base URL a request came in on; `nil` for every other URL.
    func process(ofListener tag: Int) -> String? {
        tag == Self.mainListener ? nil : listeners.withLock { $0.processes[tag] }
    }
}

extension StubServer {
    /// Opens base URLs for processes of the client, in their order.
    ///
    /// Requests to a story's other servers arrive at the same URLs for all processes, and cannot be distinguished.
    ///
    /// - Throws: ``ListeningProblem`` when no port is free.
    package func open(processes names: [String]) throws(ListeningProblem) -> [(name: String, url: String)] {
        var opened: [(name: String, url: String)] = []
        for name in names {
            do throws(SystemError) {
                opened.append((name, handler.baseURL(port: try handler.listen(forProcess: name))))
            } catch {
                throw ListeningProblem(error, host: handler.configuration.host, port: 0)
            }
        }
        return opened
    }

    /// The processes of the client that the played story has.
    package var processes: [ProcessDeclaration] { loaded.scenario.processes }

    /// Calls a function for what the story does to processes, before the response leaves that sets it off.
    package func onProcessAction(_ body: (@Sendable (ProcessAction) -> Void)?) {
        handler.sessions.main.enactProcesses(by: body)
    }

    /// Begins the next launch of a process.
    package func begin(process name: String) {
        _ = try? handler.sessions.main.access(at: handler.now) { session, _ in session.begin(process: name) }
    }
}
