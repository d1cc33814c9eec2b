import Basics
import JSON
import ScenarioFormat

extension ExchangePattern {
    /// The pattern as a part of a sentence: `POST /refresh with status 401 whose refresh token is expired`.
    var words: String { route + qualifiers }

    /// What is wanted beside the route, each with a space in front.
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

    /// The pattern with how often it is wanted.
    func words(_ count: CountRange) -> String {
        guard count.atMost > 0 else { return "no \(words)" }
        return "\(route) \(count.words)\(qualifiers)"
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

extension CountRange {
    fileprivate var words: String {
        switch (atLeast, atMost) {
        case (let least, let most) where least == most: Sentences.times(least)
        case (0, .max): "any number of times"
        case (0, let most): "at most \(Sentences.times(most))"
        case (let least, .max): "at least \(Sentences.times(least))"
        case (let least, let most): "\(least) to \(most) times"
        }
    }
}

extension TokenStanding {
    /// What follows "is".
    var words: String { self == .wrongKind ? "of the wrong kind" : rawValue }
}

extension Condition {
    /// Each term as what follows "with": `body /note containing "x"`.
    fileprivate var terms: [String] {
        if case .all(let conditions) = self { return conditions.flatMap(\.terms) }
        guard let (name, matcher) = subject else { return ["other parts that fit"] }
        return ["\(name) \(matcher.words)"]
    }

    /// The part of a request that a single term is about, and what it must be like.
    var subject: (name: String, matcher: Matcher)? {
        switch self {
        case .method(let matcher): ("method", matcher)
        case .header(let name, let matcher): ("header \(name.printable)", matcher)
        case .query(let name, let matcher): ("query item \(name.printable)", matcher)
        case .body(let pointer, let matcher): ("body \(pointer.description.printable)", matcher)
        case .form(let name, let matcher): ("form field \(name.printable)", matcher)
        case .part(let name, let matcher): ("part \(name.printable)", matcher)
        case .device(let matcher): ("device", matcher)
        case .account(let matcher): ("account", matcher)
        case .pathParameter(let name, let matcher): ("path parameter \(name.printable)", matcher)
        case .all, .any, .not, .state, .found, .foundValue, .upload, .routeInFlight, .inFlight: nil
        }
    }
}

extension Matcher {
    /// What follows the name of a value: `equal to "x"`.
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
        case .date(let form): form == .date ? "with a day's date" : "with a moment's date and time"
        case .length(let range): "of a length \(range.lengthWords)"
        case .type(let names): "of the type \(Sentences.list(names.map(\.rawValue), "or"))"
        case .each(let matcher): "with each element \(matcher.words)"
        case .made(let relation, _): "\(relation.rawValue) what is only known while it is answered"
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
