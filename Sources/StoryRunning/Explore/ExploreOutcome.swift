package import Basics
import HTTPCodec
package import JSON
package import Rules
import ScenarioFormat
import Simulation

/// One run of a client, as far as an exploration looks at it.
package struct ExploredRun: Sendable {
    package var recording: Recording
    /// The faults of the client itself, such as a crash: `client/killed`.
    package var clientFindings: [Finding]
    package var isInterrupted: Bool
    /// The end of the client, if it was not that of a client that has done its work.
    var complaint: String?

    package init(_ recording: Recording, clientFindings: [Finding] = [], isInterrupted: Bool = false) {
        self.recording = recording
        self.clientFindings = clientFindings
        self.isInterrupted = isInterrupted
    }

    init(_ play: StoryPlay) {
        let failed = play.clientChecks.filter { check in
            check.isOpen && ![ClientFault.threw, .interrupted].map(\.rawValue).contains(check.id)
        }
        self.init(
            play.recording,
            clientFindings: failed.compactMap(\.finding),
            isInterrupted: play.launches.contains(where: \.isInterrupted)
        )
        if let last = play.launches.last, case .exited(let code) = last.end, code != 0 {
            complaint = "exit code \(code)" + (last.lastWords.map { ", and said: \($0.printable)" } ?? "")
        }
    }
}

/// One exchange of a run, as it can be found again in others.
package struct ExploredStep: Sendable, Hashable {
    package var address: ExchangeAddress
    package var status: Int
    package var launch: Int
    /// A Boolean value that indicates whether a route that wants an access token was asked, and grants none.
    package var isSecured: Bool
    package var isRefresh: Bool

    /// All of a run, in their order; what matched no route or went to another server is not among them.
    static func all(of recording: Recording) -> [ExploredStep] {
        let roles = recording.evidence.roles
        var counts: [String: Int] = [:]
        return recording.evidence.exchanges.compactMap { exchange in
            guard let route = exchange.route, exchange.origin == nil else { return nil }
            counts[route, default: 0] += 1
            let purpose = roles.purpose(of: exchange)
            return ExploredStep(
                address: ExchangeAddress(route: route, count: counts[route] ?? 1),
                status: exchange.status.code,
                launch: exchange.launch,
                isSecured: purpose == .resource || purpose == .signOut,
                isRefresh: purpose == .refresh
            )
        }
    }
}

/// The exchanges of a client that belong together: none of those of one wave was caused by another one of it.
///
/// A client that sends several requests at once sends them in another order each time. So places of one wave are
/// distinguished by their routes, and something is right before a wave when it comes after the last exchange of the one before.
package struct ExploredWaves: Sendable, Hashable {
    /// Places among the steps, in the order of the waves.
    private(set) var members: [[Int]]

    /// Each exchange by itself.
    init(count: Int) {
        members = (0..<count).map { [$0] }
    }

    /// Those of a run in which responses waited until the client had no more to send, with its steps in their order.
    init(of recording: Recording, _ steps: inout [ExploredStep]) {
        let exchanges = recording.evidence.exchanges.filter { $0.route != nil && $0.origin == nil }
        var waves: [[Int]] = []
        var firstEnd: MonotonicTime?
        for (index, exchange) in exchanges.enumerated() {
            if let end = firstEnd, exchange.arrival < end, let last = waves.indices.last {
                waves[last].append(index)
            } else {
                waves.append([index])
                firstEnd = nil
            }
            let end = exchange.end ?? MonotonicTime(nanoseconds: .max)
            firstEnd = min(firstEnd ?? end, end)
        }
        var (sorted, members): ([ExploredStep], [[Int]]) = ([], [])
        for wave in waves {
            let inOrder = wave.map { steps[$0] }.sorted {
                ($0.address.route, $0.address.count) < ($1.address.route, $1.address.count)
            }
            members.append(Array(sorted.count..<(sorted.count + inOrder.count)))
            sorted += inOrder
        }
        (steps, self.members) = (sorted, members)
    }

    /// The wave that a step belongs to.
    func wave(of step: Int) -> [Int] { members.first { $0.contains(step) } ?? [step] }

    /// The wave before that of a step; empty for the first.
    func before(_ step: Int) -> [Int] {
        guard let place = members.firstIndex(where: { $0.contains(step) }), place > 0 else { return [] }
        return members[place - 1]
    }
}

