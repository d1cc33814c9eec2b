import Basics
package import JSON
import ScenarioFormat

/// The data about the client that no request contains: its launches, its processes and the facts that it has reported.
package struct ClientRecord: Sendable {
    /// The facts that the client has reported about itself, by name.
    package private(set) var facts = JSONObject()
    /// All reports, in order.
    package private(set) var statements: [ClientStatement] = []
    /// The current launch of the client, starting at 1.
    package private(set) var launch = 1
    /// The processes of the client by connection, if several share the session.
    private var connections: [UInt64: String] = [:]
    /// The current launches of the processes.
    private var launches: [String: Int] = [:]

    /// The fact by which a run, or a client itself, reports the state of the store of a launch.
    package static let storeFact = "storeFault"
    /// Its value for a store that works.
    package static let noStoreFault = "none"
    /// The maximum number of statements, so that a client that reports in a loop fills no memory.
    private static let mostStatements = 10_000

    // MARK: Processes

    /// The process that a connection belongs to; `nil` for the client as a whole.
    func process(of connection: UInt64) -> String? { connections.isEmpty ? nil : connections[connection] }

    /// The current launch of a process, or of the client.
    func launch(of process: String?) -> Int { process.map { launches[$0] ?? 1 } ?? launch }

    mutating func note(process: String, on connection: UInt64) { connections[connection] = process }

    /// Notes that a process is started, once more.
    mutating func begin(process: String) { launches[process, default: 0] += 1 }

    // MARK: Reports

    /// Notes that a launch begins, and the state of its store if the store is, or was, defective.
    ///
    /// - Parameter report: the time and the moment of the report, and the newest exchange.
    mutating func begin(launch number: Int, _ fault: StoreFault?, _ report: ClientStatement) {
        let isNews = launch != number
        launch = number
        let last = statements.last { $0.fact == Self.storeFact }?.value.string
        guard isNews, fault != nil || last.map({ $0 != Self.noStoreFault }) ?? false else { return }
        var statement = report
        (statement.fact, statement.launch) = (Self.storeFact, number)
        statement.value = .string(fault?.rawValue ?? Self.noStoreFault)
        statements.append(statement)
    }

    /// Stores facts; one that was reported before gets its new value.
    ///
    /// - Parameter report: the time, the moment and the process of the report, and the newest exchange.
    mutating func note(_ facts: JSONObject, _ report: ClientStatement) {
        for fact in facts.members {
            let last = report.process == nil ? self.facts[fact.name] : lastValue(of: fact.name, by: report.process)
            guard last != fact.value else { continue }
            self.facts[fact.name] = fact.value
            guard statements.count < Self.mostStatements else { continue }
            var statement = report
            (statement.fact, statement.value, statement.launch) = (fact.name, fact.value, launch(of: report.process))
            statements.append(statement)
        }
    }

    private func lastValue(of fact: String, by process: String?) -> JSONValue? {
        statements.last { $0.process == process && $0.fact.exact == fact.exact }?.value
    }
}
