import ScenarioFormat

/// The positions in the sequences of listed responses of routes and their cases.
struct ResponseSequences: Sendable {
    struct Key: Hashable, Sendable {
        var route: String
        /// The case's number; `nil` for the route's own responses.
        var branch: Int?
    }

    /// The number of listed responses that each route or case has given.
    private var counts: [Key: Int] = [:]

    func count(_ key: Key) -> Int { counts[key, default: 0] }

    /// Notes that the next response of a sequence was given.
    mutating func advance(_ key: Key) { counts[key, default: 0] &+= 1 }

    /// Forgets the sequences of other routes.
    mutating func keep(where isKept: (_ route: String) -> Bool) { counts = counts.filter { isKept($0.key.route) } }

    /// The next response of a sequence.
    func next(of sequence: CompiledSequence, _ key: @autoclosure () -> Key) -> ChosenResponse {
        if sequence.listed.isEmpty, let own = sequence.own { return ChosenResponse(own) }
        let key = key()
        guard let last = sequence.listed.last else { return ChosenResponse(.noCase(key.route)) }
        let position = count(key)
        var answer: ChosenResponse
        if position < sequence.listed.count {
            answer = ChosenResponse(sequence.listed[position])
        } else {
            switch sequence.afterLast {
            case .repeatLast: answer = ChosenResponse(last)
            case .loop: answer = ChosenResponse(sequence.listed[position % sequence.listed.count])
            case .own: answer = sequence.own.map { ChosenResponse($0) } ?? ChosenResponse(.noCase(key.route))
            case .fail: answer = ChosenResponse(.exhausted(key.route, sequence.listed.count))
            }
        }
        answer.sequence = key
        return answer
    }
}
