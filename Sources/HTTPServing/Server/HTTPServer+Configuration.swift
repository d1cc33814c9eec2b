package import EventLoops
package import HTTPCodec

extension HTTPServer {
    /// Everything about a server that is a number or a choice.
    package struct Configuration: Sendable {
        /// How many event loops share the connections, each on a thread of its own.
        package var loops: Int
        package var limits: HTTPLimits
        package var deadlines: Deadlines
        /// Beyond this many connections new ones wait in the kernel's queue; nil for no limit of our own.
        package var maximumConnections: Int?
        package var selector: SelectorKind
        package var time: any TimeSource
        /// Whether responses without a Date get one from the machine's clock.
        package var addsDate: Bool
        /// Whether a client that has ended its sending still gets a response that is delayed or comes later.
        ///
        /// A client that leaves and one that only stops sending look the same. By default it counts as gone, so that
        /// cancelled requests are seen at once; responses that are ready are sent in any case.
        package var servesHalfClosedClients: Bool

        package init(
            loops: Int = 1,
            limits: HTTPLimits = .standard,
            deadlines: Deadlines = Deadlines(),
            maximumConnections: Int? = nil,
            selector: SelectorKind = .fromEnvironment,
            time: any TimeSource = SystemTime(),
            addsDate: Bool = true,
            servesHalfClosedClients: Bool = false
        ) {
            self.loops = max(1, loops)
            self.limits = limits
            self.deadlines = deadlines
            self.maximumConnections = maximumConnections
            self.selector = selector
            self.time = time
            self.addsDate = addsDate
            self.servesHalfClosedClients = servesHalfClosedClients
        }
    }
}

/// How long a client may take, so that a byte a minute holds no slot for ever.
///
/// Never virtual: they count on the server's own ``TimeSource``, whatever the scenario's clock says.
package struct Deadlines: Sendable, Hashable {
    /// Between two requests, or before the first: 60 s, then the connection is closed.
    package var idle: Duration
    /// From a head's first byte to its last, however they drip: 10 s, then 408.
    package var head: Duration
    /// Between two reads of a body, and on top of what the minimum rate grants: 10 s, then 408.
    package var body: Duration
    /// Between two writes of a response, and on top of what the minimum rate grants: 10 s, then a reset.
    package var write: Duration
    /// Bytes per second on average, for bodies and responses alike: 128.
    package var minimumRate: Int
    /// After the last response, for the client to read it and leave, before the close: 2 s.
    package var lingering: Duration

    package init(
        idle: Duration = .seconds(60),
        head: Duration = .seconds(10),
        body: Duration = .seconds(10),
        write: Duration = .seconds(10),
        minimumRate: Int = 128,
        lingering: Duration = .seconds(2)
    ) {
        self.idle = idle
        self.head = head
        self.body = body
        self.write = write
        self.minimumRate = minimumRate
        self.lingering = lingering
    }
}
