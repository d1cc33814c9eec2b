import Basics
import HTTPServing
import JSON
import StoryRunning
import StubServing

/// The stored data of the clients of one run of a story, by device; it outlives their launches.
///
/// A class, because all launches and processes mean the same stores.
final class FlowStores: Sendable {
    private struct Contents {
        /// The state of a client's session at the end of each launch.
        var seen: [String: [String: String]] = [:]
        var stores: [String: any ClientStore] = [:]
    }

    private let contents = Lock(Contents())
    private let make: @Sendable ([String: String]) -> (any ClientStore)?

    init(_ adapter: some ClientAdapter) {
        make = { adapter.makeStore($0) }
    }

    /// The data that a device's client has stored; `nil` if it was not run before.
    func tokens(of device: String) -> [String: String]? { contents.withLock { $0.seen[device] } }

    func keep(_ sessions: [String: [String: String]]) { contents.withLock { $0.seen.merge(sessions) { $1 } } }

    /// The store of a device, made with what it has been given.
    func store(of device: String, given tokens: [String: String]) -> (any ClientStore)? {
        contents.withLock { contents in
            if let store = contents.stores[device] { return store }
            let store = make(tokens)
            contents.stores[device] = store
            return store
        }
    }

    var all: [any ClientStore] { contents.withLock { Array($0.stores.values) } }
}

/// The clients of one launch, or of one process in it, one for each device.
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
    private let stores: FlowStores
    private let given: StoredTokens
    /// The process, with the number that the first of its clients has on the network.
    private let process: (name: String, url: String, number: Int)?
    private var clients: [(device: String, client: Adapter.Client)] = []

    init(
        _ adapter: Adapter,
        _ launch: StoryLaunch,
        in time: any ClientTime,
        over network: SimulatedNetwork?,
        first: String,
        stores: FlowStores,
        given: StoredTokens,
        as process: (name: String, url: String, number: Int)? = nil
    ) {
        self.adapter = adapter
        self.launch = launch
        self.time = time
        self.network = network
        self.first = first
        self.stores = stores
        self.given = given
        self.process = process
    }

    /// The client on a device, made when it is first asked for.
    ///
    /// - Parameter name: the device that the story begins with when `nil`.
    func client(on name: String?) async throws -> Adapter.Client {
        let device = name ?? first
        if let client = client(of: device) { return client }
        let client = try await adapter.makeClient(setting(of: device, isNamed: name != nil))
        // Another task may have asked in between.
        if let client = self.client(of: device) { return client }
        clients.append((device, client))
        return client
    }

    /// The currently stored data of every device.
    func sessions() async -> [String: [String: String]] {
        var sessions: [String: [String: String]] = [:]
        for (device, client) in clients { sessions[device] = await adapter.session(of: client).tokens }
        return sessions
    }

    private func client(of device: String) -> Adapter.Client? {
        clients.first { $0.device.exact == device.exact }?.client
    }

    private func setting(of device: String, isNamed: Bool) -> ClientSetting {
        // A device that comes later has what it was given by then.
        let devices = given.devices + StoredTokens(launch.server.tokens).devices
        let tokens = devices.first { $0.name.exact == device.exact }?.tokens ?? JSONObject()
        var values: [String: String] = [:]
        for token in tokens.members { values[token.name] = token.value.string }
        let store = stores.store(of: device, given: values)
        // What one process has seen last is not what all of them have stored.
        let stored = process == nil ? stores.tokens(of: device) : store?.tokens ?? stores.tokens(of: device)
        return ClientSetting(
            url: process?.url ?? launch.url,
            origins: launch.server.originURLs,
            tokens: stored ?? values,
            device: isNamed || given.devices.count > 1 ? device : nil,
            process: process?.name,
            store: store,
            network: network.map {
                .raw(WorldNetwork(network: $0, client: (process?.number ?? 0) + clients.count))
            } ?? .urlSession,
            time: time
        )
    }
}
