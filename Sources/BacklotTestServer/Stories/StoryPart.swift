public import Foundation
import JSON
import ScenarioFormat

extension BacklotServer {
    /// A part of a scenario that is written in Swift: `.route(…)`, `.token(…)`, `.signedIn(…)`, `.expect(…)`.
    ///
    /// A part writes a piece of the scenario format, and is checked like a file. ``json(_:)`` writes all other pieces.
    public struct StoryPart: Sendable {
        /// As it is written in Swift, for messages: `.route("GET /pets")`.
        let name: String
        /// Where the values are put, in their order.
        let insertions: [Insertion]

        enum Insertion: Sendable {
            /// At a path of names, which are made where they are missing.
            case member([String], JSON)
            /// At the end of a list.
            case element(String, JSON)
            /// Next to the other members.
            case members(JSON)
        }

        private init(_ name: String, _ insertions: Insertion...) { (self.name, self.insertions) = (name, insertions) }

        // MARK: Backend

        /// A route that always gives the same response, unless one of its cases responds.
        ///
        /// - Parameters:
        ///   - key: the method and the path template: `GET /pets/{id}`.
        ///   - requires: the kinds of token that a request has to carry.
        ///   - grants: the kinds of new token that the response grants.
        ///   - cases: responses with a condition; the first one whose condition holds is sent.
        public static func route(
            _ key: String,
            requires: TokenKinds = [],
            grants: TokenKinds = [],
            _ response: Response,
            cases: [Case] = []
        ) -> StoryPart {
            route(key, requires, response.granting(grants.names).members, cases)
        }

        /// A route with several responses in order.
        ///
        /// - Parameter afterLast: the behavior after the last one.
        public static func route(
            _ key: String,
            requires: TokenKinds = [],
            responses: [Response],
            afterLast: AfterLast = .repeat,
            cases: [Case] = []
        ) -> StoryPart {
            let list = JSON(responses.map { JSON($0.members) })
            return route(key, requires, [("responses", list), ("afterLast", JSON(afterLast.rawValue))], cases)
        }

        private static func route(
            _ key: String,
            _ requires: TokenKinds,
            _ members: [(String, JSON)],
            _ cases: [Case]
        ) -> StoryPart {
            var members = members
            if !requires.names.isEmpty { members.append(("requires", JSON(requires.names.map { JSON($0) }))) }
            if !cases.isEmpty { members.append(("cases", JSON(cases.map(\.value)))) }
            return StoryPart(".route(\"\(key)\")", .member(["routes", key], JSON(members)))
        }

        /// Kinds of token by their names: `"access"`, or several in a list.
        public struct TokenKinds: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
            let names: [String]

            /// Kinds whose names are known when the test runs.
            public init(_ names: [String]) { self.names = names }

            /// One kind.
            public init(stringLiteral name: String) { names = [name] }

            /// Several kinds; none where the list is empty.
            public init(arrayLiteral names: String...) { self.names = names }
        }

        /// The behavior of a route with several responses after the last one.
        public enum AfterLast: String, Sendable {
            case `repeat`
            case loop
            /// Status 500.
            case fail
        }

        /// A kind of token.
        ///
        /// - Parameters:
        ///   - lifetime: the lifetime of a token.
        ///   - places: its places in a request; the first place that has one counts.
        ///   - rotates: a Boolean value that indicates whether exchanging a token makes it unusable.
        ///   - rejection: the response to a request with a token that is not valid, or without one.
        public static func token(
            _ kind: String,
            lifetime: Duration,
            in places: [TokenPlace] = [.bearer],
            rotates: Bool = false,
            rejection: Response = .empty(status: 401)
        ) -> StoryPart {
            StoryPart(
                ".token(\"\(kind)\")",
                .member(
                    ["tokens", "kinds", kind],
                    [
                        "lifetime": JSON(DurationText.text(lifetime)),
                        "in": JSON(places.map(\.value)),
                        "rotate": JSON(JSONValue.bool(rotates)),
                        "reject": ["*": JSON(rejection.members)],
                    ]
                )
            )
        }

        /// The place of a token in a request.
        public struct TokenPlace: Sendable {
            let value: JSON

            /// `Authorization: Bearer …` (RFC 6750, section 2.1).
            public static var bearer: TokenPlace { TokenPlace(value: ["header": "Authorization", "scheme": "Bearer"]) }

            /// A header field whose value is the token.
            public static func header(_ name: String) -> TokenPlace { TokenPlace(value: ["header": JSON(name)]) }

            /// A member of the JSON body, by JSON Pointer (RFC 6901): `/refreshToken`.
            public static func body(_ pointer: String) -> TokenPlace { TokenPlace(value: ["body": JSON(pointer)]) }

            /// An item of the query.
            public static func query(_ name: String) -> TokenPlace { TokenPlace(value: ["query": JSON(name)]) }
        }

        /// An account with its data for responses: `["id": 1, "name": "Ada"]`.
        public static func account(_ name: String, _ facts: JSON = [:]) -> StoryPart {
            StoryPart(".account(\"\(name)\")", .member(["accounts", name], facts))
        }

        /// The latency of every response that sets none.
        ///
        /// - Parameter clock: the clock that measures it, real time or the server's.
        public static func latency(_ latency: Duration, on clock: LatencyClock = .real) -> StoryPart {
            StoryPart(".latency", .member(["defaults", "latency"], clock.latency(latency)))
        }

