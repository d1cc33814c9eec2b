import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The parts that a story adds to its backend, and whether they were played.
extension Evidence {
    /// The responses, faults and events of the story that were not played, each with the reason.
    ///
    /// One that the story calls optional is reported among what held.
    func judgeParts(of parts: [StoryPart], of scenario: Scenario, in sources: SourceMap) -> [Judgement] {
        parts.compactMap { part in
            let played = plays[part.name] ?? []
            guard played.count < part.times else { return nil }
            let asked = exchanges.filter { exchange in
                part.route.map { exchange.route?.exact == $0.exact } ?? false
                    && exchange.origin == part.origin
            }
            let name = part.name.printable
            let sentence =
                played.isEmpty
                ? "the story did not play \(name): \(reason(part, asked, scenario, sources))"
                : "the story played \(name) only \(Sentences.times(played.count)) instead of"
                    + " \(Sentences.times(part.times)): \(Sentences.exchanges(played))"
            var judged = Judgement.unplayed(
                "expect/not-played",
                "the story to play \(name)",
                sentence,
                Array((played.isEmpty ? asked.map(\.number) : played).prefix(part.times)),
                isOptional: part.isOptional,
                advice: advice(on: part)
            )
            judged.place = sources.place(of: part.position)
            return judged
        }
    }

    private func advice(on part: StoryPart) -> String {
        let excuse = "if this part is not required, mark it with \"optional\": true"
        if idleEvents.contains(part.name) {
            return
                "make sure that the event has something to change when it is due, such as a token that is still valid; "
                + excuse
        }
        if part.kind == .handshake { return "make the client open a connection when the TLS applies; \(excuse)" }
        if part.isRandom { return "choose another seed or a higher probability; \(excuse)" }
        if part.kind == .event {
            return part.trigger == nil
                ? "start a new session; \(excuse)"
                : "make the client send the requests that the event waits for; \(excuse)"
        }
        return "make the client send a matching request; \(excuse)"
    }

    private func reason(
        _ part: StoryPart,
        _ asked: [Exchange],
        _ scenario: Scenario,
        _ sources: SourceMap
    ) -> String {
        if let pending = pending(part) { return pending }
        if part.kind == .handshake { return "no TLS handshake began while it applied" }
        guard let route = part.route?.printable else {
            if idleEvents.contains(part.name) { return "the event changed nothing on the server" }
            return part.trigger == nil
                ? "the file has changed since the session began, and the events in \"given\" are played only when a session begins"
                : "the event did not happen"
        }
        guard !asked.isEmpty else {
            return lost > 0 ? "the journal contains no request to the route" : "no request to \(route) arrived"
        }
        guard !part.isRandom else {
            return "the random fault affected none of \(Sentences.exchanges(asked.map(\.number)))"
        }
        guard part.kind == .response || part.trigger == nil else {
            return "no request to \(route) arrived in time; the last request was exchange \(asked.last?.number ?? 0)"
        }
        var answers: [(by: String, numbers: [UInt64])] = []
        for exchange in asked {
            let answer = answer(to: exchange, scenario, sources)
            if let index = answers.firstIndex(where: { $0.by == answer }) {
                answers[index].numbers.append(exchange.number)
            } else {
                answers.append((answer, [exchange.number]))
            }
        }
        return Sentences.list(answers.map { "\(Sentences.exchanges($0.numbers)) received \($0.by)" }, "and")
    }
    // MARK: Why an event did not happen

    /// The reason that a timeline event is not due yet; `nil` for other parts, and for an event that has happened.
    private func pending(_ part: StoryPart) -> String? {
        switch part.trigger {
        case nil: return nil
        case .at(let delay):
            guard end - start < delay else { return nil }
            return "the event is due \(DurationText.text(delay)) after the start, but the story ended "
                + "\(DurationText.text(end - start)) after the start"
        case .after(let awaited, let delay):
            for exchange in awaited {
                let count = count(of: exchange)
                guard count < exchange.count else { continue }
                let status = exchange.status.map { " with \($0)" } ?? ""
                return "the event waits until \(exchange.route.printable) responds"
                    + " \(Sentences.times(exchange.count))\(status), which "
                    + (count == 0 ? "never happened" : "happened only \(Sentences.times(count))")
            }
            guard part.kind == .event, !idleEvents.contains(part.name) else { return nil }
            return "the event is due \(DurationText.text(delay)) after the exchange that it waits for, but the story "
                + "ended earlier"
        }
    }

    private func count(of awaited: AwaitedExchange) -> Int {
        exchanges.count { exchange in
            exchange.origin == nil && exchange.isCommitted
                && exchange.route?.exact == awaited.route.exact
                && awaited.status.map { $0 == exchange.status.code } ?? true
        }
    }

    /// The response that a request got instead of a part of the story.
    private func answer(to exchange: Exchange, _ scenario: Scenario, _ sources: SourceMap) -> String {
        guard let answer = exchange.answeredBy else {
            return exchange.offered.contains { $0.isAccepted == false } ? "a token refusal" : "another response"
        }
        guard let number = exchange.numberOfCase, let cases = scenario.route(of: exchange)?.cases,
            cases.indices.contains(number - 1), let response = cases[number - 1].responses.all.first
        else { return answer.printable }
        return "\(answer.printable) (\(sources.place(of: response.position)))"
    }
}

