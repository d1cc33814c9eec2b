import HTTPServing
import JSON
import StoryRunning
import StubServing

/// The clients of one launch, one for each device.
///
/// An actor, because a flow may ask for several at once.
actor ClientInstances<Adapter: ClientAdapter> {
    nonisolated let adapter: Adapter
    private let launch: StoryLaunch
    private let time: any ClientTime
    /// `nil` where clients bring the platform's own networking.
    private let network: SimulatedNetwork?
    /// The device that the story begins with.
    private let first: String
    /// What the devices had stored when the launch before had ended.
    private let stored: [String: [String: String]]
    private let given: StoredTokens
    private var clients: [(device: String, client: Adapter.Client)] = []

    init(
        _ adapter: Adapter,
        _ launch: StoryLaunch,
        in time: any ClientTime,
        over network: SimulatedNetwork?,
        first: String,
        stored: [String: [String: String]],
        given: StoredTokens
    ) {
        self.adapter = adapter
        self.launch = launch
        self.time = time
        self.network = network
        self.first = first
        self.stored = stored
        self.given = given
    }

    /// The client on a device, made when it is first asked for.
    ///
    /// - Parameter name: the device that the story begins with when `nil`.
    func client(on name: String?) async throws -> Adapter.Client {
        let device = name ?? first
        if let client = client(of: device) { return client }
        let client = try await adapter.makeClient(setting(of: device, isNamed: name != nil))
        // Another task may have asked meanwhile.
        if let client = self.client(of: device) { return client }
        clients.append((device, client))
        return client
    }

    /// What every device has stored now.
    func sessions() async -> [String: [String: String]] {
        var sessions: [String: [String: String]] = [:]
        for (device, client) in clients { sessions[device] = await adapter.session(of: client).tokens }
        return sessions
    }

    private func client(of device: String) -> Adapter.Client? {
        clients.first { $0.device.utf8.elementsEqual(device.utf8) }?.client
    }

    private func setting(of device: String, isNamed: Bool) -> ClientSetting {
        // A device that comes later has what it was given by then.
        let devices = given.devices + StoredTokens(launch.server.tokens).devices
        let tokens = devices.first { $0.name.utf8.elementsEqual(device.utf8) }?.tokens ?? JSONObject()
        var values: [String: String] = [:]
        for token in tokens.members { values[token.name] = token.value.string }
        return ClientSetting(
            url: launch.url,
            origins: launch.server.originURLs,
            tokens: stored[device] ?? values,
            device: isNamed || given.devices.count > 1 ? device : nil,
            network: network.map { .raw(WorldNetwork(network: $0, client: clients.count)) } ?? .urlSession,
            time: time
        )
    }
}
