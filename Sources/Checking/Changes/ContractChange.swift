package import Basics
import JSON
import JSONSchema

/// The effect of a change on a client of the older revision.
package enum ChangeEffect: Sendable {
    /// There is a correct client that fails.
    case breaks
    /// It depends on what the client does with it.
    case depends
    /// The documents do not tell whether a client can fail.
    case undecided
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

/// The comparison of two schemas: who sends a value by one of them and who reads it by the other.
enum TravelDirection: Hashable {
    /// The client sends by the older revision, the server reads by the newer one.
    case request
    /// The server sends by the newer revision, the client reads by the older one.
    case response
    /// Neither: the newer schema must accept no value that the older one refuses, from any sender.
    case subset
    /// Neither, where wider and narrower cannot be distinguished.
    case unclear
}

/// The change of the set of allowed values.
enum ValueShift {
    case widens
    case narrows
    case both
    /// Wider, by what a tolerant client does not notice.
    case widensSlightly
    /// Narrower, and wider by what a tolerant client does not notice.
    case bothSlightly
    /// Neither can be proved.
    case unknown

    /// A response may break a client when it is wider, a request when it is narrower.
    func effect(_ direction: TravelDirection) -> ChangeEffect {
        switch (direction, self) {
        case (.unclear, _), (_, .unknown): .undecided
        case (.response, .widensSlightly), (.response, .bothSlightly): .depends
        case (_, .both), (.response, .widens), (.request, .narrows), (.request, .bothSlightly): .breaks
        case (.subset, .narrows), (.response, .narrows), (.request, _): .safe
        case (.subset, _): .breaks
        }
    }
}

extension ValueShift {
    /// Compares what numbers must be multiples of.
    init(steps old: [JSONNumber], _ new: [JSONNumber]) {
        func implies(_ steps: [JSONNumber], _ others: [JSONNumber]) -> Bool {
            others.allSatisfy { other in steps.contains { $0.isMultiple(of: other) == true } }
        }
        self = implies(new, old) ? .narrows : implies(old, new) ? .widensSlightly : .bothSlightly
    }

    /// Compares the formats that texts must have.
    init(formats old: Set<String>, _ new: Set<String>) {
        let (removed, added) = (old.subtracting(new), new.subtracting(old))
        let areSingle = removed.count == 1 && added.count == 1
        if areSingle, let old = removed.first, let new = added.first, FormatChecker.isWider(new, than: old) {
            self = .widens
        } else if areSingle, let old = removed.first, let new = added.first, FormatChecker.isWider(old, than: new) {
            self = .narrows
        } else if !removed.union(added).allSatisfy({ FormatChecker.kinds(of: $0) != nil }) {
            // An undefined format requires nothing (JSON Schema 2020-12, validation, section 7.2.3).
            self = .unknown
        } else {
            self = removed.isEmpty ? .narrows : added.isEmpty ? .widens : .both
        }
    }
}
