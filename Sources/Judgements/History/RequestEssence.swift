import HTTPWire
import JSONText
import Simulation

/// What a request asks for, without what differs when the same thing is asked for again.
///
/// Tokens are left out wherever they travel, and so are the order of names in JSON, of items in a query, and the
/// boundary between the parts of a form.
struct RequestEssence: Hashable {
    private enum Body: Hashable {
        case json(JSONValue)
        case form([QueryItems.Item])
        case parts(MultipartForm)
        case bytes([UInt8])
    }

    private var origin: String?
    private var method: HTTPMethod
    private var path: ExactText
    private var query: [QueryItems.Item]
    /// The part of a file that is sent.
    private var range: String?
    private var body: Body

    init(_ exchange: Exchange, _ ledger: TokenLedger) {
        let request = exchange.request
        origin = exchange.origin
        method = request.method
        path = ExactText(request.path)
        query = request.query.map { Self.items(of: QueryItems(parsing: $0), ledger) } ?? []
        range = request.fields["Content-Range"] ?? request.fields["Upload-Offset"]
        body = Self.body(of: request, ledger)
    }

    /// Whether another request asks for something else of the same thing.
    func isAbout(sameAs other: RequestEssence) -> Bool { path == other.path && origin == other.origin }

    /// Whether another request does something else with it, or asks without the query.
    func differsInKind(from other: RequestEssence) -> Bool {
        method != other.method || query.isEmpty != other.query.isEmpty
    }

    private static func items(of query: QueryItems, _ ledger: TokenLedger) -> [QueryItems.Item] {
        query.items
            .filter { ledger.token(value: $0.value) == nil }
            .sorted { left, right in
                let (one, other) = (left.name.utf8, right.name.utf8)
                if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
                return left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            }
    }

    private static func body(of request: HTTPRequest, _ ledger: TokenLedger) -> Body {
        guard !request.body.isEmpty, let text = request.fields["Content-Type"], let type = MediaType(parsing: text)
        else {
            return .bytes(request.body)
        }
        if type.isJSON, let root = (try? JSONParser().parse(request.body))?.root {
            guard let object = root.object else { return .json(root) }
            let members = object.members.filter { $0.value.string.flatMap { ledger.token(value: $0) } == nil }
            return .json(.object(JSONObject(members)))
        }
        if type.essence == "application/x-www-form-urlencoded" {
            return .form(items(of: QueryItems(parsingForm: request.body), ledger))
        }
        if type.type == "multipart", let form = try? MultipartForm(parsing: request.body, contentType: text) {
            return .parts(form)
        }
        return .bytes(request.body)
    }
}
