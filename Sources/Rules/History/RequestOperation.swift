import Basics
import HTTPCodec
import JSON

/// The operation of a request where every request has the same path: of GraphQL, or a method of JSON-RPC.
///
/// Sources: GraphQL over HTTP, section 4.2.1 (`query`, `operationName`); JSON-RPC 2.0, section 4.
struct RequestOperation: Hashable {
    private var name: ExactText
    /// A Boolean value that indicates whether it is a query of GraphQL, which changes nothing.
    private(set) var isQuery: Bool

    /// The greatest size of a body that is searched for an operation, in bytes.
    private static let longest = 256 << 10

    init?(of request: HTTPRequest) {
        guard !request.body.isEmpty, request.body.count <= Self.longest,
            let type = request.fields["Content-Type"].flatMap({ MediaType(parsing: $0) }),
            type.isJSON || type.essence == "application/graphql",
            let object = (try? JSONParser().parse(request.body))?.root.object
        else { return nil }
        let document = object["query"]?.string
        if let name = object["operationName"]?.string ?? document {
            self.name = name.exact
            isQuery = document.map { Self.isQuery($0) } ?? false
        } else if object["jsonrpc"] != nil, let name = object["method"]?.string {
            self.name = name.exact
            isQuery = false
        } else {
            return nil
        }
    }

    /// Returns whether a document is a query: by its keyword, or in the short form without one.
    private static func isQuery(_ document: String) -> Bool {
        let text = document.utf8.drop { $0 <= 0x20 }
        return text.first == UInt8(ascii: "{") || text.starts(with: "query".utf8)
    }
}