/// Small parts of sentences.
enum Sentences {
    /// The greatest number of numbers or names in one sentence.
    private static let longestList = 8

    /// `exchange 2`, `exchanges 2, 5 and 7`, or the first of very many.
    static func exchanges(_ numbers: [UInt64]) -> String {
        guard numbers.count > 1 else { return "exchange \(numbers.first ?? 0)" }
        return "exchanges \(some(of: numbers.map(String.init)))"
    }

    /// `2, 5 and 7`, or the first of very many.
    static func some(of words: [String]) -> String {
        guard words.count > longestList else { return list(words, "and") }
        return "\(words.prefix(longestList).joined(separator: ", ")) and \(words.count - longestList) more"
    }

    /// `a, b or c`.
    static func list(_ words: [String], _ last: String) -> String {
        guard words.count > 1, let end = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(last) \(end)"
    }

    /// `1 rule is` or `2 rules are`.
    static func are(_ count: Int, _ noun: String) -> String { "\(plural(count, noun)) \(count == 1 ? "is" : "are")" }

    static func times(_ count: Int) -> String { count.times }

    /// A value as JSON, cut where it is long.
    static func value(_ value: JSONValue) -> String {
        value.text(.compact).printable.shortened
    }
}

extension ExchangePattern {
    /// The pattern as a part of a sentence: `POST /refresh with status 401 whose refresh token is expired`.
    var words: String { route + qualifiers }

    /// The requirements in addition to the route, each after a space.
    private var qualifiers: String {
        var parts: [String] = []
        if let origin { parts.append("at \(origin.printable)") }
        if let device { parts.append("from \(device.printable)") }
        if let launch { parts.append("in launch \(launch)") }
        if !statuses.isEmpty { parts.append("with status \(Sentences.list(statuses.map(String.init), "or"))") }
        for token in tokens {
            let standings = Sentences.list(token.standings.map(\.words), "or")
            parts.append("whose \(token.kind) token is \(standings)")
        }
        let terms = condition.terms
        if !terms.isEmpty { parts.append("with \(Sentences.list(terms, "and"))") }
        return parts.map { " \($0)" }.joined()
    }

    /// The pattern with how often it is required.
    func words(_ count: CountRange) -> String {
        guard count.atMost > 0 else { return "no \(words)" }
        return "\(route) \(count.words(of: "times", Sentences.times))\(qualifiers)"
    }
}

extension Matcher.Bound {
    fileprivate var words: String {
        switch self {
        case .number(let number): number.text
        case .text(let text): Sentences.value(.string(text))
        }
    }
}

extension TokenStanding {
    /// The words after "is".
    var words: String { self == .wrongKind ? "of the wrong kind" : rawValue }
}

extension Condition {
    /// Each term as what follows "with": `body /note containing "x"`.
    fileprivate var terms: [String] {
        if case .all(let conditions) = self { return conditions.flatMap(\.terms) }
        guard let (name, matcher) = subject else { return ["other matching parts"] }
        return ["\(name) \(matcher.words)"]
    }

    /// The part of a request that a single term is about, and what it must be like.
    var subject: (name: String, matcher: Matcher)? {
        if case .request(let part, let matcher) = self { (part.words, matcher) } else { nil }
    }
}

extension Matcher {
    /// The words after the name of a value: `equal to "x"`.
    var words: String {
        switch self {
        case .all(let matchers): matchers.map(\.words).joined(separator: " and ")
        case .not(let matcher): "not \(matcher.words)"
        case .equals(let value): "equal to \(Sentences.value(value))"
        case .oneOf(let values): "equal to \(Sentences.list(values.map(Sentences.value), "or"))"
        case .exists(let isThere): isThere ? "present" : "absent"
        case .contains(let text): "containing \(Sentences.value(text))"
        case .startsWith(let text): "starting with \(Sentences.value(.string(text)))"
        case .endsWith(let text): "ending with \(Sentences.value(.string(text)))"
        case .atLeast(let bound): "of at least \(bound.words)"
        case .atMost(let bound): "of at most \(bound.words)"
        case .matches(let pattern): "matching \(Sentences.value(.string(pattern.source)))"
        case .date(let form): form == .date ? "with a date" : "with a date and time"
        case .length(let range): "with a length \(range.lengthWords)"
        case .type(let names): "of type \(Sentences.list(names.map(\.rawValue), "or"))"
        case .each(let matcher): "with every element \(matcher.words)"
        case .words(let matcher): "with the words \(matcher.words)"
        case .made(let relation, _): "\(relation.rawValue) a value that is known only when the request arrives"
        }
    }
}

extension CountRange {
    /// For how long something is, not how often it comes.
    fileprivate var lengthWords: String {
        if atLeast == atMost { return "of \(atLeast)" }
        if atMost == .max { return "of at least \(atLeast)" }
        return atLeast == 0 ? "of at most \(atMost)" : "from \(atLeast) to \(atMost)"
    }
}
