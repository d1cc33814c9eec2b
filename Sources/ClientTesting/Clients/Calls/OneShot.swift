import Basics

/// Where a task leaves a value for whoever does not wait for the task.
final class OneShot<Value: Sendable>: Sendable {
    private let kept = Lock<Value?>(nil)

    var value: Value? { kept.withLock { $0 } }

    func keep(_ value: Value) { kept.withLock { $0 = value } }
}
