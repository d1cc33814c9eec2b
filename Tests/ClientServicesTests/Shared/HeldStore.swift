import ClientServices

/// A store as slow and as broken as a test has it.
actor HeldStore: TokenStore {
    enum Use: Sendable, Hashable {
        case read
        case save(Tokens)
        case clear
    }

    /// Why a use of the store comes to nothing.
    struct Locked: Error {}

    private(set) var kept: Tokens?
    /// What was asked, in the order in which it was.
    private(set) var uses: [Use] = []
    /// Whether one thing was asked while another was under way.
    private(set) var isOverlapped = false
    private var isBusy = false
    private var isFailing: @Sendable (Use) -> Bool = { _ in false }
    private var isHeld: @Sendable (Use) -> Bool = { _ in false }
    private var held: [CheckedContinuation<Void, Never>] = []
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    init(_ tokens: Tokens? = nil) {
        kept = tokens
    }

    /// Lets these uses fail from now on, and no others.
    func fail(_ isFailing: @escaping @Sendable (Use) -> Bool) { self.isFailing = isFailing }

    /// Holds these uses from now on, until they are released.
    func hold(_ isHeld: @escaping @Sendable (Use) -> Bool) { self.isHeld = isHeld }

    /// Waits until a use is held.
    nonisolated func untilHeld() async {
        for await _ in arrivals.stream { return }
    }

    /// Carries out what is held, and holds nothing more.
    func release() {
        isHeld = { _ in false }
        for continuation in held { continuation.resume() }
        held = []
    }

    func tokens() async throws -> Tokens? {
        try await begin(.read)
        isBusy = false
        return kept
    }

    func save(_ tokens: Tokens) async throws {
        try await begin(.save(tokens))
        isBusy = false
        kept = tokens
    }

    func clear() async throws {
        try await begin(.clear)
        isBusy = false
        kept = nil
    }

    private func begin(_ use: Use) async throws {
        isOverlapped = isOverlapped || isBusy
        isBusy = true
        uses.append(use)
        if isHeld(use) {
            arrivals.continuation.yield()
            await withCheckedContinuation { held.append($0) }
        } else {
            // Another use would come in between here.
            await Task.yield()
        }
        if isFailing(use) {
            isBusy = false
            throw Locked()
        }
    }
}

extension HeldStore.Use {
    var isSave: Bool {
        if case .save = self { true } else { false }
    }
}
