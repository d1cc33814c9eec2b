import Basics

/// What follows from something that never changes, found out when it is first asked for: one value of each type.
///
/// A class, because all copies of a scenario mean the same values.
package final class DerivedValues: Sendable {
    private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

    /// - Parameter make: called without the lock; of two calls at the same time the last one's value stays.
    package func value<Value: Sendable>(_ make: () -> Value) -> Value {
        let key = ObjectIdentifier(Value.self)
        if let known = values.withLock({ $0[key] }) as? Value { return known }
        let new = make()
        values.withLock { $0[key] = new }
        return new
    }
}
