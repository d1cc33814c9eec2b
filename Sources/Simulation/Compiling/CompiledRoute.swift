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
    /// What is looked up before the cases are looked at.
    let finds: [Find]
    let cases: [(condition: Condition, responses: CompiledSequence)]
    let responses: CompiledSequence
    /// Whether the listed responses go before the cases, because a story adds them to a route that has cases.
    let listsFirst: Bool
    let uploadRate: Int?
    let purpose: RoutePurpose
    /// What the timeline says happens after exchanges of this route.
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
        cases: [(condition: Condition, responses: CompiledSequence)],
        responses: CompiledSequence,
        listsFirst: Bool,
        uploadRate: Int?,
        purpose: RoutePurpose,
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
        self.purpose = purpose
        self.consequences = consequences
    }
}

/// A token that a route wants, with the answers to every other one.
struct CompiledRequirement: Sendable {
    var kind: String
    /// Whether somebody else issues the kind.
    var isForeign: Bool
    /// Numbers of the script's places, in the order in which they are looked at.
    var places: [Int]
    var accepted: [TokenStanding]
    /// The answer to each standing that is not accepted and has one.
    var rejections: [TokenStanding: CompiledResponse]
}

/// The answers of a route or a case, compiled.
struct CompiledSequence: Sendable {
    var own: CompiledResponse?
    var listed: [CompiledResponse]
    var afterLast: AfterLast
}
