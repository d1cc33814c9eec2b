package import JSONText

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
    /// Another request of the same route is being answered.
    case routeInFlight
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
    }

    /// What a value is compared with by size.
    package enum Bound: Sendable, Hashable {
        case number(JSONNumber)
        /// A text, compared code unit by code unit, as dates in one form can be.
        case text(String)
    }
}
