import JSON
import ScenarioFormat

extension BacklotServer {
    /// A route's response in a scenario written in Swift.
    public struct Response: Sendable {
        private(set) var draft: DraftRoute

        private init(_ status: Int, _ body: DraftKeys.Route, _ value: JSONValue, _ fields: [String: String]) {
            let sorted = fields.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
            draft = [
                .status: .number(status), body: value, .headers: sorted.isEmpty ? nil : .object(JSONObject(sorted)),
            ]
        }

        /// Creates a response with a JSON body, whose strings can contain placeholders such as `"{{token.access}}"`.
        public static func json(_ body: JSON, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, .json, body.value, headers)
        }

        /// Creates a response with a text body, which can contain placeholders.
        public static func text(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, .text, .string(body), headers)
        }

        /// Creates a response whose body is the content of a JSON file; the file path is relative to the test's folder.
        public static func fixture(_ path: String, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, .fixture, .string(path), headers)
        }

        /// Creates a response without a body.
        public static func empty(status: Int = 204, headers: [String: String] = [:]) -> Response {
            Response(status, .empty, true, headers)
        }

        /// Returns this response with a latency.
        ///
        /// - Parameter clock: The clock that measures the latency: real time or the server's clock.
        public func after(_ latency: Duration, on clock: StoryPart.LatencyClock = .real) -> Response {
            setting([.latency: clock.latency(latency)])
        }

        /// A connection failure instead of a response.
        public func broken(by fault: Fault) -> Response { setting([.fault: .string(fault.rawValue)]) }

        /// Returns this response with additional keys from the scenario format, such as `["then": [["revoke":
        /// "refresh"]]]`.
        public func with(_ members: JSON) -> Response {
            setting(DraftRoute(members.value.object ?? [:]))
        }

        func granting(_ kinds: [String]) -> Response {
            setting([.grants: kinds.isEmpty ? nil : .object(JSONObject(kinds.map { ($0, "new") }))])
        }

        private func setting(_ other: DraftRoute) -> Response {
            var response = self
            response.draft.set(other)
            return response
        }
    }

    /// A response with a condition.
    public struct Case: Sendable {
        let value: JSONValue

        /// - Parameter condition: The condition in the scenario format, such as `["path": ["id": ["not": "1"]]]`.
        public init(when condition: JSON, _ response: Response) {
            value = ([.when: condition.value] as DraftRoute).setting(response.draft).json
        }
    }
}

extension BacklotServer {
    /// A JSON value that can be written as a literal, such as `["id": 1, "name": "Miez", "kind": .null]`.
    ///
    /// In stories, a string can contain placeholders such as `"{{token.access}}"`.
    public struct JSON: Sendable {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        /// JSON's null.
        public static var null: JSON { JSON(JSONValue.null) }

        /// Parses a JSON text.
        ///
        /// - Throws: ``StoryProblem`` with the line and column if the text is not valid JSON.
        public init(text: String) throws {
            do {
                value = try JSONParser().parse(Array(text.utf8)).root
            } catch {
                throw StoryProblem("\(error.position): \(error.sentence)")
            }
        }

        /// Creates a string.
        public init(_ text: String) { value = .string(text) }

        /// Creates a whole number.
        public init(_ number: Int) { value = .number(JSONNumber(number)) }

        /// Creates an object with ordered properties.
        public init(_ members: [(String, JSON)]) { value = .object(JSONObject(members.map { ($0, $1.value) })) }

        /// Creates an array.
        public init(_ elements: [JSON]) { value = .array(elements.map(\.value)) }
    }
}

extension BacklotServer.JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string from a literal.
    public init(stringLiteral text: String) { value = .string(text) }

    /// Creates a whole number from a literal.
    public init(integerLiteral number: Int) { value = .number(JSONNumber(number)) }

    /// Creates a number from a literal, or null if the number is not finite.
    public init(floatLiteral number: Double) { value = JSONValue(floatLiteral: number) }

    /// Creates a Boolean value from a literal.
    public init(booleanLiteral isTrue: Bool) { value = .bool(isTrue) }

    /// Creates an array from a literal.
    public init(arrayLiteral elements: BacklotServer.JSON...) { self.init(elements) }

    /// Creates an object from a literal, preserving the order.
    ///
    /// If a name is repeated, the last value applies.
    public init(dictionaryLiteral members: (String, BacklotServer.JSON)...) { self.init(members) }
}

extension BacklotServer.JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    public var description: String { value.text(.compact) }
}
