package import Basics

/// The effect of a change on a client of the older revision.
package enum ChangeEffect: Sendable {
    /// There is a correct client that fails.
    case breaks
    /// It depends on what the client makes of it, or cannot be decided from the documents.
    case depends
    case safe
}

/// A difference between two revisions of a contract.
package struct ContractChange: Sendable {
    /// The part that a change is in; the one that is hardest to try with a client comes first.
    package enum Subject: Int, Sendable, Comparable {
        /// Servers, operations, or what was not compared.
        case contract
        case header
        case response
        case request

        package static func < (left: Subject, right: Subject) -> Bool { left.rawValue < right.rawValue }
    }

    package var id: String
    /// A clause without a full stop, such as "`name` is no longer required".
    package var sentence: String
    package var effect: ChangeEffect
    /// In the newer revision; where something was removed, what it was removed from.
    package var place: Place
    package var old: Place?
    /// The labels of the operations that it concerns; none for what concerns the contract as a whole.
    package var operations: Set<String> = []
    package var subject = Subject.contract
}

/// The way that a value travels.
enum TravelDirection: String {
    case request
    case response
    /// Under `not` and the like, where wider and narrower cannot be distinguished.
    case unclear
}

/// The change of the set of allowed values.
enum ValueShift {
    case widens
    case narrows
    case both
    /// Wider, by what a tolerant client does not notice.
    case widensSlightly
    /// It cannot be decided from the documents.
    case unknown

    /// A response may break a client when it is wider, a request when it is narrower.
    func effect(_ direction: TravelDirection) -> ChangeEffect {
        switch (direction, self) {
        case (.unclear, _), (_, .unknown), (.response, .widensSlightly): .depends
        case (_, .both), (.response, .widens), (.request, .narrows): .breaks
        case (.response, .narrows), (.request, _): .safe
        }
    }
}
