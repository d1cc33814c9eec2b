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

    package var description: String { rawValue }
}
