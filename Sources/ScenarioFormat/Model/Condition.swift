package import JSON

/// What a request and the session must be like for a case or a guard to answer.
package indirect enum Condition: Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case method(Matcher)
    case pathParameter(String, Matcher)
    case header(String, Matcher)
    case query(String, Matcher)
    case body(JSONPointer, Matcher)
    case form(String, Matcher)
    case part(String, Matcher)
    case device(Matcher)
    case account(Matcher)
    case state(String, [String])
    /// Whether the route has found something under a name.
    case found(String, Bool)
    /// What a value must be like in what the route has found under a name.
    case foundValue(String, JSONPointer, Matcher)
    /// What the multipart parts of a name must be like.
    case upload(String, UploadTest)
    /// Another request of the same route is being answered.
    case routeInFlight
    /// So many other requests of the session are being answered, of whatever route.
    case inFlight(atLeast: Int)
}

/// What the multipart parts of one name must be like, every one of them.
package struct UploadTest: Sendable {
    package var count = CountRange(atLeast: 1, atMost: .max)
    /// How many bytes a part has.
    package var size: Matcher?
    package var filename: Matcher?
    /// Its media type.
    package var type: Matcher?

    package init() {}
}

/// What one value must be like.
package indirect enum Matcher: Sendable {
    case all([Matcher])
    case not(Matcher)
    case equals(JSONValue)
    case oneOf([JSONValue])
    case exists(Bool)
    /// A part of a text, or an element of an array; an object stands for every element that has its members.
    case contains(JSONValue)
    case startsWith(String)
    case endsWith(String)
    case atLeast(Bound)
    case atMost(Bound)
    case matches(TextPattern)
    case date(DateForm)
    /// How many Unicode scalars a text has, or elements an array.
    case length(CountRange)
    /// One of these kinds of JSON value.
    case type([TypeName])
    /// What every element of an array must be like.
    case each(Matcher)
    /// One of the others, with an operand that is made when it is needed.
    case made(Relation, TreeTemplate)

    /// A value's relation to the operand of a matcher.
    package enum Relation: String, Sendable, CaseIterable {
        case equals
        case oneOf
        case contains
        case startsWith
        case endsWith
        case atLeast
        case atMost
        case length
    }

    /// The kinds of JSON value, as JSON Schema calls them.
    package enum TypeName: String, Sendable, CaseIterable {
        case string, number, integer, boolean, array, object, null
    }

    /// What a value is compared with by size.
    package enum Bound: Sendable, Hashable {
        case number(JSONNumber)
        /// A text, compared code unit by code unit, as dates in one form can be.
        case text(String)
    }
}
