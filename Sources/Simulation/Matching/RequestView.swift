import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// A request as conditions and placeholders look at it: each part is read when it is first asked for.
struct RequestView {
    let request: HTTPRequest
    var parameters: [(name: String, value: String)] = []

    /// A Boolean value that indicates whether the body may be read: its content codings were undone, and it is not too
    /// large.
    var hasReadableBody = true

    private var queryItems: QueryItems?
    /// The body as JSON; `nil` before the first use.
    private var parsedBody: Result<JSONDocument, JSONSyntaxError>?
    /// A Boolean value that indicates whether the route has read the body as JSON.
    private var hasAskedForJSON = false
    private var formItems: QueryItems?
    private var cookies: Cookies?
    private var multipart: MultipartForm?
    /// The reason why the parts of a body cannot be read that claims to have some; `nil` before the first look.
    private(set) var multipartError: MultipartError?

    init(_ request: HTTPRequest) {
        self.request = request
    }

    var mediaType: MediaType? {
        request.fields["content-type"].flatMap { MediaType(parsing: $0) }
    }

    // MARK: Parts

    /// The value of a part; `nil` if the request lacks it, or if only the session knows it.
    mutating func value(of part: RequestPart) -> JSONValue? {
        switch part {
        case .method: .string(request.method.rawValue)
        case .pathParameter(let name): parameter(name).map(JSONValue.string)
        case .header(let name): request.fields[name].map(JSONValue.string)
        case .query(let name): query(name).map(JSONValue.string)
        case .body(let pointer): json().flatMap { pointer.value(in: $0.root) }
        case .form(let name): form(name).map(JSONValue.string)
        case .parameter(let name): parameter(inFormOrQuery: name).map(JSONValue.string)
        case .part(let name, let aspect): self.part(name).flatMap { $0.value(of: aspect) }
        case .cookie(let name): readCookies().first(named: name).map(JSONValue.string)
        case .basic(let part): basic(part).map(JSONValue.string)
        case .device, .account: nil
        }
    }

    /// Returns the number of occurrences of a part that can be repeated; at most 1 for any other part.
    mutating func count(of part: RequestPart) -> Int {
        switch part {
        case .header(let name): request.fields.count(of: name)
        case .query(let name): queryCount(name)
        case .form(let name): formCount(name)
        default: 1
        }
    }

    /// Returns whether the request contains something in the place of a part, but not the part.
    mutating func hasBroken(_ part: RequestPart) -> Bool {
        switch part {
        case .cookie: !readCookies().broken.isEmpty
        case .basic: request.fields["Authorization"].map { !$0.isEmpty } ?? false
        default: false
        }
    }

    // MARK: Reading

    /// Reads the query, so that copies need not.
    mutating func readQuery() {
        if queryItems == nil { queryItems = QueryItems(parsing: request.query ?? "") }
    }

    mutating func query(_ name: String) -> String? {
        readQuery()
        return queryItems?.first(named: name)
    }

    /// Returns the number of occurrences of a query parameter.
    mutating func queryCount(_ name: String) -> Int {
        readQuery()
        return queryItems?.items.count { $0.name.exact == name.exact } ?? 0
    }

    /// Returns the number of occurrences of a form field.
    mutating func formCount(_ name: String) -> Int {
        _ = form(name)
        return formItems?.items.count { $0.name.exact == name.exact } ?? 0
    }

    /// A Boolean value that indicates whether the body was read as JSON already, or says of itself that it is.
    var hasJSON: Bool {
        hasReadableBody && (parsedBody != nil || (!request.body.isEmpty && mediaType?.isJSON == true))
    }

    /// The body as JSON.
    ///
    /// A body of any media type is tried as JSON, because many clients omit the type.
    mutating func json() -> JSONDocument? {
        guard hasReadableBody else { return nil }
        hasAskedForJSON = true
        let body = request.body
        let parsed =
            parsedBody
            ?? Result { () throws(JSONSyntaxError) in try JSONParser(duplicateNames: .lastWins).parse(body) }
        parsedBody = parsed
        return try? parsed.get()
    }

    /// Begins to look at the request for its route; what guards and tokens have read does not count.
    mutating func beginRoute() {
        hasAskedForJSON = false
    }

    /// The reason why a body that says that it is JSON, and that the route has read as JSON, is not JSON; `nil` otherwise.
    var jsonProblem: JSONSyntaxError? {
        guard hasAskedForJSON, case .failure(let error) = parsedBody, hasOwnJSONType, !request.body.isEmpty else {
            return nil
        }
        return error
    }

    private var hasOwnJSONType: Bool { mediaType?.isJSON == true }

    /// The whole body as a value: JSON where it is JSON, else its text; `nil` if missing.
    mutating func wholeBody() -> JSONValue? {
        if let document = json() { return document.root }
        return request.body.isEmpty ? nil : .string(String(decoding: request.body, as: UTF8.self))
    }

    mutating func form(_ name: String) -> String? {
        if formItems == nil {
            let isForm = mediaType?.essence == "application/x-www-form-urlencoded"
            formItems = isForm ? QueryItems(parsingForm: request.body) : QueryItems()
        }
        return formItems?.first(named: name)
    }

    /// A form field, or the query item of that name; an empty one counts as missing (RFC 6749, section 3.1).
    mutating func parameter(inFormOrQuery name: String) -> String? {
        if let field = form(name), !field.isEmpty { return field }
        return query(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns whether one of the parameters occurs more than once in the query and the form together.
    mutating func repeats(oneOf names: [String]) -> Bool {
        for name in names where queryCount(name) + formCount(name) > 1 { return true }
        return false
    }

    /// Returns whether the query has no other names.
    mutating func hasOnly(_ names: [String]) -> Bool {
        readQuery()
        return queryItems?.items.allSatisfy { item in names.contains { $0.exact == item.name.exact } } ?? true
    }

    mutating func readCookies() -> Cookies {
        if let cookies { return cookies }
        let read = Cookies(of: request.fields)
        cookies = read
        return read
    }

    /// A part of the credentials of the scheme Basic; `nil` if the request has no such credentials, or if it has several
    /// fields, of which none takes precedence (RFC 9110, section 5.3).
    func basic(_ part: BasicPart) -> String? {
        guard request.fields.count(of: "Authorization") == 1,
            let credentials = request.fields["Authorization"].flatMap({ BasicCredentials(field: $0) })
        else {
            return nil
        }
        return switch part {
        case .user: credentials.user
        case .password: credentials.password
        case .credentials: "\(credentials.user):\(credentials.password)"
        }
    }

    mutating func part(_ name: String) -> MultipartForm.Part? {
        if multipart == nil, multipartError == nil, let type = request.fields["content-type"] {
            do {
                multipart = try MultipartForm(parsing: request.body, contentType: type)
            } catch {
                multipartError = error
            }
        }
        return multipart?.first(named: name)
    }

    /// Every part of a name, in their order.
    mutating func parts(_ name: String) -> [MultipartForm.Part] {
        _ = part(name)
        return multipart?.all(named: name) ?? []
    }

    func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

extension MultipartForm.Part {
    /// The value of an aspect; by default, the file name, otherwise the text.
    fileprivate func value(of aspect: RequestPart.PartAspect?) -> JSONValue? {
        switch aspect {
        case nil: .string(filename ?? String(decoding: body, as: UTF8.self))
        case .text: .string(String(decoding: body, as: UTF8.self))
        case .filename: filename.map(JSONValue.string)
        case .contentType: contentType.map(JSONValue.string)
        case .size: .number(JSONNumber(body.count))
        }
    }
}
