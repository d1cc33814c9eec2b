import Basics
import ScenarioFormat

/// What a device keeps for an app between its launches.
final class Store: Sendable {
    private struct Contents {
        var tokens: Tokens?
        /// What it held when the launch began.
        var atLaunch: Tokens?
        var fault: StoreFault?
    }

    private let contents: Lock<Contents>
    private let write: @Sendable (Tokens?) -> Void
    /// The lock of the processes that use the store; `nil` where there is one alone.
    let processLock: RefreshQueue?

    /// - Parameter write: keeps the tokens beyond the life of the process.
    init(_ tokens: Tokens? = nil, isShared: Bool = false, write: @escaping @Sendable (Tokens?) -> Void = { _ in }) {
        contents = Lock(Contents(tokens: tokens, atLaunch: tokens))
        self.write = write
        processLock = isShared ? RefreshQueue() : nil
    }

    var tokens: Tokens? {
        get { contents.withLock { [.locked, .empty].contains($0.fault) ? nil : $0.tokens } }
        set {
            contents.withLock { contents in
                guard contents.fault != .locked, contents.fault != .readOnly else { return }
                if contents.fault == .empty { contents.fault = nil }
                contents.tokens = newValue
                write(newValue)
            }
        }
    }

    var isLocked: Bool { contents.withLock { $0.fault == .locked } }

    /// Puts it into the state in which a launch finds it.
    func begin(with fault: StoreFault?) {
        contents.withLock { contents in
            let past = contents.atLaunch
            contents.atLaunch = contents.tokens
            if fault == .stale { contents.tokens = past }
            contents.fault = fault
        }
    }

    func unlock() {
        contents.withLock { if $0.fault == .locked { $0.fault = nil } }
    }
}
