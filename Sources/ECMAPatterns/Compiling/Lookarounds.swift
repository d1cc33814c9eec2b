/// The lookarounds of a program.
struct Lookarounds {
    struct Lookbehind {
        var at: Int
        /// The instructions of its body, without those of lookbehinds inside.
        var body: [ClosedRange<Int>]

        func owns(_ place: Int) -> Bool { body.contains { $0.contains(place) } }
    }

    /// Those that an automaton can run, in the order of the program.
    private(set) var lookbehinds: [Lookbehind] = []
    private var unreliable: Set<Int> = []

    var areReliable: Bool { unreliable.isEmpty }

    /// Returns whether an automaton knows exactly where a lookaround holds.
    func isReliable(_ at: Int) -> Bool { !unreliable.contains(at) }

    init(_ program: Program) {
        guard program.hasLookarounds else { return }
        for at in program.instructions.indices.reversed() {
            guard case .look(let behind, _, let end) = program.instructions[at] else { continue }
            var isReliable = true
            var body: [ClosedRange<Int>] = []
            var start = at + 1
            for place in at + 1..<Int(end) {
                switch program.instructions[place] {
                case .backreference: isReliable = false
                case .look(let isBehind, _, let innerEnd):
                    if behind && !isBehind || unreliable.contains(place) { isReliable = false }
                    // The instruction itself belongs to what is around it.
                    if place >= start {
                        body.append(start...place)
                        start = Int(innerEnd)
                    }
                default: break
                }
            }
            if start < Int(end) { body.append(start...Int(end) - 1) }
            if !isReliable { unreliable.insert(at) }
            if behind, isReliable { lookbehinds.insert(Lookbehind(at: at, body: body), at: 0) }
        }
    }
}
