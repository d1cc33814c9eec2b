import Basics
import ClientTesting
package import ScenarioFormat

/// A token store for tests that behaves like a phone's keychain.
///
/// The vault simulates keychain failures. While the phone is locked, a read fails. An app that is started before the
/// first unlock finds no items. A write can fail. Uninstalling the app removes only the ``settings``, not the items. A
/// correct client distinguishes an item that currently cannot be read from a missing item. The client waits for
/// ``untilAvailable()`` and does not delete items in the meantime.
///
/// ```swift
/// let vault = TestVault(["refresh": "r-1"])
/// vault.condition = .locked
/// await client.start(with: vault)      // must not sign out
/// vault.condition = .available
/// #expect(vault.deletions == [])
/// ```
///
/// Several clients can share a vault, like an app and its extension. The processes of a story share
/// ``TestSetting/vault``. If a client awaits between a read and a write, another client can access the vault during
/// that time. ``update(_:_:)`` is atomic, and ``withLock(_:_:)`` excludes other clients.
public final class TestVault: Sendable {
    /// The condition of a keychain.
    public enum Condition: Sendable, Hashable {
        /// Everything can be read and written.
        case available
        /// The phone is locked. Reads and writes fail with ``Problem/interactionNotAllowed``.
        case locked
        /// The app was started before the first unlock. A read fails with ``Problem/notFound`` although the item
        /// exists, and writes fail.
        case prewarming
        /// Reads succeed, but writes fail.
        case readOnly
    }

    /// An error with a status code from the keychain functions.
    public enum Problem: Int32, Error, Sendable {
        /// The status `errSecInteractionNotAllowed`: the phone is locked.
        case interactionNotAllowed = -25308
        /// The status `errSecItemNotFound`: the item does not exist or is not available before the first unlock.
        case notFound = -25300
        /// The status `errSecNotAvailable`: the keychain is not available.
        case notAvailable = -25291
    }

    fileprivate struct Contents: Sendable {
        var items: [String: String]
        var settings: [String: String] = [:]
        var condition = Condition.available
        var deletions: [String] = []
        var waiting: [Waiter] = []
        var locks: [String: Holding] = [:]
        /// A Boolean value that indicates whether anything was read or written since the launch began.
        var isAsked = false
        /// The items at the start of each launch, oldest first; the last two suffice.
        var past: [[String: String]] = []
        var fault: StoreFault?
    }

    /// A lock that processes share.
    fileprivate struct Holding: Sendable {
        /// The process in its world.
        var holder: Int?
        var waiting: [Waiter] = []
    }

    /// The waiting tasks, each to be resumed in its process.
    fileprivate struct Waiter: Sendable {
        private let continuation: CheckedContinuation<Void, Never>
        private let place: WorldPlace

        var process: Int? { place.process }

        init(_ continuation: CheckedContinuation<Void, Never>, in place: WorldPlace) {
            (self.continuation, self.place) = (continuation, place)
        }

        func resume() { place.perform { continuation.resume() } }
    }

    private let contents: Lock<Contents>

    /// - Parameter items: The initial items.
    public init(_ items: [String: String] = [:]) {
        contents = Lock(Contents(items: items))
    }

    /// The current condition.
    ///
    /// Setting the value to ``Condition/available`` resumes callers of ``untilAvailable()``.
    public var condition: Condition {
        get { contents.withLock { $0.condition } }
        set {
            let waiting = contents.withLock { contents in
                contents.condition = newValue
                guard newValue.isReadable else { return [Waiter]() }
                defer { contents.waiting = [] }
                return contents.waiting
            }
            for waiter in waiting { waiter.resume() }
        }
    }

    /// A Boolean value that indicates whether protected data can be read, like
    /// `UIApplication.isProtectedDataAvailable`.
    public var isAvailable: Bool { condition.isReadable }