/// The result of a run with a perturbation.
package struct ExploreOutcome: Sendable, Hashable {
    /// Something that the client did wrong.
    package struct Violation: Sendable, Hashable {
        /// `B2 refresh-storm`, or `client/hung`.
        package var rule: String
        /// The route of the exchange that it is pinned to; empty for the client as a whole.
        package var route: String
        package var message: String
        package var advice: String?
        /// The consequences, a sentence for each.
        package var consequences: [String] = []

        /// The number of a rule, which a story can name.
        package var number: String? { rule.hasPrefix("client/") ? nil : String(rule.prefix { $0 != " " }) }

        /// The identity of a finding, regardless of its place.
        struct Key: Hashable {
            var rule: String
            var route: String
        }

        var key: Key { Key(rule: rule, route: route) }
    }

    package var violations: [Violation] = []
    /// A Boolean value that indicates whether what was to go wrong did.
    package var isReached = true
    /// Rules that could not be decided.
    package var unclear: [String] = []
    /// The number of refresh requests.
    package var refreshes = 0
    /// The route of the first one.
    package var refreshRoute: String?
    /// The number of exchanges.
    package var exchanges = 0
    /// Routes that were answered with success in the ordinary run and never in this one.
    package var lost: [String] = []

    init() {}

    /// - Parameters:
    ///   - ordinary: what the client sends anyway.
    ///   - perturbation: what went wrong. A client may wait longer for a response that never comes than it is given, and
    ///     what it leaves undone when it ends because of a response that failed says nothing.
    init(_ run: ExploredRun, besides ordinary: SentRequests? = nil, of perturbation: Perturbation? = nil) {
        let recording = run.recording
        let steps = ExploredStep.all(of: recording)
        self.exchanges = steps.count
        refreshes = steps.count(where: \.isRefresh)
        refreshRoute = steps.first(where: \.isRefresh)?.address.route
        let verdict = recording.verdict
        let hasStore = !run.clientFindings.contains { $0.id == ClientFault.noStore.rawValue }
        isReached = hasStore && !verdict.expectations.contains { $0.id == "expect/not-played" }
        // What the client began a launch with is not known.
        guard hasStore else { return }
        let exchanges = recording.evidence.exchanges
        let places = Dictionary(exchanges.indices.map { (Int(clamping: exchanges[$0].number), $0) }) { first, _ in first
        }
        let sent = SentRequests(recording)
        let hasGivenUp = perturbation?.kind == .responseFails && recording.evidence.exits.contains { $0 != 0 }
        // What follows from another violation is listed under that one.
        for rule in verdict.rules
        where rule.explainedBy == nil && (rule.status == .failed || rule.status == .inconclusive) {
            let exchange = rule.exchanges.first.flatMap { places[$0] }.map { exchanges[$0] }
            let isAnyway =
                RuleName(rule.id).map(Self.aboutRepetition.contains) ?? false
                && exchange.map { ordinary?.mayRepeat($0, as: sent) == true } ?? false
            if rule.status == .inconclusive || isAnyway
                || hasGivenUp && RuleName(rule.id).map(Self.aboutOmission.contains) ?? false
            {
                if !unclear.contains(rule.id) { unclear.append(rule.id) }
            } else {
                var violation = Violation(rule: rule.id, route: exchange?.route ?? "", message: rule.sentence)
                (violation.advice, violation.consequences) = (rule.advice, rule.consequences.map(\.message))
                add(violation)
            }
        }
        for finding in run.clientFindings where finding.id != ClientFault.noRequest.rawValue {
            if perturbation?.detail == "never", finding.id == ClientFault.hung.rawValue {
                unclear.append(finding.id)
            } else {
                add(Violation(rule: finding.id, route: "", message: finding.message, advice: finding.advice))
            }
        }
    }

    /// Rules about a request that is sent again.
    private static let aboutRepetition: Set<RuleName> = [
        .refreshLoop, .requestNotReplayed, .retryAfterIgnored, .differentRequestReplayed,
    ]
    /// Rules about what a client has not done when it ends.
    private static let aboutOmission: Set<RuleName> = [.noRefreshAfter401, .requestNotReplayed]

    private mutating func add(_ violation: Violation) {
        if !violations.contains(where: { $0.key == violation.key }) { violations.append(violation) }
    }

    /// Returns whether a rule was violated, wherever; under real time the place may be another one each time.
    func breaks(_ rule: String) -> Bool { violations.contains { $0.rule == rule } }

    /// A cell of the table: the rules' numbers, or a sign.
    package var cell: String {
        if !violations.isEmpty {
            var numbers: [String] = []
            for violation in violations {
                let name = violation.number ?? String(violation.rule.dropFirst("client/".count))
                if !numbers.contains(name) { numbers.append(name) }
            }
            return numbers.joined(separator: " ")
        }
        if !isReached { return "–" }
        return unclear.isEmpty ? "ok" : "?"
    }

    /// In a word, for the JSON.
    package var word: String {
        if !violations.isEmpty { return "violation" }
        if !isReached { return "not reached" }
        return unclear.isEmpty ? "held" : "unclear"
    }
}

