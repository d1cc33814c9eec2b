import JSON
import ScenarioFormat

extension BacklotServer {
    /// What a route of a scenario written in Swift responds.
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

        /// A JSON body; strings may have placeholders such as `"{{token.access}}"`.
        public static func json(_ body: JSON, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, ("json", body), headers)
        }

        /// A body of text; it may have placeholders.
        public static func text(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, ("text", JSON(body)), headers)
        }

        /// A JSON file that is the body; a path from the test's folder.
        public static func fixture(_ path: String, status: Int = 200, headers: [String: String] = [:]) -> Response {
            Response(status, ("fixture", JSON(path)), headers)
        }

        /// No body.
        public static func empty(status: Int = 204, headers: [String: String] = [:]) -> Response {
            Response(status, ("empty", true), headers)
        }

        /// The same response after a time.
        ///
        /// - Parameter clock: whether it is real time that passes, or time on the server's clock.
        public func after(_ latency: Duration, on clock: StoryPart.LatencyClock = .real) -> Response {
            adding("latency", clock.latency(latency))
        }

        /// A connection that breaks instead.
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

        /// - Parameter condition: in the words of the scenario format: `["path": ["id": ["not": "1"]]]`.
        public init(when condition: JSON, _ response: Response) {
            value = JSON([("when", condition)] + response.members)
        }
    }
}
