import Basics
import JSON

/// The keys that say what a response offers to those who have parts or versions of it already, of a response and of
/// what every response has.
enum NegotiationKeys {
    static let etag = Key(
        "etag",
        .json(.choice([.boolean, .text(.name)])),
        """
        The source of the ETag for conditional requests: true for the body, or the name of a "find" result.
        """,
        otherwise: "`false`",
        example: "note"
    )
    static let ranges = Key(
        "ranges",
        .boolean,
        "If true, requests with Range receive a partial response (206).",
        otherwise: "`false`"
    )
    static let gzip = Key(
        "gzip",
        .boolean,
        "If true, the body is compressed with gzip for clients that accept it.",
        otherwise: "`false`"
    )
    static let all: [any FormatKey] = [etag, ranges, gzip]
}

/// The allowed requests of other origins (Fetch standard, "CORS protocol").
enum CrossOriginKeys: FormatObject {
    static let origins = Key(
        "origins",
        list: .list(of: .json(.text(.origin))),
        "The allowed origins.",
        otherwise: "all",
        example: ["https://app.example.com"]
    )
    static let headers = Key(
        "headers",
        list: .list(of: .json(.text(.fieldName))),
        "The allowed request header fields.",
        otherwise: "the fields that the preflight request lists",
        example: ["Authorization"]
    )
    static let expose = Key(
        "expose",
        list: .list(of: .json(.text(.fieldName))),
        "The response header fields that pages may read.",
        example: ["ETag", "Link"]
    )
    static let credentials = Key("credentials", .boolean, default: false, "If true, requests may include cookies.")
    static let maxAge = Key("maxAge", .duration, "The time for which browsers cache a preflight response.")

    static let shape = ObjectShape(
        "crossOrigin",
        "\"cors\"",
        "browser access for pages from other origins (CORS)",
        [origins, headers, expose, credentials, maxAge],
        discussion: """
            A preflight response for a known path lists the path's methods. Every backend response to a request with \
            `Origin` includes the CORS fields; so do guard responses, token refusals and responses to unknown paths. A \
            field that a response sets itself is kept. Unknown paths are still answered with 404.
            """
    )
}

// MARK: - Reading

extension ScenarioBuilder {
    /// An object's negotiation, merged over the inherited one.
    ///
    /// - Parameter isFoundKnown: whether it is known already what the route looks up; of a whole route it is not.
    mutating func negotiation(
        _ tree: JSONValue?,
        over base: Negotiation,
        isFoundKnown: Bool = true
    ) -> Negotiation {
        guard let tree else { return base }
        var negotiation = base
        if let etag = tree[NegotiationKeys.etag] {
            if let name = etag.string {
                if !isFoundKnown || expectFound(name, at: etag.position) { negotiation.validator = .found(name) }
            } else {
                negotiation.validator = etag.bool == true ? .body : nil
            }
        }
        negotiation.allowsRanges = tree[NegotiationKeys.ranges] ?? base.allowsRanges
        negotiation.allowsGzip = tree[NegotiationKeys.gzip] ?? base.allowsGzip
        return negotiation
    }

    mutating func crossOrigin() -> CrossOrigin? {
        guard let tree = root[ScenarioKeys.cors], tree.bool != false else { return nil }
        let origins = tree[CrossOriginKeys.origins]
        return CrossOrigin(
            origins: origins.isEmpty ? nil : origins.compactMap(\.string),
            headers: tree[CrossOriginKeys.headers].compactMap(\.string),
            exposed: tree[CrossOriginKeys.expose].compactMap(\.string),
            allowsCredentials: tree[CrossOriginKeys.credentials],
            maximumAge: tree[CrossOriginKeys.maxAge]
        )
    }
}
