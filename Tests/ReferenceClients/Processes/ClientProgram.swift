import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// One reference client as a program of its own, which finds its story in the environment as `backlot run` tells it.
package struct ClientProgram: Sendable {
    package var design: ClientDesign
    package var bug: Bug?
    package var connections: Connections

    package init(_ design: ClientDesign, bug: Bug?, _ connections: Connections) {
        (self.design, self.bug, self.connections) = (design, bug, connections)
    }

    /// Why it cannot play, as a sentence without a closing full stop.
    package struct Obstacle: Error {
        package var sentence: String

        static let notStarted = Obstacle(
            sentence: "BACKLOT_URL and BACKLOT_STORY are missing: start it with backlot run"
        )
    }

    /// Plays one launch of a case.
    package func play(_ environment: [String: String]) async throws(Obstacle) {
        guard let address = ServerAddress(environment), let story = environment["BACKLOT_STORY"] else {
            throw .notStarted
        }
        guard let bugCase = BugCase.all.first(where: { $0.id == story }) else {
            throw Obstacle(sentence: "there is no case \"\(story)\"")
        }
        let server = AdminConnection(port: address.port)
        let seed = environment["BACKLOT_SEED"].flatMap { UInt64($0) } ?? 1
        let habits = UserHabits(connections, in: bugCase, seed: seed)
        let launch = environment["BACKLOT_LAUNCH"].flatMap { Int($0) } ?? 1
        let time = DeviceTime(environment["BACKLOT_NOW"], follows: bugCase.isAboutTime ? server : nil)
        let users = bugCase.devices.enumerated().map { index, name in
            let device = Device(
                name: name,
                transport: SocketTransport(port: address.port, otherPorts: address.otherPorts, connections),
                store: Self.store(of: name, launch: launch, environment),
                uptime: { time.uptime },
                clock: { time.now + bugCase.clockError.components.seconds },
                sleep: { try? await Task.sleep(for: min($0, Self.timeout)) },
                tell: { await server.post(.object($0), to: "client") }
            )
            return User(
                bugCase: bugCase,
                design: design,
                bug: bug,
                device: device,
                seed: seed &+ UInt64(index) << 32,
                thought: habits.thought,
                isSequential: habits.isSequential,
                onlyLaunch: launch
            ) { event in
                guard case .advance(let duration) = event else { return }
                await server.post(["advance": .string(DurationText.text(duration))], to: "clock")
                time.pass(duration)
            }
        }
        await withTaskGroup { group in
            for user in users { group.addTask { _ = await user.play() } }
            await group.waitForAll()
        }
    }

    /// The longest pause in real time: the process under test has no virtual clock, and a story may ask for days.
    private static let timeout = Duration.seconds(3)

    /// What the device keeps in a file; it begins with the tokens that the story's server has given out before.
    private static func store(of device: String, launch: Int, _ environment: [String: String]) -> Store {
        let file = FilePath.join(environment["BACKLOT_STATE_DIR"] ?? ".", "\(device).json")
        let write: @Sendable (Tokens?) -> Void = { tokens in
            try? DiskFiles().write(Array((tokens?.json ?? .null).text().utf8), to: file)
        }
        guard launch == 1 else {
            let kept = (try? DiskFiles().read(file)).flatMap { (try? JSONParser().parse($0))?.root }
            return Store(kept.flatMap(Tokens.init(kept:)), write: write)
        }
        let given = environment["BACKLOT_DEVICES"].flatMap { (try? JSONParser().parse(Array($0.utf8)))?.root }
        let tokens = given?[device].flatMap(Tokens.init(given:))
        write(tokens)
        return Store(tokens, write: write)
    }
}

/// What is different from one user of a program to the next, by the seed.
struct UserHabits {
    /// How long the user looks at a screen; every other one is a script that does not.
    let thought: Duration
    let isSequential: Bool

    init(_ connections: Connections, in bugCase: BugCase, seed: UInt64) {
        thought = seed.isMultiple(of: 2) && !bugCase.needsThought ? .zero : .milliseconds(300)
        switch connections {
        case .keepAlive: isSequential = true
        case .fresh: isSequential = seed & 2 == 0
        case .pool: isSequential = false
        }
    }
}

extension JSONValue {
    fileprivate static func seconds(_ seconds: Int64) -> JSONValue { .number(JSONNumber(Int(seconds))) }
}

extension Tokens {
    /// Reads what a story's server has given to a device.
    fileprivate init?(given tokens: JSONValue) {
        guard let access = tokens["access"]?.string, let refresh = tokens["refresh"]?.string,
            let claims = Self.claims(of: access), let account = claims["sub"]?.string,
            let issued = claims["iat"]?.int, let expires = claims["exp"]?.int
        else { return nil }
        self.init(
            access: access,
            refresh: refresh,
            account: account,
            lifetime: Int64(expires - issued),
            issued: Int64(issued)
        )
    }

    /// Reads what ``json`` has written.
    fileprivate init?(kept: JSONValue) {
        guard let access = kept["access"]?.string, let refresh = kept["refresh"]?.string,
            let account = kept["account"]?.string, let lifetime = kept["lifetime"]?.int,
            let issued = kept["issued"]?.int
        else { return nil }
        self.init(
            access: access,
            refresh: refresh,
            account: account,
            lifetime: Int64(lifetime),
            issued: Int64(issued)
        )
    }

    fileprivate var json: JSONValue {
        [
            "access": .string(access), "refresh": .string(refresh), "account": .string(account),
            "lifetime": .seconds(lifetime), "issued": .seconds(issued),
        ]
    }
}
