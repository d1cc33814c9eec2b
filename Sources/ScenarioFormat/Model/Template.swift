package import JSON

/// Text with placeholders, for header fields and bodies that are not JSON.
package struct TextTemplate: Sendable {
    package enum Part: Sendable {
        case literal(String)
        case placeholder(Placeholder)
    }

    package var parts: [Part]

    package init(parts: [Part]) {
        self.parts = parts
    }

    /// The text itself when it has no placeholder.
    package var constant: String? {
        switch parts.count {
        case 0: return ""
        case 1: if case .literal(let text) = parts[0] { return text }
        default: break
        }
        return nil
    }

    package var placeholders: [Placeholder] {
        parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }
}

/// JSON with placeholders, compiled to the bytes that never change and the places that do.
///
/// A string that is exactly one placeholder becomes the placeholder's value with its JSON type; inside a longer
/// string the value is written as text.
package struct ValueTemplate: Sendable {
    package enum Part: Sendable {
        /// JSON text, ready to be sent.
        case bytes([UInt8])
        /// A whole value.
        case value(Placeholder)
        /// Text inside a string whose quotes are in the surrounding bytes.
        case fragment(Placeholder)
    }

    package let parts: [Part]
    /// About how many bytes it makes.
    package let usualSize: Int

    package init(parts: [Part]) {
        self.parts = parts
        usualSize = parts.reduce(0) { size, part in
            if case .bytes(let bytes) = part { size + bytes.count } else { size + Self.usualValue }
        }
    }

    private static let usualValue = 32

    package var placeholders: [Placeholder] {
        parts.compactMap {
            switch $0 {
            case .bytes: nil
            case .value(let placeholder), .fragment(let placeholder): placeholder
            }
        }
    }
}

/// JSON with placeholders, kept as a tree, because what it makes is looked at again or may lack members.
///
/// A string that is exactly one placeholder becomes the placeholder's value with its JSON type; one that says
/// `?? omit` and has no value leaves its member or element out.
package indirect enum TreeTemplate: Sendable {
    case constant(JSONValue)
    case value(Placeholder)
    case text(TextTemplate)
    case array([TreeTemplate])
    case object([Member])

    /// A member whose value is made.
    package struct Member: Sendable {
        package var name: String
        package var value: TreeTemplate
    }

    package var placeholders: [Placeholder] {
        switch self {
        case .constant: []
        case .value(let placeholder): [placeholder]
        case .text(let template): template.placeholders
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        }
    }
}

extension TreeTemplate {
    /// The same with everything that may be left out in its place.
    package var complete: ValueTemplate {
        var parts: [ValueTemplate.Part] = []
        append(to: &parts)
        return ValueTemplate(parts: parts)
    }

    private func append(to parts: inout [ValueTemplate.Part]) {
        switch self {
        case .constant(let value): parts.append(.bytes(value.utf8(.compact)))
        case .value(let placeholder): parts.append(.value(placeholder))
        case .text(let template):
            parts.append(.bytes([UInt8(ascii: "\"")]))
            for part in template.parts {
                switch part {
                case .literal(let text):
                    parts.append(.bytes(Array(JSONValue.string(text).utf8(.compact).dropFirst().dropLast())))
                case .placeholder(let placeholder): parts.append(.fragment(placeholder))
                }
            }
            parts.append(.bytes([UInt8(ascii: "\"")]))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                parts.append(.bytes([UInt8(ascii: index == 0 ? "[" : ",")]))
                element.append(to: &parts)
            }
            parts.append(.bytes(Array((elements.isEmpty ? "[]" : "]").utf8)))
        case .object(let members):
            for (index, member) in members.enumerated() {
                let name = JSONValue.string(member.name).utf8(.compact)
                parts.append(.bytes([UInt8(ascii: index == 0 ? "{" : ",")] + name + [UInt8(ascii: ":")]))
                member.value.append(to: &parts)
            }
            parts.append(.bytes(Array((members.isEmpty ? "{}" : "}").utf8)))
        }
    }
}

/// A value that is filled in when a response is made: `{{request.query.page ?? 1}}`.
package struct Placeholder: Sendable {
    package var source: Source
    /// The default if the source has no value.
    package var fallback: JSONValue?
    /// A Boolean value that indicates whether its member or element is left out when the source has no value.
    package var mayBeOmitted = false
    /// The conversion of the value; one that cannot be converted counts as missing.
    package var conversion: Conversion?
    /// The expression as written, for messages.
    package var text: String

    package enum Source: Sendable {
        /// A JSON literal, for text that would otherwise be read as a placeholder.
        case constant(JSONValue)
        case method
        /// Scheme and authority as the client has reached the server.
        case base
        case target
        case path
        case pathParameter(String)
        case query(String)
        case header(String)
        /// The whole body, or a place in it when it is JSON.
        case body(JSONPointer?)
        case form(String)
        case part(String, PartAspect)
        case cookie(String)
        case basic(BasicPart)
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
        case deviceName
        case accountName
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
    }

    /// The requested aspect of a multipart part.
    package enum PartAspect: String, Sendable, CaseIterable {
        case text
        case filename
        case contentType
        case size
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
        switch source {
        case .query, .header, .form, .part, .cookie, .basic, .presented, .found, .foundAccountName, .proof:
            true
        case .body(let pointer): pointer != nil
        default: false
        }
    }
}