    /// Waits until protected data can be read, like an observer of `protectedDataDidBecomeAvailableNotification`.
    public func untilAvailable() async {
        let place = WorldPlace.current
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isNow = contents.withLock { contents in
                contents.isAsked = true
                if !contents.condition.isReadable { contents.waiting.append(Waiter(continuation, in: place)) }
                return contents.condition.isReadable
            }
            if isNow { continuation.resume() }
        }
    }

    // MARK: Items

    /// Returns an item's value.
    ///
    /// - Throws: ``Problem/notFound`` if the item does not exist or the app is prewarmed, or the ``Problem`` for the
    ///   current ``condition``.
    public func read(_ key: String) throws(Problem) -> String {
        let (condition, value) = contents.withLock { contents -> (Condition, String?) in
            contents.isAsked = true
            return (contents.condition, contents.items[key])
        }
        switch condition {
        case .locked: throw .interactionNotAllowed
        case .prewarming: throw .notFound
        case .available, .readOnly:
            guard let value else { throw .notFound }
            return value
        }
    }

    /// Writes an item, or deletes it if the value is `nil`.
    ///
    /// - Throws: ``Problem`` if the vault is not ``Condition/available``. Like a keychain, the vault allows deletion
    ///   while the phone is locked.
    public func write(_ value: String?, to key: String) throws(Problem) {
        let problem = contents.withLock { $0.write(value, to: key) }
        if let problem { throw problem }
    }

    /// Reads and writes an item atomically.
    ///
    /// - Parameter body: A closure that receives the value, or `nil` if the item does not exist, and changes it.
    /// - Throws: ``Problem`` if the vault cannot be read or written.
    public func update<Result: Sendable>(
        _ key: String,
        _ body: @Sendable (inout String?) -> Result
    ) throws(Problem) -> Result {
        let (result, problem) = contents.withLock { contents -> (Result?, Problem?) in
            contents.isAsked = true
            switch contents.condition {
            case .locked, .prewarming: return (nil, .interactionNotAllowed)
            case .available, .readOnly: break
            }
            let before = contents.items[key]
            var value = before
            let result = body(&value)
            return (result, value == before ? nil : contents.write(value, to: key))
        }
        if let problem { throw problem }
        guard let result else { throw .notAvailable }
        return result
    }

    /// Runs a closure while no other process or task holds the same lock, like a file lock in an app group.
    ///
    /// A lock is released if the process that holds it ends. The lock is not recursive.
    public func withLock<Result>(
        _ name: String = "lock",
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let place = WorldPlace.current
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isNow = contents.withLock { contents in
                guard contents.locks[name] != nil else {
                    contents.locks[name] = Holding(holder: place.process)
                    return true
                }
                contents.locks[name]?.waiting.append(Waiter(continuation, in: place))
                return false
            }
            if isNow { continuation.resume() }
        }
        defer { contents.withLock { $0.unlock(name, by: place.process) }?.resume() }
        return try await body()
    }

    // MARK: What a test looks at

    /// The items, regardless of the vault's condition.
    public var items: [String: String] { contents.withLock { $0.items } }

    /// The keys of the deleted items, in the order of deletion.
    public var deletions: [String] { contents.withLock { $0.deletions } }

    /// The data that an app stores outside the keychain.
    ///
    /// This data is removed when the app is uninstalled.
    public var settings: [String: String] {
        get { contents.withLock { $0.settings } }
        set { contents.withLock { $0.settings = newValue } }
    }

    /// Simulates the deletion and reinstallation of the app.
    ///
    /// The keychain keeps its items.
    public func reinstallApp() {
        contents.withLock { $0.settings = [:] }
    }
}

// MARK: - In a story

extension TestVault: ClientStore {
    package var tokens: [String: String] { items }

    package func begin(with fault: StoreFault?) {
        contents.withLock { contents in
            contents.past = contents.past.suffix(1) + [contents.items]
            (contents.isAsked, contents.fault) = (false, fault)
            switch fault {
            case nil: break
            case .locked: contents.condition = .locked
            case .empty: contents.items = [:]
            case .readOnly: contents.condition = .readOnly
            case .stale: contents.items = contents.past.first ?? [:]
            }
        }
    }

    package func end() -> Bool {
        if contents.withLock({ $0.fault }) != nil { condition = .available }
        return contents.withLock { contents in
            // Items that were written again count.
            if contents.fault == .empty { contents.items.merge(contents.past.last ?? [:]) { new, _ in new } }
            contents.fault = nil
            contents.locks = [:]
            return contents.isAsked
        }
    }

    package func becomeAvailable() { condition = .available }

    package func release(of owner: Int) {
        let waiters = contents.withLock { contents in
            for name in contents.locks.keys { contents.locks[name]?.waiting.removeAll { $0.process == owner } }
            let held = contents.locks.filter { $0.value.holder == owner }.keys.sorted()
            return held.compactMap { contents.unlock($0, by: owner) }
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension TestVault.Contents {
    /// - Returns: who has the lock now.
    fileprivate mutating func unlock(_ name: String, by process: Int?) -> TestVault.Waiter? {
        // A process that was ended has lost it to another one already.
        guard var lock = locks[name], lock.holder == process else { return nil }
        guard !lock.waiting.isEmpty else {
            locks[name] = nil
            return nil
        }
        let next = lock.waiting.removeFirst()
        lock.holder = next.process
        locks[name] = lock
        return next
    }

    fileprivate mutating func write(_ value: String?, to key: String) -> TestVault.Problem? {
        isAsked = true
        guard let value else {
            if items.removeValue(forKey: key) != nil { deletions.append(key) }
            return nil
        }
        switch condition {
        case .available: items[key] = value
        case .locked, .prewarming: return .interactionNotAllowed
        case .readOnly: return .notAvailable
        }
        return nil
    }
}

extension TestVault.Condition {
    fileprivate var isReadable: Bool { self == .available || self == .readOnly }
}
