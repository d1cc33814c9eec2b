/// The ways in which the reference clients are built.
package enum ClientDesign: String, Sendable, CaseIterable, CustomStringConvertible {
    case lockStep = "lock step"
    case sharedTask = "shared task"
    case queue
    case interceptor
    case proactive

    func make(_ device: Device, bug: Bug?) -> any ReferenceClient {
        switch self {
        case .lockStep: LockStepClient(device, bug: bug)
        case .sharedTask: SharedTaskClient(device, bug: bug)
        case .queue: QueueClient(device, bug: bug)
        case .interceptor: InterceptorClient(device, bug: bug)
        case .proactive: ProactiveClient(device, bug: bug)
        }
    }

    /// Begins a later launch, which may find a store that cannot be read yet.
    func open(_ device: Device, bug: Bug?) async -> any ReferenceClient {
        while device.store.isLocked, bug != .signedOutByUnreadableStore { await device.sleep(.seconds(1)) }
        let client = make(device, bug: bug)
        if device.store.isLocked { await client.parts.membership.end() }
        return client
    }

    package var description: String { rawValue }
}