        /// The clock of a latency.
        public enum LatencyClock: String, Sendable {
            case real
            case virtual

            func latency(_ duration: Duration) -> JSON {
                ["fixed": JSON(DurationText.text(duration)), "clock": JSON(rawValue)]
            }
        }

        /// The OpenAPI file that requests and responses are checked against if the test has a reader for it, see
        /// ``BacklotServer/Contracts``; a path from the test's folder.
        public static func contract(_ path: String) -> StoryPart {
            StoryPart(".contract(\"\(path)\")", .member(["contract"], JSON(path)))
        }

        // MARK: Story

        /// A device that signed in before the test, and has tokens of that age; several are ordered oldest first.
        public static func signedIn(_ device: String, ago: Duration, account: String? = nil) -> StoryPart {
            var event: [(String, JSON)] = [("signIn", JSON(device)), ("ago", JSON(DurationText.text(ago)))]
            if let account { event.append(("account", JSON(account))) }
            return StoryPart(".signedIn(\"\(device)\")", .element("given", JSON(event)))
        }

        /// A fault of the first requests of a route.
        public static func fault(_ fault: Fault, on route: String, times: Int = 1) -> StoryPart {
            StoryPart(
                ".fault(.\(fault.rawValue), on: \"\(route)\")",
                .element(
                    "timeline",
                    ["at": "0s", "fault": JSON(fault.rawValue), "route": JSON(route), "times": JSON(times)]
                )
            )
        }

        /// The mode and the start of the server's clock; by default real time and now.
        public static func clock(_ mode: ClockMode, start: Date? = nil) -> StoryPart {
            var members = mode.members
            if let start {
                let moment = VirtualTime(seconds: Int64(clamping: Int(start.timeIntervalSince1970.rounded(.down))))
                members.append(("start", JSON(moment.description)))
            }
            return StoryPart(".clock", .member(["clock"], JSON(members)))
        }

        /// The mode of a server's clock.
        public enum ClockMode: Sendable, Hashable {
            case real
            /// It moves only with `advance(by:)`.
            case frozen
            /// It moves when every request waits for it.
            case automatic
            /// The seconds of the clock per real second.
            case rate(Double)

            var members: [(String, JSON)] {
                switch self {
                case .real: []
                case .frozen: [("frozen", true)]
                case .automatic: [("automatic", true)]
                case .rate(let rate): [("rate", JSON(floatLiteral: rate))]
                }
            }
        }

        /// An expectation of requests to a route.
        ///
        /// - Parameters:
        ///   - count: the number of requests; at least one when `nil`.
        ///   - status: only requests with this response count; any when `nil`.
        public static func expect(_ route: String, count: Int? = nil, status: Int? = nil) -> StoryPart {
            var members: [(String, JSON)] = [("request", JSON(route))]
            if let count { members.append(("count", JSON(count))) }
            if let status { members.append(("status", JSON(status))) }
            return StoryPart(".expect(\"\(route)\")", .element("expect", JSON(members)))
        }

        /// An expectation of facts that the client reports, with `BacklotServer.report(_:)` or by `POST /__backlot/client`.
        public static func expect(client facts: JSON) -> StoryPart {
            StoryPart(".expect(client:)", .element("expect", ["client": facts]))
        }

        /// Anything else of the scenario format, as an object: `["holdRefusals": "0s"]`.
        ///
        /// Its members are added to the others. `try .json(JSON(text: …))` takes the text of a file.
        public static func json(_ members: JSON) -> StoryPart { StoryPart(".json", .members(members)) }
    }
}

extension BacklotServer.Story {
    /// A backend, with or without a story, that is written in Swift.
    ///
    /// ```swift
    /// .scenario("Pets", [
    ///     .token("access", lifetime: .minutes(15)),
    ///     .route("GET /pets", requires: "access", .json([["name": "Miez"]])),
    ///     .signedIn("phone", ago: .hours(1)),
    /// ])
    /// ```
    public static func scenario(_ backend: String, _ parts: [BacklotServer.StoryPart]) -> Self {
        Self(.built([("backend", BacklotServer.JSON(backend))] + Self.heading(parts), parts))
    }

    /// The same story with additional parts, such as a device that signed in 40 days ago.
    public func with(_ parts: [BacklotServer.StoryPart]) -> Self {
        var story = self
        story.parts += parts
        return story
    }

    /// The heading of a story; a backend alone has none.
    static func heading(_ parts: [BacklotServer.StoryPart]) -> [(String, BacklotServer.JSON)] {
        let isStory = parts.flatMap(\.insertions).contains { insertion in
            switch insertion {
            case .element: true
            case .member, .members: false
            }
        }
        return isStory ? [("id", "TEST"), ("title", "Written in the test")] : []
    }
}

extension Duration {
    /// Minutes of 60 seconds.
    public static func minutes(_ minutes: Int) -> Duration { .seconds(minutes) * 60 }

    /// Hours of 60 minutes.
    public static func hours(_ hours: Int) -> Duration { .seconds(hours) * 3_600 }

    /// Days of 24 hours.
    public static func days(_ days: Int) -> Duration { .seconds(days) * 86_400 }
}
