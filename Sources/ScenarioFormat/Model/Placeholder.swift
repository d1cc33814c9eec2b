package import JSON

/// A value that is filled in when a response is made: `{{request.query.page ?? 1}}`.
package struct Placeholder: Sendable {
    package var source: Source
    /// What stands in when the source has no value.
    package var fallback: JSONValue?
    /// Whether its member or element is left out when the source has no value.
    package var mayBeOmitted = false
    /// What the value is turned into; one that cannot be turned counts as missing.
    package var conversion: Conversion?
    /// The expression as written, for messages.
    package var text: String

    package enum Source: Sendable {
        /// A JSON literal, for text that would otherwise be read as a placeholder.
        case constant(JSONValue)
        case method
        case target
        case path
        case pathParameter(String)
        case query(String)
        case header(String)
        /// The whole body, or a place in it when it is JSON.
        case body(JSONPointer?)
        case form(String)
        case part(String, PartAspect)
        case token(kind: String, TokenAspect)
        case clock(ClockFormat, offset: Duration)
        /// Counts on, and gives the new number.
        case counter(String)
        /// The number without counting on.
        case currentCounter(String)
        case randomInteger(ClosedRange<Int>)
        case randomHex(Int)
        case randomChoice([JSONValue])
        case uuid
        case deviceName
        case accountName
        case accountData(JSONPointer)
        case state(String)
        case sessionName
        case exchangeNumber
        /// The base URL of another server of the story.
        case originURL(String)
        /// What the route has found under a name, or a place in it.
        case found(String, JSONPointer)
        /// The name of the account that the route has found under a name.
        case foundAccountName(String)
        /// A place in the item that a selection or an embed is about.
        case item(JSONPointer)
        /// The part that is being kept as a file.
        case uploadedPart(UploadAspect)
        /// A place in the element for which a change is made.
        case element(JSONPointer)
    }

    /// What of a multipart part is wanted.
    package enum PartAspect: String, Sendable, CaseIterable {
        case text
        case filename
        case contentType
        case size
    }

    /// What of an uploaded part is wanted.
    package enum UploadAspect: String, Sendable, CaseIterable {
        case filename
        /// The file's name without its extension.
        case name
        case type
        /// What follows the last dot of the file's name, else what is usual for the type.
        case `extension`
    }

    /// A kind of JSON value that another kind can be written as.
    package enum Conversion: Sendable, Hashable {
        case number
        case text
        case boolean
        /// An array of what follows this prefix in a text, each up to white space or the next prefix.
        case words(prefix: String)
    }

    /// What of a token is wanted.
    package enum TokenAspect: String, Sendable, CaseIterable {
        case value
        case id
        /// Whole seconds of its lifetime.
        case lifetime
        /// Seconds since 1970.
        case issuedAt
        case expiresAt
    }

    /// How a moment is written.
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
    /// Whether a request can lack the value, so that a response without a fallback cannot be made for it.
    package var dependsOnRequest: Bool {
        switch source {
        case .query, .header, .form, .part, .found, .foundAccountName: true
        case .body(let pointer): pointer != nil
        default: false
        }
    }
}
