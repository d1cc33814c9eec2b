public import Foundation
import JSON
import ScenarioFormat

extension BacklotServer {
    /// A part of a scenario written in Swift, such as `.route(…)`, `.token(…)`, `.signedIn(…)` or `.expect(…)`.
    ///
    /// A part represents a piece of the scenario format and is validated like a scenario file. Use ``json(_:)`` for
    /// pieces that have no separate function.
    public struct StoryPart: Sendable {
        /// As it is written in Swift, for messages: `.route("GET /pets")`.
        let name: String
        /// Where the values are put, in their order.
        let insertions: [Insertion]

        enum Insertion: Sendable {
            /// At a path of names, which are made where they are missing.
            case member([String], JSONValue)
            /// At the end of a list.
            case element(DraftKeys.Scenario, JSONValue)
            /// Next to the other members.
            case members(JSONValue)

            static func value(_ value: JSONValue, at key: DraftKeys.Scenario, _ names: String...) -> Insertion {
                .member([key.rawValue] + names, value)
            }
        }

        private init(_ name: String, _ insertions: Insertion...) { (self.name, self.insertions) = (name, insertions) }

        // MARK: Backend

        /// Returns a route that always sends the same response, unless one of its cases applies.
        ///
        /// - Parameters:
        ///   - key: The method and the path template, such as `GET /pets/{id}`.
        ///   - requires: The kinds of token that a request must contain.
        ///   - grants: The kinds of new token that the response grants.
        ///   - cases: Responses with conditions. The first response whose condition is true is sent.
        public static func route(
            _ key: String,
            requires: TokenKinds = [],
            grants: TokenKinds = [],
            _ response: Response,
            cases: [Case] = []
        ) -> StoryPart {
            route(key, requires, response.granting(grants.names).draft, cases)
        }

        /// Returns a route that sends several responses in order.
        ///
        /// - Parameter afterLast: The behavior after the last response.
        public static func route(
            _ key: String,
            requires: TokenKinds = [],
            responses: [Response],
            afterLast: AfterLast = .repeat,
            cases: [Case] = []
        ) -> StoryPart {
            let list = JSONValue.array(responses.map(\.draft.json))
            return route(key, requires, [.responses: list, .afterLast: .string(afterLast.rawValue)], cases)
        }

        private static func route(
            _ key: String,
            _ requires: TokenKinds,
            _ draft: DraftRoute,
            _ cases: [Case]
        ) -> StoryPart {
            let route = draft.setting([
                .requires: requires.names.isEmpty ? nil : .strings(requires.names),
                .cases: cases.isEmpty ? nil : .array(cases.map(\.value)),
            ])
            return StoryPart(".route(\"\(key)\")", .value(route.json, at: .routes, key))
        }

        /// The names of one or more kinds of token, such as `"access"`.
        public struct TokenKinds: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
            let names: [String]

            /// Creates kinds from an array of names.
            public init(_ names: [String]) { self.names = names }

            /// Creates one kind from a literal.
            public init(stringLiteral name: String) { names = [name] }

            /// Creates kinds from an array literal, which can be empty.
            public init(arrayLiteral names: String...) { self.names = names }
        }

        /// The behavior of a route after the last of its listed responses.
        public enum AfterLast: String, Sendable {
            case `repeat`
            case loop
            /// Further requests fail with status 500.
            case fail
        }

        /// Returns a kind of token.
        ///
        /// - Parameters:
        ///   - lifetime: The lifetime of a token.
        ///   - places: The locations of the token in a request. The first location that contains a token applies.
        ///   - rotates: A Boolean value that indicates whether a token becomes invalid when it is exchanged.
        ///   - rejection: The response to a request with an invalid or missing token.
        public static func token(
            _ kind: String,
            lifetime: Duration,
            in places: [TokenPlace] = [.bearer],
            rotates: Bool = false,
            rejection: Response = .empty(status: 401)
        ) -> StoryPart {
            let rules: JSONValue = .tokens([
                .lifetime: .string(DurationText.text(lifetime)), .in: .array(places.map(\.draft.json)),
                .rotate: .bool(rotates), .reject: ["*": rejection.draft.json],
            ])
            return StoryPart(".token(\"\(kind)\")", .value(rules, at: .tokens, DraftKeys.Tokens.kinds.rawValue, kind))
        }

        /// The location of a token in a request.
        public struct TokenPlace: Sendable {
            let draft: Draft<DraftKeys.Carrier>

            /// The header field `Authorization: Bearer …` (RFC 6750, section 2.1).
            public static var bearer: TokenPlace { TokenPlace(draft: [.header: "Authorization", .scheme: "Bearer"]) }

            /// Returns a header field whose value is the token.
            public static func header(_ name: String) -> TokenPlace { TokenPlace(draft: [.header: .string(name)]) }

            /// Returns a property of the JSON body, identified by a JSON Pointer (RFC 6901) such as `/refreshToken`.
            public static func body(_ pointer: String) -> TokenPlace { TokenPlace(draft: [.body: .string(pointer)]) }

            /// Returns a query parameter.
            public static func query(_ name: String) -> TokenPlace { TokenPlace(draft: [.query: .string(name)]) }
        }

        /// Returns an account with data for responses, such as `["id": 1, "name": "Ada"]`.
        public static func account(_ name: String, _ facts: JSON = [:]) -> StoryPart {
            StoryPart(".account(\"\(name)\")", .value(facts.value, at: .accounts, name))
        }

        /// Returns the default response latency.
        ///
        /// - Parameter clock: The clock that measures the latency: real time or the server's clock.
        public static func latency(_ latency: Duration, on clock: LatencyClock = .real) -> StoryPart {
            let key = DraftKeys.Scenario.latency.rawValue
            return StoryPart(".latency", .value(clock.latency(latency), at: .defaults, key))
        }