/// The number of times that each request was sent, by its method, target and body.
struct SentRequests: Sendable {
    private struct Essence: Hashable {
        var method: String
        var target: String
        var body: [UInt8]
    }

    private var counts: [Essence: Int] = [:]

    init(_ recording: Recording) {
        for exchange in recording.evidence.exchanges { counts[Self.essence(exchange), default: 0] += 1 }
    }

    private static func essence(_ exchange: Exchange) -> Essence {
        Essence(
            method: exchange.request.method.rawValue,
            target: exchange.request.target,
            body: exchange.request.body
        )
    }

    /// Returns whether the user may have asked for a request of another run more than once.
    ///
    /// A client that sends the same request several times anyway, and each of them at most once more, has repeated
    /// nothing that could be recognized.
    func mayRepeat(_ exchange: Exchange, as other: SentRequests) -> Bool {
        let essence = Self.essence(exchange)
        guard let ordinary = counts[essence], ordinary > 1 else { return false }
        return other.counts[essence, default: 0] <= 2 * ordinary
    }
}

// MARK: - As JSON

extension ExploreOutcome {
    package var json: JSONValue {
        var object: JSONObject = ["outcome": .string(word)]
        object["exchanges"] = .number(JSONNumber(exchanges))
        object["refreshes"] = .number(JSONNumber(refreshes))
        if let refreshRoute { object["refreshRoute"] = .string(refreshRoute) }
        if !isReached { object["reached"] = false }
        if !unclear.isEmpty { object["unclear"] = .array(unclear.map(JSONValue.string)) }
        if !lost.isEmpty { object["lost"] = .array(lost.map(JSONValue.string)) }
        if !violations.isEmpty {
            object["violations"] = .array(
                violations.map { violation in
                    var told: JSONObject = [
                        "rule": .string(violation.rule), "route": .string(violation.route),
                        "message": .string(violation.message),
                    ]
                    if let advice = violation.advice { told["advice"] = .string(advice) }
                    if !violation.consequences.isEmpty {
                        told["consequences"] = .array(violation.consequences.map(JSONValue.string))
                    }
                    return .object(told)
                }
            )
        }
        return .object(object)
    }

    /// Reads what ``json`` has written; `nil` for anything else.
    package init?(_ json: JSONValue) {
        guard let exchanges = json["exchanges"]?.int, let refreshes = json["refreshes"]?.int else { return nil }
        (self.exchanges, self.refreshes) = (exchanges, refreshes)
        refreshRoute = json["refreshRoute"]?.string
        isReached = json["reached"]?.bool ?? true
        unclear = json["unclear"]?.array?.compactMap(\.string) ?? []
        lost = json["lost"]?.array?.compactMap(\.string) ?? []
        for violation in json["violations"]?.array ?? [] {
            guard let rule = violation["rule"]?.string, let route = violation["route"]?.string,
                let message = violation["message"]?.string
            else { return nil }
            var read = Violation(rule: rule, route: route, message: message, advice: violation["advice"]?.string)
            read.consequences = violation["consequences"]?.array?.compactMap(\.string) ?? []
            violations.append(read)
        }
    }
}
