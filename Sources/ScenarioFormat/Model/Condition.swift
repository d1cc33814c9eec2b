package import JSON

/// The condition on a request and the session for a case or a guard to respond.
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
    case cookie(String, Matcher)
    /// A part of the credentials of the scheme Basic.
    case basic(BasicPart, Matcher)
    /// A token that the request carries, whether or not the route requires one.
    case token(TokenTest)
    case proof(ProofState)
    case device(Matcher)
    case account(Matcher)
    case state(String, [String])
    /// A Boolean value that indicates whether the route has found something under a name.
    case found(String, Bool)
    /// The condition on a value in the items found by a name.
    case foundValue(String, JSONPointer, Matcher)
    /// The conditions on the multipart parts of a name.
    case upload(String, UploadTest)
    /// Another request of the same route is being answered.
    case routeInFlight
    /// A number of other requests of the session are in progress, of any route.
    case inFlight(atLeast: Int)
}

/// The state of a request's proof of possession (RFC 9449, section 4.3).
package enum ProofState: String, Sendable, CaseIterable {
    case valid
    case missing
    case invalid
    /// Valid but for the server's nonce, which it lacks or has an old one of.
    case nonce
}

/// The conditions on a token that a request carries.
package struct TokenTest: Sendable {
    package var kind: String
    package var accepted: [TokenStanding]
    /// Where it travels, instead of the kind's own places.
    package var carriers: [TokenCarrier]?
    /// Its data, by JSON Pointer.
    package var facts: [(pointer: JSONPointer, matcher: Matcher)]
}

/// The conditions on every multipart part of one name.
package struct UploadTest: Sendable {
    package var count = CountRange(atLeast: 1, atMost: .max)
    /// The number of bytes that a part has.
    package var size: Matcher?
    package var filename: Matcher?
    /// Its media type.
    package var type: Matcher?

    package init() {}
}

/// The conditions on one value.
package indirect enum Matcher: Sendable {
    case all([Matcher])
    case not(Matcher)
    case equals(JSONValue)
    case oneOf([JSONValue])
    case exists(Bool)
    /// A part of a text, or an element of an array; an object matches every element that has its members.
    case contains(JSONValue)
    case startsWith(String)
    case endsWith(String)
    case atLeast(Bound)
    case atMost(Bound)
    case matches(TextPattern)
    case date(DateForm)
    /// The number of Unicode scalars of a text, or of elements of an array.
    case length(CountRange)
    /// One of these kinds of JSON value.
    case type([TypeName])
    /// The condition on every element of an array.
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

    /// The bound that a value is compared with.
    package enum Bound: Sendable, Hashable {
        case number(JSONNumber)
        /// A text, compared code unit by code unit, as dates in one form can be.
        case text(String)
    }
}

/// Which items of a collection are meant, and how a reader sees them.
package struct Selection: Sendable {
    /// The visible members of an item.
    package enum View: Sendable {
        case everything
        /// These members, in this order.
        case members([String])
        /// The value in this place, instead of the item.
        case value(JSONPointer)
    }

    package var collection: String
    /// A Boolean value that indicates whether the first item that fits is meant, instead of all.
    package var isSingle: Bool
    /// The conditions on the stored item.
    package var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
    /// The condition on the request for an item to be selected; it may refer to the item.
    package var requestCondition: Condition?
    /// The value that items are ordered by; in the order of their making if `nil`.
    package var order: JSONPointer?
    package var isDescending = false
    package var view = View.everything
    /// The account whose copy is used; the caller's if `nil`.
    package var account: TextTemplate?
    package var page: Page?
    /// The numbers that are added up.
    package var sum: JSONPointer?
    package var position: JSONPosition
}

/// A part of a long list, as a request asks for it.
package struct Page: Sendable {
    package enum Start: Sendable {
        /// The cursor is the value of the last item of the page before.
        case after(Cursor)
        /// The cursor is the value of the first item of the page.
        case from(Cursor)
        /// The number of the page, and that of the first one.
        case number(TreeTemplate, first: Int)
        /// The number of items that come before the page.
        case offset(TreeTemplate)
    }

    /// The cursor of a request to continue in a list.
    package struct Cursor: Sendable {
        package var sent: TreeTemplate
        /// The pointer to the cursor value in an item.
        package var pointer: JSONPointer
        /// Cursors that mean the beginning of the list.
        package var starts: [JSONValue]
        /// The value of the next cursor on the last page.
        package var end: JSONValue
    }

    package var start: Start
    /// The number of items that a page has; other values than a whole number above zero mean all.
    package var limit: TreeTemplate
    /// The maximum, even if more are requested.
    package var maximum: Int?
}

/// A selection that a route makes before its cases are looked at, under the name by which they speak of it.
package struct Find: Sendable {
    package var name: String
    package var selection: Selection
}
