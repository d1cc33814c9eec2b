import Basics
package import HTTPCodec
import JSON

/// The effect of an operation on the server's data, which decides whether it may be sent without being asked for.
package enum OperationEffect: String, Sendable, CaseIterable {
    /// It changes nothing, such as a search by POST.
    case read
    /// It creates or changes something.
    case write
    /// It takes something away that nothing brings back: an account, a session.
    case destroy

    /// The member of an operation object that documents the effect where the method does not tell it.
    package static let key = "x-backlot-effect"

    /// Reads the extension; a value that is not one of the three is taken for the most dangerous one.
    init(documented value: JSONValue) {
        self = value.string.flatMap(OperationEffect.init(rawValue:)) ?? .destroy
    }

    /// The effect of a method by its definition (RFC 9110, section 9.2.1).
    package init(of method: HTTPMethod) {
        switch method {
        case .get, .head, .options: self = .read
        case .delete: self = .destroy
        default: self = .write
        }
    }
}

extension Contract {
    /// The effect that the contract documents, else the method's.
    ///
    /// Servers answer HEAD by running what answers GET, so that a mark on GET counts for HEAD, too.
    package func effect(of operation: Operation) -> OperationEffect {
        if let documented = operation.documentedEffect { return documented }
        guard operation.method == .head else { return OperationEffect(of: operation.method) }
        let get = operations.first { $0.method == .get && $0.path.exact == operation.path.exact }
        return get?.documentedEffect ?? .read
    }
}
