import JSON

extension BacklotServer {
    /// A JSON value, written as literals: `["id": 1, "name": "Miez", "kind": .null]`.
    ///
    /// In stories a string may have placeholders, such as `"{{token.access}}"`.
    public struct JSON: Sendable {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        /// JSON's null.
        public static var null: JSON { JSON(JSONValue.null) }

        /// A value in the words of JSON.
        ///
        /// - Throws: ``StoryProblem`` with the line and the column where the text is not valid JSON.
        public init(text: String) throws {
            do {
                value = try JSONParser().parse(Array(text.utf8)).root
            } catch {
                throw StoryProblem("\(error.position): \(error.sentence)")
            }
        }

        /// A string that is not a literal.
        public init(_ text: String) { value = .string(text) }

        /// A whole number that is not a literal.
        public init(_ number: Int) { value = .number(JSONNumber(number)) }

        /// Objects and arrays of values that are not literals, in this order.
        public init(_ members: [(String, JSON)]) { value = .object(JSONObject(members.map { ($0, $1.value) })) }

        /// An array of values that are not literals.
        public init(_ elements: [JSON]) { value = .array(elements.map(\.value)) }
    }
}

extension BacklotServer.JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { value = .string(text) }

    /// A whole number.
    public init(integerLiteral number: Int) { value = .number(JSONNumber(number)) }

    /// A number; one that is not finite becomes null.
    public init(floatLiteral number: Double) { value = JSONValue(floatLiteral: number) }

    /// True or false.
    public init(booleanLiteral isTrue: Bool) { value = .bool(isTrue) }

    /// An array.
    public init(arrayLiteral elements: BacklotServer.JSON...) { self.init(elements) }

    /// An object, whose members keep their order; of equal names the last one counts.
    public init(dictionaryLiteral members: (String, BacklotServer.JSON)...) { self.init(members) }
}

extension BacklotServer.JSON: CustomStringConvertible {
    /// The compact text.
    public var description: String { value.text(.compact) }
}