        /// The clock that measures a latency.
        public enum LatencyClock: String, Sendable {
            case real
            case virtual

            func latency(_ duration: Duration) -> JSONValue {
                .delivery([.fixed: .string(DurationText.text(duration)), .clock: .string(rawValue)])
            }
        }

        /// Returns the OpenAPI file against which requests and responses are checked if the test enables the check.
        ///
        /// The path is relative to the test's folder. See ``BacklotServer/Contracts``.
        public static func contract(_ path: String) -> StoryPart {
            StoryPart(".contract(\"\(path)\")", .value(.string(path), at: .contract))
        }

        // MARK: Story

        /// Returns a device that signed in before the test and has tokens of the given age.
        ///
        /// If several devices signed in, list the oldest sign-in first.
        public static func signedIn(_ device: String, ago: Duration, account: String? = nil) -> StoryPart {
            let event: DraftEvent = [
                .signIn: .string(device), .ago: .string(DurationText.text(ago)),
                .account: account.map(JSONValue.string),
            ]
            return StoryPart(".signedIn(\"\(device)\")", .element(.given, event.json))
        }

        /// Returns a fault that affects the first requests to a route.
        public static func fault(_ fault: Fault, on route: String, times: Int = 1) -> StoryPart {
            StoryPart(
                ".fault(.\(fault.rawValue), on: \"\(route)\")",
                .element(
                    .timeline,
                    .event([
                        .at: "0s", .fault: .string(fault.rawValue), .route: .string(route), .times: .number(times),
                    ])
                )
            )
        }

        /// Returns the mode and the start time of the server's clock.
        ///
        /// By default, the clock starts at the current time and runs in real time.
        public static func clock(_ mode: ClockMode, start: Date? = nil) -> StoryPart {
            let start = start.map { start in
                VirtualTime(seconds: Int64(clamping: Int(start.timeIntervalSince1970.rounded(.down))))
            }
            let clock = mode.draft.setting([.start: start.map { .string($0.description) }])
            return StoryPart(".clock", .value(clock.json, at: .clock))
        }

        /// The mode of a server's clock.
        public enum ClockMode: Sendable, Hashable {
            case real
            /// The clock advances only with `advance(by:)`.
            case frozen
            /// The clock advances automatically when every request waits for the clock.
            case automatic
            /// The clock runs at the given rate, in virtual seconds per real second.
            case rate(Double)

            var draft: DraftScenario {
                switch self {
                case .real: [:]
                case .frozen: [.frozen: true]
                case .automatic: [.automatic: true]
                case .rate(let rate): [.rate: JSONValue(floatLiteral: rate)]
                }
            }
        }

        /// Returns an expectation about the requests to a route.
        ///
        /// - Parameters:
        ///   - count: The number of requests, or `nil` for one or more requests.
        ///   - status: The status of the requests that count, or `nil` for any status.
        public static func expect(_ route: String, count: Int? = nil, status: Int? = nil) -> StoryPart {
            let expectation: Draft<DraftKeys.Expectation> = [
                .request: .string(route), .count: count.map { .number($0) }, .status: status.map { .number($0) },
            ]
            return StoryPart(".expect(\"\(route)\")", .element(.expect, expectation.json))
        }

        /// Returns an expectation about facts that the client reports with `BacklotServer.report(_:)` or `POST
        /// /__backlot/client`.
        public static func expect(client facts: JSON) -> StoryPart {
            StoryPart(".expect(client:)", .element(.expect, .expectation([.client: facts.value])))
        }

        /// Returns other keys from the scenario format, such as `["holdRefusals": "0s"]`.
        ///
        /// The keys are added to the keys from the other parts. To use a file's text, write `try .json(JSON(text: …))`.
        public static func json(_ members: JSON) -> StoryPart { StoryPart(".json", .members(members.value)) }
    }
}

extension BacklotServer.Story {
    /// Returns a backend that is written in Swift, with or without a story.
    ///
    /// ```swift
    /// .scenario("Pets", [
    ///     .token("access", lifetime: .minutes(15)),
    ///     .route("GET /pets", requires: "access", .json([["name": "Miez"]])),
    ///     .signedIn("phone", ago: .hours(1)),
    /// ])
    /// ```
    public static func scenario(_ backend: String, _ parts: [BacklotServer.StoryPart]) -> Self {
        Self(.built(([.backend: .string(backend)] as DraftScenario).setting(heading(parts)), parts))
    }

    /// Returns this story with additional parts, such as a device that signed in 40 days ago.
    public func with(_ parts: [BacklotServer.StoryPart]) -> Self {
        var story = self
        story.parts += parts
        return story
    }

    /// The heading of a story; a backend alone has none.
    static func heading(_ parts: [BacklotServer.StoryPart]) -> DraftScenario {
        let isStory = parts.flatMap(\.insertions).contains { insertion in
            switch insertion {
            case .element: true
            case .member, .members: false
            }
        }
        return isStory ? [.id: "TEST", .title: "Written in the test"] : [:]
    }
}

extension Duration {
    /// Returns a duration of the given number of minutes.
    public static func minutes(_ minutes: Int) -> Duration { .seconds(minutes) * 60 }

    /// Returns a duration of the given number of hours.
    public static func hours(_ hours: Int) -> Duration { .seconds(hours) * 3_600 }

    /// Returns a duration of the given number of days, each of 24 hours.
    public static func days(_ days: Int) -> Duration { .seconds(days) * 86_400 }
}
