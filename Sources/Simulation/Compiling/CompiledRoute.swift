import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// A route with everything that its requests need.
///
/// A class, because exchanges refer to it; it never changes.
final class CompiledRoute: Sendable {
    /// The key as the file has it.
    let key: String
    /// Tells it from every other route of the story: the key, for another server's after the server's name.
    let id: String
    let requirements: [CompiledRequirement]
    /// The selections to look up before the cases.
    let finds: [Find]
    let cases: [CompiledBranch]
    let responses: CompiledSequence
    /// All responses, the refusals of tokens last.
    let allResponses: [CompiledResponse]
    /// A Boolean value that indicates whether the upstream server may respond.
    ///
    /// Such a request is sent on as it is, so its body need not be readable here.
    let mayBeForwarded: Bool
    /// A Boolean value that indicates whether the listed responses go before the cases, because a story adds them to a
    /// route that has cases.
    let listsFirst: Bool
    let uploadRate: Int?
    let rate: CompiledRate?
    let purposes: RoutePurposeTable
    /// The timeline's events after exchanges of this route.
    let consequences: [Consequence]

    /// An event that an exchange sets off, perhaps together with those of other routes.
    struct Consequence: Sendable {
        var awaited: [AwaitedExchange]
        var delay: Duration
        var event: Event
    }

    init(
        key: String,
        origin: String?,
        requirements: [CompiledRequirement],
        finds: [Find] = [],
        cases: [CompiledBranch],
        responses: CompiledSequence,
        listsFirst: Bool,
        uploadRate: Int?,
        rate: CompiledRate? = nil,
        purposes: RoutePurposeTable,
        consequences: [Consequence]
    ) {
        self.key = key
        id = origin.map { "\($0) \(key)" } ?? key
        self.requirements = requirements
        self.finds = finds
        self.cases = cases
        self.responses = responses
        self.listsFirst = listsFirst
        self.uploadRate = uploadRate
        self.rate = rate
        self.purposes = purposes
        self.consequences = consequences
        let sequences = [responses] + cases.map(\.responses)
        let refusals = (requirements + cases.flatMap(\.requirements)).flatMap { requirement in
            TokenStanding.allCases.compactMap { requirement.rejections[$0] }
        }
        allResponses = sequences.flatMap { [$0.own].compactMap(\.self) + $0.listed } + refusals
        mayBeForwarded = allResponses.contains(where: \.isForwarded)
    }
}

/// A limit on a route's requests.
struct CompiledRate: Sendable {
    var limit: RateLimit
    var exceeded: CompiledResponse?
}

/// A case of a route.
struct CompiledBranch: Sendable {
    var condition: Condition
    var requirements: [CompiledRequirement]
    var responses: CompiledSequence
}

/// The answers of a route or a case, compiled.
struct CompiledSequence: Sendable {
    var own: CompiledResponse?
    var listed: [CompiledResponse]
    var afterLast: AfterLast
}
