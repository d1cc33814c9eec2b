import ScenarioFormat

/// A token that a route requires, with the responses to every other one.
///
/// A class, because requests refer to it; it never changes.
final class CompiledRequirement: Sendable {
    let kind: String
    /// A Boolean value that indicates whether another server issues the kind.
    let isForeign: Bool
    /// Numbers of the script's places, in the order in which they are looked at.
    let places: [Int]
    let accepted: [TokenStanding]
    /// The answer to each standing that is not accepted and has one.
    let rejections: [TokenStanding: CompiledResponse]

    init(
        kind: TokenKind,
        places: [Int],
        accepted: [TokenStanding],
        rejections: [TokenStanding: CompiledResponse]
    ) {
        (self.kind, isForeign) = (kind.name, kind.isForeign)
        (self.places, self.accepted, self.rejections) = (places, accepted, rejections)
    }
}

/// A place in requests where tokens travel.
struct TokenPlace: Sendable {
    var carrier: TokenCarrier
    /// The kind that travels there.
    var kind: String
    /// A Boolean value that indicates whether it is the kind's place on every route, so that a token there is noticed
    /// wherever it is sent.
    var isEverywhere: Bool
}
