import JSON
package import ScenarioFormat

/// The scenario that `backlot init` writes where there is no OpenAPI file: a backend with a sign-in, an access token of 15
/// minutes, a refresh token of two weeks that rotates, a list and an item of it; and a story for the end of each token.
package enum ScenarioStarter {
    /// The folder that it goes into, relative to the project's.
    package static let folder = "Scenarios/app"

    /// The backend first, then its stories.
    ///
    /// - Parameter schemaPath: the path of the format's JSON Schema as the files name it.
    package static func files(schemaPath: String) -> [BackendDraft.File] {
        let drafts = [("backend", backend), ("access-expired", accessExpired), ("refresh-expired", refreshExpired)]
        let documents = drafts.map { name, draft in
            var document: DraftScenario = [.schema: .string(schemaPath)]
            document.set(draft)
            return BackendDraft.Document(document, path: "\(name).json")
        }
        return BackendDraft(documents, layout: .fitted).files
    }

    private static var backend: DraftScenario {
        let comment: JSONValue =
            "A backend to start from, written by backlot init. Change its tokens and routes to match your server."
        return DraftScenario(
            comment: comment,
            [
                .backend: "App",
                .accounts: ["ada": ["id": 1, "name": "Ada", "email": "ada@example.com", "password": "secret"]],
                .collections: [
                    "notes": .scenario([
                        .items: [
                            ["id": 1, "title": "Shopping", "text": "Bread, milk and apples"],
                            ["id": 2, "title": "Ideas", "text": "A note for each day of the week"],
                        ]
                    ])
                ],
                .tokens: .tokens([
                    .claims: ["sub": "{{account#/id as text}}"], .kinds: ["access": access, "refresh": refresh],
                ]),
                .routes: routes,
            ]
        )
    }

    private static let access: JSONValue = .tokens(
        Draft(
            comment: "Sent as Authorization: Bearer TOKEN.",
            [.lifetime: "15m", .reject: ["*": error(401, "The access token is not valid.")]]
        )
    )

    private static let refresh: JSONValue = .tokens(
        Draft(
            comment: "Sent as JSON. Each token can be used once, and the response contains its successor.",
            [
                .lifetime: "2w", .in: .carrier([.body: "/refreshToken"]), .rotate: true, .terminal: [401],
                .reject: ["*": error(401, "The refresh token is not valid.")],
            ]
        )
    )

    private static func error(_ status: Int, when condition: DraftCondition? = nil, _ message: String) -> JSONValue {
        .route([
            .when: condition?.json, .status: .number(status), .json: ["error": .string(message)],
        ])
    }

    private static var routes: JSONValue {
        let grants: JSONValue = ["access": "new", "refresh": "new"]
        let tokens: JSONValue = ["accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}"]
        let isUser: DraftCondition = [.body: ["/email": "ada@example.com", "/password": "secret"]]
        let isMissing: DraftCondition = [.found: ["note": false]]
        return [
            "POST /login": .route([
                .cases: [error(403, when: [.not: isUser.json], "The email or the password is wrong.")],
                .grants: grants, .json: tokens,
            ]),
            "POST /refresh": .route([.requires: "refresh", .grants: grants, .json: tokens]),
            "GET /notes": .route([
                .requires: "access",
                .find: ["notes": .selection([.all: "notes", .show: ["id", "title"]])],
                .json: ["notes": "{{found.notes#/items}}"],
            ]),
            "GET /notes/{id}": .route([
                .requires: "access",
                .find: ["note": .selection([.one: "notes", .where: ["/id": "{{request.path.id}}"]])],
                .cases: [error(404, when: isMissing, "There is no such note.")],
                .json: "{{found.note}}",
            ]),
        ]
    }

    private static var accessExpired: DraftScenario {
        [
            .extends: "backend.json", .id: "APP-1", .title: "The access token has expired",
            .about:
                "The user signed in an hour ago. The app receives one refusal, fetches new tokens once, and repeats its request.",
            .bugClasses: ["B1", "B2"],
            .given: [.event([.signIn: "phone", .ago: "1h"])],
            .expect: [
                .expectation([.request: "POST /refresh", .count: 1, .status: 200]),
                .expectation([.request: "GET /notes", .count: 1, .status: 200]),
            ],
        ]
    }

    private static var refreshExpired: DraftScenario {
        [
            .extends: "backend.json", .id: "APP-2", .title: "The refresh token has expired",
            .about:
                "The user returns after four weeks. The app requests new tokens once, is refused, and sends no further requests.",
            .bugClasses: ["B3", "B10"],
            .given: [.event([.signIn: "phone", .ago: "4w"])],
            .expect: [
                .expectation([.request: "POST /refresh", .count: 1, .status: 401]),
                .expectation([.request: "GET /notes", .count: .expectation([.atMost: 1])]),
            ],
        ]
    }
}
