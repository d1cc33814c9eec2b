package import Basics
package import JSON
package import ScenarioFormat

/// A fact that the client reported about itself, with the time.
package struct ClientStatement: Sendable, Hashable {
    package var fact: String
    package var value = JSONValue.null
    /// The time of the report, on the session's clock.
    package var time = VirtualTime(seconds: 0)
    /// The time of the report, on the machine's clock.
    package var moment = MonotonicTime(nanoseconds: 0)
    /// The number of the newest exchange at that moment; zero before the first.
    package var afterExchange: UInt64 = 0
    /// The launch of the client that reported it.
    package var launch = 1
    /// The process that reported it, if several share the session.
    package var process: String?

    package var launchIdentity: LaunchIdentity { LaunchIdentity(process: process, number: launch) }
}

extension ClientStatement: RecordedObject {
    package init() { self.init(fact: "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("fact", &fact)
        form.member("value", &value)
        form.member("time", &time)
        form.member("milliseconds", &moment)
        form.member("afterExchange", &afterExchange)
        form.member("launch", &launch)
        form.require(launch > 0, ["launch"], "requires a launch number, starting at 1, not \(launch)")
        form.member("process", &process)
    }
}
