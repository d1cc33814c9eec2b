import JSON
import ScenarioFormat

extension BacklotServer {
    /// A response of a route in a scenario written in Swift.
    public struct Response: Sendable {
        private(set) var members: [(String, JSON)]

        private init(_ status: Int, _ body: (String, JSON)?, _ fields: [String: String]) {
            members = [("status", JSON(status))]
            if let body { members.append(body) }
            if !fields.isEmpty {
                let sorted = fields.sorted { $0.key < $1.key }
                members.append(("headers", JSON(sorted.map { ($0.key, JSON($0.value)) })))
            }
        }

        /// A JSON body; strings may contain placeholders such as `"{{token.access}}"`.
        public static func json(_ body: JSON, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, ("json", body), headers)
        }

        /// A text body; it may contain placeholders.
        public static func text(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, ("text", JSON(body)), headers)
        }

        /// A JSON file with the body; a path from the test's folder.
        public static func fixture(_ path: String, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, ("fixture", JSON(path)), headers)
        }

        /// No body.
        public static func empty(status: Int = 204, headers: [String: String] = [:]) -> Response {
            Response(status, ("empty", true), headers)
        }

        /// The same response after a time.
        ///
        /// - Parameter clock: the clock that measures it, real time or the server's.
        public func after(_ latency: Duration, on clock: StoryPart.LatencyClock = .real) -> Response {
            adding("latency", clock.latency(latency))
        }

        /// A connection failure instead of a response.
        public func broken(by fault: Fault) -> Response { adding("fault", JSON(fault.rawValue)) }

        /// The same response with anything else of the scenario format, as an object: `["then": [["revoke": "refresh"]]]`.
        public func with(_ members: JSON) -> Response {
            (members.value.object?.members ?? []).reduce(self) { $0.adding($1.name, JSON($1.value)) }
        }

        func granting(_ kinds: [String]) -> Response {
            kinds.isEmpty ? self : adding("grants", JSON(kinds.map { ($0, JSON("new")) }))
        }

        private func adding(_ name: String, _ value: JSON) -> Response {
            var response = self
            response.members.append((name, value))
            return response
        }
    }

    /// A response under a condition.
    public struct Case: Sendable {
        let value: JSON

        /// - Parameter condition: in the scenario format: `["path": ["id": ["not": "1"]]]`.
        public init(when condition: JSON, _ response: Response) {
            value = JSON([("when", condition)] + response.members)
        }
    }
}

extension BacklotServer {
    /// A JSON value, written as literals: `["id": 1, "name": "Miez", "kind": .null]`.
    ///
    /// In stories, a string may contain placeholders such as `"{{token.access}}"`.
    public struct JSON: Sendable {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        /// JSON's null.
        public static var null: JSON { JSON(JSONValue.null) }

        /// Parses a JSON text.
        ///
        /// - Throws: ``StoryProblem`` with line and column if the text is not valid JSON.
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

    /// An object, whose members keep their order; of equal names, the last one counts.
    public init(dictionaryLiteral members: (String, BacklotServer.JSON)...) { self.init(members) }
}

extension BacklotServer.JSON: CustomStringConvertible {
    /// The compact text.
    public var description: String { value.text(.compact) }
}
