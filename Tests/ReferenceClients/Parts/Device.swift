import HTTPCodec
import JSON
import ScenarioFormat

/// What a client finds around it: a network, a store, clocks, and somewhere to run.
struct Device: Sendable {
    var name: String
    var transport: any Transport
    /// Survives the launches of the client.
    var store: Store
    /// How long the device has been running; nobody can set it.
    var uptime: @Sendable () -> Duration
    /// What the device's own clock shows, in seconds since 1970, right or wrong.
    var clock: @Sendable () -> Int64
    var sleep: @Sendable (Duration) async -> Void
    /// Tells the stub a fact about the client.
    var tell: @Sendable (JSONObject) async -> Void
    /// Where unstructured tasks run; `nil` for the default.
    var executor: (any Executor)?

    /// Starts a task of its own.
    @discardableResult
    func start<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        if #available(macOS 15, iOS 18, *), let executor = executor as? any TaskExecutor {
            return Task(executorPreference: executor) { await work() }
        }
        return Task { await work() }
    }
}
