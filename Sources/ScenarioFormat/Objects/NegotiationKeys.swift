import Basics
import JSON

/// The keys that say what a response offers to those who have parts or versions of it already, of a response and of
/// what every response has.
enum NegotiationKeys {
    static let etag = Key(
        "etag",
        .json(.choice([.boolean, .text(.name)])),
        """
        Its ETag, with which conditional requests are compared: true for one of the body, a name for one of what was \
        found.
        """,
        otherwise: "`false`",
        example: "note"
    )
    static let ranges = Key(
        "ranges",
        .boolean,
        "Whether a part is sent for Range, with 206.",
        otherwise: "`false`"
    )
    static let gzip = Key(
        "gzip",
        .boolean,
        "Whether the body is sent as gzip to clients that accept it.",
        otherwise: "`false`"
    )
    static let all: [any FormatKey] = [etag, ranges, gzip]
}

/// Whether and from where requests of other origins are allowed (Fetch standard, "CORS protocol").
enum CrossOriginKeys: FormatObject {
    static let origins = Key(
        "origins",
        list: .list(of: .json(.text(.filled))),
        "The origins whose pages may ask.",
        otherwise: "all of them",
        example: ["https://app.example.com"]
    )
    static let headers = Key(
        "headers",
        list: .list(of: .json(.text(.fieldName))),
        "The header fields that they may send.",
        otherwise: "those that a preflight asks for",
        example: ["Authorization"]
    )
    static let expose = Key(
        "expose",
        list: .list(of: .json(.text(.fieldName))),
        "The header fields of responses that they may read.",
        example: ["ETag", "Link"]
    )
    static let credentials = Key("credentials", .boolean, default: false, "Whether cookies are sent along.")
    static let maxAge = Key("maxAge", .duration, "How long browsers keep the response to a preflight.")

    static let shape = ObjectShape(
        "crossOrigin",
        "\"cors\"",
        "whose pages may ask, for browsers",
        [origins, headers, expose, credentials, maxAge],
        discussion: """
            A preflight for a known path is answered with the methods of that path. Every response of the backend to a \
            request with `Origin` has the fields, those of guards, refusals and unknown paths too; a field that a \
            response has itself stays as it is. Paths that are not known stay 404.
            """
    )
}

// MARK: - Reading

extension ScenarioBuilder {
    /// What an object says about its negotiation, over what held before.
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
        for origin in origins where origin.string.map(Self.isOrigin) == false {
            report(
                "scenario/bad-value",
                "\"\((origin.string ?? "").shortened)\" is not an origin: scheme, host and perhaps a port, and no path",
                at: origin.position,
                advice: "write it as \"https://app.example.com\", or leave \"origins\" out for all"
            )
        }
        return CrossOrigin(
            origins: origins.isEmpty ? nil : origins.compactMap(\.string),
            headers: tree[CrossOriginKeys.headers].compactMap(\.string),
            exposed: tree[CrossOriginKeys.expose].compactMap(\.string),
            allowsCredentials: tree[CrossOriginKeys.credentials],
            maximumAge: tree[CrossOriginKeys.maxAge]
        )
    }

    private static func isOrigin(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text == "null" || parts.count == 3 && parts[0].hasSuffix(":") && parts[1].isEmpty && !parts[2].isEmpty
    }
}
