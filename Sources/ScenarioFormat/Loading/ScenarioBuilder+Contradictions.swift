import Basics
import JSON

extension ScenarioBuilder {
    /// Finds expectations of which no client can meet both.
    ///
    /// What a silent story expects is compared with its silence.
    mutating func checkExpectationsAgree() {
        guard root["silent"]?.bool != true else { return }
        let claims = (root["expect"]?.array ?? []).flatMap(Claim.all)
        for (index, later) in claims.enumerated() {
            guard let earlier = claims[..<index].first(where: { $0.contradicts(later) || later.contradicts($0) }) else {
                continue
            }
            report(
                "scenario/contradiction",
                "this entry expects \(later.words), but \(sources.place(of: earlier.position)) expects"
                    + " \(earlier.words);"
                    + " no client can meet both expectations",
                at: later.position,
                advice: "remove or correct one of the expectations"
            )
        }
    }
}

/// The claim of a single expectation about one subject.
private struct Claim {
    enum Content {
        /// So many requests or items of this pattern, by the names of its keys.
        case count(pattern: [JSONObject.Member], CountRange)
        /// One of these values.
        case values([JSONValue])
    }

    /// Its subject, such as `["client", "screen"]`; claims about other subjects agree.
    var subject: [String]
    var content: Content
    var words: String
    var position: JSONPosition

    /// Returns whether no client can meet this claim and another one.
    ///
    /// A match of a pattern also matches a wider one, so the wider one has at least as many matches.
    func contradicts(_ other: Claim) -> Bool {
        guard subject == other.subject else { return false }
        switch (content, other.content) {
        case (.count(let pattern, let range), .count(let wider, let limit)):
            return limit.atMost >= 0 && range.atLeast > limit.atMost
                && wider.allSatisfy { condition in pattern.contains { $0.fits(condition) } }
        case (.values(let values), .values(let others)): return !values.contains(where: others.contains)
        default: return false
        }
    }

    static func all(in tree: JSONValue) -> [Claim] {
        if tree["request"] != nil { return requests(tree) }
        if let client = tree["client"] {
            let facts =
                client.string.map { [($0, JSONValue.bool(true))] }
                ?? Optional(client).members.map { ($0.name, $0.value) }
            return facts.map { value(["client", $0], [$1], "the fact \"\($0)\" to be \($1.text(.compact))", tree) }
        }
        if tree["state"] != nil {
            return tree["state"].members.map { member in
                let values = member.value.array ?? [member.value]
                return value(
                    ["state", member.name],
                    values,
                    "the state \"\(member.name)\" to be \(words(values))",
                    tree
                )
            }
        }
        if let kind = tree["token"]?.string, let states = tree["is"] {
            let device = tree["device"]?.string
            let values = states.array ?? [states]
            let words = "the \(kind) token of \(device ?? "every device") to be \(words(values))"
            return [value(["token", kind] + [device].compactMap(\.self), values, words, tree)]
        }
        if let collection = tree["items"]?.string {
            let pattern = Optional(tree).members.filter { $0.name != "count" }
            let claim = count(["items", collection], pattern, tree["count"], tree) { range in
                guard range.atMost > 0 else { return "no item of \(collection)" }
                let items = range.words(of: "items") { $0 == 1 ? "one item" : "\($0) items" }
                return range.exactly(items) + " of \(collection)"
            }
            return [claim]
        }
        if let order = tree["order"] { return (order.array ?? []).map { count(of: $0, nil, at: tree) } }
        if let code = tree["exit"]?.int, code >= 0 {
            return [value(["exit"], [.number(JSONNumber(code))], "the exit code \(code)", tree)]
        }
        return []
    }

    /// The claims of an expectation about its requests, and about others that must exist with them.
    private static func requests(_ tree: JSONValue) -> [Claim] {
        let own = count(of: tree, tree["count"], at: tree)
        guard case .count(_, let range) = own.content, range.atLeast > 0 else { return [own] }
        let others = [tree["before"], tree["after"]].compactMap(\.self)
        return [own] + others.map { count(of: $0, nil, at: tree) }
    }

    private static func count(of pattern: JSONValue, _ count: JSONValue?, at tree: JSONValue) -> Claim {
        let names = Set(ExchangePattern.shape.keys.map(\.name))
        let members = Optional(pattern).members.filter { names.contains($0.name) }
        let request = pattern["request"]?.string ?? ""
        let route = request.isEmpty ? "requests" : request
        return self.count(["request"], members, count, tree) { range in
            range.atMost == 0 ? "no \(route)" : "\(route) " + range.exactly(range.words(of: "times", \.times))
        }
    }

    private static func count(
        _ subject: [String],
        _ pattern: [JSONObject.Member],
        _ count: JSONValue?,
        _ tree: JSONValue,
        _ words: (CountRange) -> String
    ) -> Claim {
        let range = CountRange(written: count)
        let content = Content.count(pattern: pattern, range)
        return Claim(subject: subject, content: content, words: words(range), position: tree.position)
    }

    private static func value(_ subject: [String], _ values: [JSONValue], _ words: String, _ tree: JSONValue) -> Claim {
        Claim(subject: subject, content: .values(values), words: words, position: tree.position)
    }

    private static func words(_ values: [JSONValue]) -> String {
        values.map { $0.string ?? $0.text(.compact) }.joined(separator: " or ")
    }
}

extension CountRange {
    /// Its words, which say that it is one number where it is.
    fileprivate func exactly(_ words: String) -> String { atLeast == atMost ? "exactly \(words)" : words }

    /// The range of `count` of an expectation; at least one without it.
    init(written tree: JSONValue?) {
        guard let tree else {
            self.init(atLeast: 1, atMost: .max)
            return
        }
        if let exact = tree.number?.int {
            self.init(atLeast: exact, atMost: exact)
        } else {
            self.init(atLeast: tree["atLeast"]?.int ?? 0, atMost: tree["atMost"]?.int ?? .max)
        }
    }
}

extension JSONObject.Member {
    /// Returns whether everything that fits this condition of a pattern also fits another one.
    fileprivate func fits(_ other: JSONObject.Member) -> Bool {
        guard name == other.name else { return false }
        if value == other.value { return true }
        if name == "status" {
            let (own, others) = (value.array ?? [value], other.value.array ?? [other.value])
            return !own.isEmpty && own.allSatisfy(others.contains)
        }
        // Header fields, query items and the like, of which each is a condition by itself.
        guard let own = value.object, let others = other.value.object else { return false }
        return others.members.allSatisfy { condition in
            own.members.contains { $0.name == condition.name && $0.value == condition.value }
        }
    }
}
