import Basics
import OpenAPI

/// A value that the user gives a parameter, in all operations or in some: `id=7`, `GET /pets/{id}:id=7`.
package struct GivenParameter: Sendable, Hashable {
    package var name: String
    package var value: String
    /// The operations for which it is meant; `nil` for all.
    package var operations: OperationFilter?

    package init(_ name: String, _ value: String, in operations: OperationFilter? = nil) {
        (self.name, self.value, self.operations) = (name, value, operations)
    }

    /// Reads `limit=5` or `GET /pets/{id}:id=7`: the first equals sign separates, and before it the last colon where
    /// operations are named.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else { return nil }
        value = String(text[bytes.index(after: equals)...])
        let subject = text[..<equals]
        guard let colon = subject.utf8.lastIndex(of: UInt8(ascii: ":")),
            let operations = OperationFilter(String(subject[..<colon]))
        else {
            guard !subject.utf8.contains(UInt8(ascii: " ")), subject.utf8.first != UInt8(ascii: "/") else { return nil }
            name = String(subject)
            return
        }
        name = String(subject[subject.utf8.index(after: colon)...])
        self.operations = operations
        guard !name.isEmpty else { return nil }
    }

    /// Returns whether it is the value of a parameter of an operation.
    func fits(_ name: String, of operation: Operation) -> Bool {
        self.name.exact == name.exact && operations?.fits(operation) != false
    }
}

extension [GivenParameter] {
    /// The value for a parameter: one that names operations comes before one that does not, a later one before an
    /// earlier one.
    func value(of parameter: Parameter, in operation: Operation) -> String? {
        value(named: parameter.name, in: operation)
    }

    func value(named name: String, in operation: Operation) -> String? {
        let own = filter { $0.fits(name, of: operation) }
        return (own.last { $0.operations != nil } ?? own.last)?.value
    }
}
