import Basics

/// A value that a test shares with a loop's thread; a class, because closures on both sides must mean the same one.
package final class Shared<Value: Sendable>: Sendable {
    private let value: Lock<Value>

    package init(_ value: Value) {
        self.value = Lock(value)
    }

    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in body(&value) }
    }
}
