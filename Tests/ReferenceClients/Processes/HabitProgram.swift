import HTTPCodec
import JSON
import ScenarioFormat

/// A client with a habit as a program of its own, which finds its story in the environment as `backlot run` tells it.
package struct HabitProgram: Sendable {
    package var habit: Habit
    package var connections: Connections

    package init(_ habit: Habit, _ connections: Connections) {
        (self.habit, self.connections) = (habit, connections)
    }

    /// Plays the habit.
    ///
    /// - Returns: what did not end as its script says, each as a sentence.
    package func play(_ environment: [String: String]) async throws(ClientProgram.Obstacle) -> [String] {
        guard let server = ServerAddress(environment) else { throw ClientProgram.Obstacle.notStarted }
        let admin = AdminConnection(port: server.port)
        let time = DeviceTime(environment["BACKLOT_NOW"], follows: nil)
        let given = environment["BACKLOT_DEVICES"].flatMap { (try? JSONParser().parse(Array($0.utf8)))?.root }
        let users = habit.devices.map { name in
            HabitUser(
                habit: habit,
                device: device(name, given?[name], server, admin, time),
                connections: connections
            ) { event in
                await enact(event, admin, time)
            }
        }
        return await withTaskGroup(of: [String].self) { group in
            for user in users { group.addTask { await user.play() } }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func device(
        _ name: String,
        _ given: JSONValue?,
        _ server: ServerAddress,
        _ admin: AdminConnection,
        _ time: DeviceTime
    ) -> Device {
        let error = habit.clockError.components.seconds
        return Device(
            name: name,
            transport: SocketTransport(port: server.port, otherPorts: server.otherPorts, connections),
            store: Store(given.flatMap { Tokens(given: $0, to: habit, at: time.now) }),
            uptime: { time.uptime },
            clock: { time.now + error },
            sleep: { await pass($0, admin, time) },
            tell: { await admin.post(.object($0), to: "client") }
        )
    }

    /// The longest pause in real time; a longer one passes on the story's clock.
    private static let longestPause = Duration.seconds(3)

    private func pass(_ duration: Duration, _ admin: AdminConnection, _ time: DeviceTime) async {
        guard duration > Self.longestPause else {
            try? await Task.sleep(for: duration)
            return
        }
        await enact(.advance(duration), admin, time)
    }

    private func enact(_ event: Event.Action, _ admin: AdminConnection, _ time: DeviceTime) async {
        switch event {
        case .advance(let duration):
            await admin.post(["advance": .string(DurationText.text(duration))], to: "clock")
            time.pass(duration)
        case .expire(.kind(let kind), _): await admin.post(["expire": .string(kind)], to: "events")
        case .revoke(.kind(let kind), _): await admin.post(["revoke": .string(kind)], to: "events")
        default: break
        }
    }
}

extension Habit {
    /// Whether it needs what a program of its own does not have: a second process, another launch, a request that is
    /// given up, or a response that waits on the story's clock.
    var isForWorldsOnly: Bool {
        !processes.isEmpty || has(.impatient) || server == .lateRefresh
            || steps.flatMap(\.items).contains { item in
                if case .launch = item.action { return true }
                if case .after = item.leaving { return true }
                return false
            }
    }
}

extension Tokens {
    /// Reads what a story's server has given to a device, at a moment in seconds since 1970.
    fileprivate init?(given tokens: JSONValue, to habit: Habit, at now: Int64) {
        guard let access = tokens["access"]?.string, let refresh = tokens["refresh"]?.string else { return nil }
        let claims = Self.claims(of: access)
        let age = DurationText.parse(habit.server.age)?.components.seconds ?? 0
        let issued = claims?["iat"]?.int.map { Int64($0) } ?? now - age
        let expires = claims?["exp"]?.int.map { Int64($0) } ?? issued + 3_600
        self.init(access: access, refresh: refresh, account: "ann", lifetime: expires - issued, issued: issued)
    }
}
