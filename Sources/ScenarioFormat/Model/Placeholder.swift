package import JSON

/// A value that is filled in when a response is made: `{{request.query.page ?? 1}}`.
///
/// A class, because each response passes on those of its template; it never changes.
package final class Placeholder: Sendable {
    package let source: Source
    /// The sources of the value if the first one has none, in this order.
    package let alternatives: [(source: Source, conversion: Conversion?)]
    /// The default if no source has a value.
    package let fallback: JSONValue?
    /// A Boolean value that indicates whether its member or element is left out when no source has a value.
    package let mayBeOmitted: Bool
    /// The conversion of the value; one that cannot be converted counts as missing.
    package let conversion: Conversion?
    /// The expression as written, for messages.
    package let text: String

    package init(
        source: Source,
        alternatives: [(source: Source, conversion: Conversion?)] = [],
        fallback: JSONValue? = nil,
        mayBeOmitted: Bool = false,
        conversion: Conversion? = nil,
        text: String
    ) {
        (self.source, self.alternatives, self.conversion) = (source, alternatives, conversion)
        (self.fallback, self.mayBeOmitted, self.text) = (fallback, mayBeOmitted, text)
    }

    package enum Source: Sendable {
        /// A JSON literal, for text that would otherwise be read as a placeholder.
        case constant(JSONValue)
        case request(RequestPart)
        /// Scheme and authority as the client has reached the server.
        case base
        case target
        case path
        /// The body, as a value if it is JSON and as text otherwise.
        case wholeBody
        /// A place in the data of a token that the request carries.
        case presented(kind: String, JSONPointer)
        case token(kind: String, TokenAspect)
        /// A place in the data of the token whose claims are made.
        case issued(JSONPointer)
        /// The public keys that tokens are verified with, as a document.
        case keySet
        case proof(ProofAspect)
        case clock(ClockFormat, offset: Duration)
        /// Counts on, and gives the new number.
        case counter(String)
        /// The number without counting on.
        case currentCounter(String)
        case randomInteger(ClosedRange<Int>)
        case randomHex(Int)
        case randomChoice([JSONValue])
        case uuid
        case accountData(JSONPointer)
        case state(String)
        case sessionName
        case exchangeNumber
        /// The base URL of another server of the story.
        case originURL(String)
        /// The items that the route found by a name, or a place in them.
        case found(String, JSONPointer)
        /// The name of the account that the route has found under a name.
        case foundAccountName(String)
        /// A place in the item that a selection or an embed is about.
        case item(JSONPointer)
        /// The part that is being kept as a file.
        case uploadedPart(UploadAspect)
        /// A place in the element for which a change is made.
        case element(JSONPointer)
        case rate(RateAspect)
        case arithmetic(Arithmetic)
    }

    /// The requested aspect of the limit on a route's requests.
    package enum RateAspect: String, Sendable, CaseIterable {
        /// The number of requests in a window.
        case limit
        /// The number of further requests in the window.
        case remaining
        /// Seconds until the window ends, rounded up.
        case reset
    }

    /// The requested aspect of an uploaded part.
    package enum UploadAspect: String, Sendable, CaseIterable {
        case filename
        /// The file's name without its extension.
        case name
        case type
        /// The extension of the file's name, otherwise the usual one of its type.
        case `extension`
    }

    /// A kind of JSON value that another kind can be written as.
    package enum Conversion: Sendable, Hashable {
        case number
        case text
        case boolean
        /// A text in which everything is percent-encoded but unreserved characters (RFC 3986, section 2.3).
        case encoded
        /// The challenge of a code_verifier by the method S256 (RFC 7636, section 4.2).
        case s256
        /// An array of what follows this prefix in a text, each up to white space or the next prefix.
        case words(prefix: String)
        /// An array of the texts between the single spaces of a text.
        case spacedWords
        /// The text that was encoded as in a form (RFC 6749, appendix B).
        case decoded
        /// The URI and the `?` or `&` after which parameters are added to it.
        case prefix
        /// An `&`, this name, `=` and the percent-encoded text.
        case pair(name: String)
        /// The loopback URI without its port (RFC 8252, section 7.3); other URIs cannot be converted.
        case loopback
        /// The ASCII letters and digits of a text, in lower case (RFC 8628, section 6.1).
        case alphanumeric
    }

    /// The requested aspect of a token.
    package enum TokenAspect: String, Sendable, CaseIterable {
        case value
        case id
        /// Whole seconds of its lifetime.
        case lifetime
        /// Seconds since 1970.
        case issuedAt
        case expiresAt
    }

    /// The requested aspect of a proof of possession; without a valid proof, only the nonce and the problem exist.
    package enum ProofAspect: String, Sendable, CaseIterable {
        /// The thumbprint of the client's key.
        case jkt
        /// The same as the claim `cnf` has it (RFC 9449, section 6.1).
        case cnf
        /// The word "DPoP".
        case scheme
        /// The nonce for the next proof, if the backend requires one.
        case nonce
        /// The reason why the proof is refused.
        case problem
    }

    /// The format of a timestamp.
    package enum ClockFormat: Sendable {
        /// RFC 3339 in UTC.
        case timestamp
        /// Whole seconds since 1970.
        case seconds
        case milliseconds
        /// IMF-fixdate (RFC 9110, section 5.6.7).
        case http
        /// Unicode date pattern letters (`yyyy-MM-dd HH:mm`), with an offset from UTC in seconds.
        case pattern(DatePattern, zone: Int)
    }
}

extension Placeholder {
    /// A Boolean value that indicates whether a request can lack the value, so that a response without a fallback
    /// cannot be made for it.
    package var dependsOnRequest: Bool {
        ([source] + alternatives.map(\.source)).allSatisfy { source in
            switch source {
            case .request(let part): !part.isAlwaysThere && !part.isOfCaller
            case .presented, .found, .foundAccountName, .proof: true
            case .arithmetic(let computation): computation.placeholders.contains(where: \.dependsOnRequest)
            default: false
            }
        }
    }

    /// The source and its alternatives; in place of a computation, the sources of its values.
    package var sources: [Source] {
        ([source] + alternatives.map(\.source)).flatMap { source in
            if case .arithmetic(let computation) = source {
                computation.placeholders.flatMap(\.sources)
            } else {
                [source]
            }
        }
    }
}
