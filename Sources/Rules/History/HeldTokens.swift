import Basics
import ScenarioFormat
import Simulation

/// The tokens of one role that a client came to hold, for the question which it held when.
struct HeldTokens {
    struct Entry {
        var token: HeldToken
        /// The step that brought it; `nil` for one from before the story's first request.
        var source: Step?
        /// The time at which it had arrived.
        var end = MonotonicTime(nanoseconds: 0)

        var number: UInt64 { source?.number ?? 0 }

        func isYoung(at time: VirtualTime) -> Bool { token.isYoung(at: time, broughtBy: source) }
    }

    /// The token that the client had before its first request.
    private var initial: Entry?
    /// By when they were received, and each the newest of those up to there.
    private(set) var received: [Entry] = []

    /// - Parameter isRepetitionCounted: whether a token that was granted again is one that was received then.
    init(_ role: TokenRoles.Role, among steps: some Sequence<Step>, countingRepeated isRepetitionCounted: Bool = false)
    {
        let entries = steps.compactMap { step -> Entry? in
            guard step.isReceived, let end = step.end,
                let token = step.granted(role, countingRepeated: isRepetitionCounted).last
            else { return nil }
            return Entry(token: token, source: step, end: end)
        }
        for entry in entries.sorted(by: { ($0.end, $0.number) < ($1.end, $1.number) }) {
            let newest = received.last.flatMap { $0.number > entry.number ? $0 : nil } ?? entry
            received.append(Entry(token: newest.token, source: newest.source, end: entry.end))
        }
    }

    /// The tokens that a device's client held, also before the first request.
    init(_ role: TokenRoles.Role, among steps: some Sequence<Step>, of device: Device, in history: TokenHistory) {
        self.init(role, among: steps, countingRepeated: true)
        let ledger = history.evidence.ledger
        initial = (ledger.device(named: device.name).map { ledger.tokens(of: $0) } ?? []).reversed().lazy
            .filter { $0.issued <= history.evidence.start }
            .compactMap { history.token(id: $0.id) }
            .first { $0.role == role && $0.source == nil }
            .map { Entry(token: $0) }
    }

    /// The newest one that had reached the client by a moment.
    func newest(by moment: MonotonicTime) -> Entry? { last(1, by: moment).first }

    /// The last few that responses had brought by a moment, newest first, and the one from before the first request.
    func last(_ count: Int, by moment: MonotonicTime) -> [Entry] {
        received[..<received.place { $0.end <= moment }].suffix(count).reversed() + (initial.map { [$0] } ?? [])
    }
}
