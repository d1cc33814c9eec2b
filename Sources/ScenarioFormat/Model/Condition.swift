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
    case contains(String)
    case startsWith(String)
    case endsWith(String)
    case atLeast(JSONNumber)
    case atMost(JSONNumber)
    case matches(TextPattern)
    case date(DateForm)
    /// How many Unicode scalars a text has, or elements an array.
    case length(CountRange)
}
