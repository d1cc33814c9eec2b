package import JSON
package import ScenarioFormat

/// A fact that the client has told about itself, and when.
package struct ClientStatement: Sendable, Hashable {
    package var fact: String
    package var value: JSONValue
    /// When it was told, on the session's clock.
    package var time: VirtualTime
    /// When it was told, on the machine's clock.
    package var moment: RealTime
    /// The number of the newest exchange at that moment; zero before the first.
    package var afterExchange: UInt64
    /// The launch of the client that told it.
    package var launch: Int

    package init(
        fact: String,
        value: JSONValue,
        time: VirtualTime,
        moment: RealTime,
        afterExchange: UInt64,
        launch: Int
    ) {
        self.fact = fact
        self.value = value
        self.time = time
        self.moment = moment
        self.afterExchange = afterExchange
        self.launch = launch
    }
}
