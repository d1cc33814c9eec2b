import Basics
import EventLoops
import HTTPServing
import ScenarioFormat
import Simulation

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
