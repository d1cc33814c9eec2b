import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// The two stories of a drafted backend whose responses grant tokens: the access token has expired, and so has the token
/// that would renew it.
struct TokenStories {
    private let tokens: TokenGuesses
    private let refusals: RefusalGuesses
    private let title: String
    private let access: TokenKindGuess
    /// A route that requires the access token.
    private let resource: DraftedRoute
    /// The kind of refresh tokens that live longer than access tokens, and the route that exchanges them; `nil` without one.
    private let refresh: (kind: TokenKindGuess, route: DraftedRoute)?

    /// - Returns: `nil` if no response grants a token, or no route requires it.
    init?(_ routes: [DraftedRoute], _ tokens: TokenGuesses, _ refusals: RefusalGuesses, title: String) {
        guard let access = tokens.kinds.first(where: { $0.role == .access && $0.grantedBy != nil }),
            let resource = Self.resource(of: routes, requiring: access, tokens)
        else { return nil }
        (self.tokens, self.refusals, self.title) = (tokens, refusals, title)
        (self.access, self.resource) = (access, resource)
        let longer = tokens.kinds.first { kind in
            kind.role == .refresh && kind.grantedBy != nil && kind.seconds > access.seconds
        }
        refresh = longer.flatMap { kind in
            routes.first { tokens.isRefresh($0.operation) && tokens.grants(of: $0) != nil }.map { (kind, $0) }
        }
    }

    /// The route that a client can most easily request.
    private static func resource(
        of routes: [DraftedRoute],
        requiring access: TokenKindGuess,
        _ tokens: TokenGuesses
    ) -> DraftedRoute? {
        let candidates = routes.filter { route in
            let kinds = tokens.kinds(wantedBy: route.operation)
            return kinds.count == 1 && kinds[0].name.exact == access.name.exact && tokens.grants(of: route) == nil
        }
        func effort(_ route: DraftedRoute) -> Int {
            let parameters = route.operation.parameters.count { $0.isRequired }
            return (route.operation.method == .get ? 0 : 100) + parameters
        }
        return candidates.enumerated().min { (effort($0.element), $0.offset) < (effort($1.element), $1.offset) }?
            .element
    }

    func documents(schemaPath: String?) -> [BackendDraft.Document] {
        let stories =
            refresh.map { [renewed($0.kind, by: $0.route), refused($0.kind, by: $0.route)] } ?? [used, expired]
        let names = refresh == nil ? ["signed-in", "access-expired"] : ["access-expired", "refresh-expired"]
        let prefix = DraftFixtures.name(of: title).uppercased()
        return zip(names, stories).enumerated().map { index, story in
            var document: DraftScenario = [
                .schema: schemaPath.map(JSONValue.string), .extends: "backend.json",
                .id: .string("\(prefix)-\(index + 1)"),
            ]
            document.set(story.1)
            return BackendDraft.Document(document, path: "\(story.0).json")
        }
    }

    private func signIn(_ ago: Int?) -> JSONValue {
        [.event([.signIn: "phone", .ago: ago.map { .string(DurationText.text(.seconds($0))) }])]
    }

    private func expectation(_ route: DraftedRoute, count: JSONValue = 1, status: Int? = nil) -> JSONValue {
        .expectation([
            .request: .string(route.key), .count: count, .status: status.map { .number(JSONNumber($0)) },
        ])
    }

    private func renewed(_ kind: TokenKindGuess, by route: DraftedRoute) -> DraftScenario {
        let (short, long) = (access.seconds, kind.seconds)
        return [
            .title: "The access token has expired",
            .about: "The client receives one refusal or none, fetches a new token once, and repeats its request.",
            .bugClasses: ["B1", "B2"],
            .given: signIn(long > 2 * short ? 2 * short : short + (long - short) / 2),
            .expect: [
                expectation(route, status: route.answer.status),
                expectation(resource, status: resource.answer.status),
            ],
        ]
    }

    private func refused(_ kind: TokenKindGuess, by route: DraftedRoute) -> DraftScenario {
        [
            .title: "The refresh token has expired",
            .about: "The client requests a new token once or not at all, is refused, and sends no further requests.",
            .bugClasses: ["B3", "B10"],
            .given: signIn(2 * max(kind.seconds, access.seconds)),
            .expect: [
                expectation(route, count: .expectation([.atMost: 1]), status: refusals.status(refusing: kind.name)),
                expectation(resource, count: .expectation([.atMost: 1])),
            ],
        ]
    }

    private var used: DraftScenario {
        [
            .title: "The user is signed in",
            .about: "The client sends its requests with the access token.",
            .given: signIn(nil),
            .expect: [
                expectation(resource, count: .expectation([.atLeast: 1]), status: resource.answer.status)
            ],
        ]
    }

    private var expired: DraftScenario {
        [
            .title: "The access token has expired",
            .about:
                "The client is refused once or knows that the token has expired, and does not send the request again.",
            .given: signIn(2 * access.seconds),
            .expect: [expectation(resource, count: .expectation([.atMost: 1]))],
        ]
    }
}
