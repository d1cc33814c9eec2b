import Synchronization

/// Where a task leaves the client that it has made, for whoever does not wait for the task.
final class FirstClient<Client: Sendable>: Sendable {
    private let client = Mutex<Client?>(nil)

    var value: Client? { client.withLock { $0 } }

    func set(_ client: Client) { self.client.withLock { $0 = client } }
}
