import Basics
package import JSON

/// A part of a request that a condition tests, a placeholder inserts or a token travels in.
///
/// `RequestView.value(of:)` in `Simulation` reads it.
package enum RequestPart: Sendable, Hashable {
    case method
    case pathParameter(String)
    case header(String)
    case query(String)
    /// A value in the JSON body.
    case body(JSONPointer)
    /// A field of a form-urlencoded body, as OAuth 2 sends them (RFC 6749, appendix B).
    case form(String)
    /// A form field, or the query item of that name if the form lacks the field; neither may be empty.
    case parameter(String)
    /// An aspect of a multipart part; by default, its file name, otherwise its text.
    case part(String, PartAspect? = nil)
    /// A cookie (RFC 6265, section 4.2).
    case cookie(String)
    /// A part of the credentials of the scheme Basic (RFC 7617, section 2).
    case basic(BasicPart)
    /// The name of the device that sent the request.
    case device
    /// The name of the caller's account.
    case account

    /// The aspect of a multipart part.
    package enum PartAspect: String, Sendable, CaseIterable {
        case text
        case filename
        case contentType
        case size
    }

    /// A Boolean value that indicates whether every request of a route has the part.
    package var isAlwaysThere: Bool {
        switch self {
        case .method, .pathParameter: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the session finds the part out, by the request's tokens among others.
    package var isOfCaller: Bool { self == .device || self == .account }

    /// The words for the part in messages: `query item page`.
    package var words: String {
        switch self {
        case .method: "method"
        case .pathParameter(let name): "path parameter \(name.printable)"
        case .header(let name): "header \(name.printable)"
        case .query(let name): "query item \(name.printable)"
        case .body(let pointer): "body \(pointer.description.printable)"
        case .form(let name): "form field \(name.printable)"
        case .parameter(let name): "parameter \(name.printable)"
        case .part(let name, _): "part \(name.printable)"
        case .cookie(let name): "cookie \(name.printable)"
        case .basic(let part): "Basic \(part.rawValue)"
        case .device: "device"
        case .account: "account"
        }
    }
}

/// A part of the credentials that a request carries with the scheme Basic.
package enum BasicPart: String, Sendable, CaseIterable {
    case user
    case password
    /// Both, with a colon between them.
    case credentials
}
