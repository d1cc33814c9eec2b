package import Basics
package import JSON
package import ScenarioFormat

/// Faults for the next requests of a route, which the story or a user has armed.
extension Session {
    /// The maximum number of armed faults: 1,000.
    package static let mostFaults = ArmedFaults.most

    /// Arms a fault for the next requests of a route; returns `false` if there are too many.
    package mutating func arm(_ fault: LiveFault, at now: MonotonicTime) -> Bool {
        chooser.armedFaults.arm(fault, at: catchUp(at: now))
    }

    /// Returns whether so many more faults can be armed.
    package func allowsFaults(_ count: Int) -> Bool { chooser.armedFaults.hasRoom(for: count) }

    /// Clears an armed fault, or all of them; returns how many there were.
    @discardableResult
    package mutating func clearFaults(number: Int? = nil) -> Int {
        chooser.armedFaults.remove { number == nil || $0.number == number }
    }

    package var faultsJSON: JSONValue { ["armed": .array(chooser.armedFaults.faults.map(\.json))] }
}
