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
    /// What a value must be like in what the route has found under a name.
    case foundValue(String, JSONPointer, Matcher)
    /// What the multipart parts of a name must be like.
    case upload(String, UploadTest)
    /// Another request of the same route is being answered.
    case routeInFlight
    /// So many other requests of the session are being answered, of whatever route.
    case inFlight(atLeast: Int)
}

/// What a request's proof of possession is (RFC 9449, section 4.3).
package enum ProofState: String, Sendable, CaseIterable {
    case valid
    case missing
    case invalid
    /// Valid but for the server's nonce, which it lacks or has an old one of.
    case nonce
}

/// What a token of a kind must be like that a request carries.
package struct TokenTest: Sendable {
    package var kind: String
    package var accepted: [TokenStanding]
    /// Where it travels, instead of the kind's own places.
    package var carriers: [TokenCarrier]?
    /// What is known of it, by JSON Pointer.
    package var facts: [(pointer: JSONPointer, matcher: Matcher)]
}

/// What the multipart parts of one name must be like, every one of them.
package struct UploadTest: Sendable {
    package var count = CountRange(atLeast: 1, atMost: .max)
    /// The number of bytes that a part has.
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
    /// The number of Unicode scalars of a text, or of elements of an array.
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

/// Which items of a collection are meant, and how a reader sees them.
package struct Selection: Sendable {
    /// What of an item a reader sees.
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
    /// What an item must be like as it is stored.
    package var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
    /// What the request must be like for an item to be meant; it may speak of the item.
    package var requestCondition: Condition?
    /// The value that items are ordered by; in the order of their making if `nil`.
    package var order: JSONPointer?
    package var isDescending = false
    package var view = View.everything
    /// Whose copy of the collection; the caller's if `nil`.
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

    /// What a request sends to go on in a list.
    package struct Cursor: Sendable {
        package var sent: TreeTemplate
        /// The pointer to the cursor value in an item.
        package var pointer: JSONPointer
        /// Cursors that mean the beginning of the list.
        package var starts: [JSONValue]
        /// What stands for the next cursor when nothing follows.
        package var end: JSONValue
    }

    package var start: Start
    /// The number of items that a page has; what is no whole number above zero means all.
    package var limit: TreeTemplate
    /// How many it has at most, whatever is asked for.
    package var maximum: Int?
}

/// A selection that a route makes before its cases are looked at, under the name by which they speak of it.
package struct Find: Sendable {
    package var name: String
    package var selection: Selection
}
