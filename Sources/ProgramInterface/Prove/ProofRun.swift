import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// One run of a story with one revision of a client, as its journal shows it.
struct ProofRun: Sendable {
    var seed: Int
    /// `passed`, `failed` or `incomplete`.
    var outcome: String
    /// The rules and expectations that the client did not meet, without those that follow from another one.
    var failed: [String] = []
    /// The rules that could not be decided.
    var undecided: [String] = []
    /// The ids of the contract's findings.
    var contract: [String] = []
    /// The resource routes that responded with success, except in exchanges that show a violation.
    var served: [String] = []
    /// A Boolean value that indicates whether the client signed out, by a request or by its report.
    var signsOut = false
    /// The longest time without an open request, between two requests of one launch.
    var longestPause = Duration.zero
}

extension ProofRun {
    /// Reads the story's part of the report of `backlot run`, and its journal.
    ///
    /// - Throws: ``RecordingProblem`` for a journal that cannot be read.
    init(seed: Int, story: JSONValue, journal: JSONValue) throws(RecordingProblem) {
        let recording = try Recording(journal)
        self.seed = seed
        outcome = story["outcome"]?.string ?? ""
        let told = (story["rules"]?.array ?? []) + (story["expectations"]?.array ?? [])
        failed =
            told.filter { ["failed", "unknown"].contains($0["status"]?.string ?? "") && $0["explainedBy"] == nil }
            .compactMap { $0["id"]?.string }.unique
        contract = (story["contract"]?.array ?? []).compactMap { $0["id"]?.string }.unique
        let judgements = recording.verdict.rules + recording.verdict.expectations
        undecided = judgements.filter { $0.status == .inconclusive }.map(\.id).unique
        let blamed = Set(judgements.filter { $0.status == .failed }.flatMap(\.exchanges))
        let purposes = recording.evidence.roles.purposes
        let exchanges = recording.evidence.exchanges
        // A right fix does not repeat what the client did in a session that it should not have begun.
        let wrongTokens = Set(
            exchanges.filter {
                $0.route.map { purposes[$0] == .signIn } ?? false && blamed.contains(Int(clamping: $0.number))
            }
            .flatMap(\.granted).compactMap(\.id)
        )
        // A response of another server is never a part of the violation; only the token in its request may be.
        served =
            exchanges.filter { (200..<300).contains($0.status.code) }.compactMap { exchange -> String? in
                guard let route = exchange.route else { return nil }
                if let origin = exchange.origin { return "\(route) of \(origin)" }
                let isBlamed = blamed.contains(Int(clamping: exchange.number))
                let isWrong = exchange.offered.contains { $0.id.map(wrongTokens.contains) ?? false }
                return purposes[route] == .resource && !isBlamed && !isWrong ? route : nil
            }.unique
        signsOut =
            exchanges.contains { $0.route.map { purposes[$0] == .signOut } ?? false }
            || recording.evidence.clientFacts["signedOut"]?.bool == true
        longestPause = Self.longestPause(exchanges)
    }

    /// Only pauses for which no response asked: after `Retry-After` and after failures, a correct client waits.
    private static func longestPause(_ exchanges: [Exchange]) -> Duration {
        var longest = Duration.zero
        var (end, isAsked): (MonotonicTime?, Bool) = (nil, false)
        var launch = 1
        for exchange in exchanges {
            if let end, !isAsked, exchange.launch == launch { longest = max(longest, exchange.arrival.since(end)) }
            launch = exchange.launch
            let status = exchange.status.code
            isAsked =
                status == 429 || status >= 500 || exchange.fault != nil
                || exchange.response.fields["Retry-After"] != nil
            end = max(end ?? exchange.arrival, exchange.end ?? exchange.arrival)
        }
        return longest
    }
}
