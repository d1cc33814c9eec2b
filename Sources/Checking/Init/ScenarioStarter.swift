/// The scenario that `backlot init` writes where there is no OpenAPI file: a backend with a sign-in, an access token of 15
/// minutes, a refresh token of two weeks that rotates, a list and an item of it; and a story for the end of each token.
package enum ScenarioStarter {
    /// The folder that it goes into, relative to the project's.
    package static let folder = "Scenarios/app"

    /// The backend first, then its stories.
    ///
    /// - Parameter schemaPath: the path of the format's JSON Schema as the files name it.
    package static func files(schemaPath: String) -> [ScenarioDraft.File] {
        [("backend.json", backend), ("access-expired.json", accessExpired), ("refresh-expired.json", refreshExpired)]
            .map { name, body in
                let text = "{\n  \"$schema\": \"\(schemaPath)\",\n\(body)\n}\n"
                return ScenarioDraft.File(path: name, bytes: Array(text.utf8))
            }
    }

    private static let backend = #"""
          "$comment": "A backend to start from, written by backlot init: change its tokens and routes to those of your server.",
          "backend": "App",
          "accounts": { "ada": { "id": 1, "name": "Ada", "email": "ada@example.com", "password": "secret" } },
          "collections": {
            "notes": {
              "items": [
                { "id": 1, "title": "Shopping", "text": "Bread, milk and apples" },
                { "id": 2, "title": "Ideas", "text": "A note for each day of the week" }
              ]
            }
          },
          "tokens": {
            "claims": { "sub": "{{account#/id as text}}" },
            "kinds": {
              "access": {
                "$comment": "Sent as Authorization: Bearer TOKEN.",
                "lifetime": "15m",
                "reject": { "*": { "status": 401, "json": { "error": "The access token is not valid." } } }
              },
              "refresh": {
                "$comment": "Sent as JSON. Each token can be used once, and the response contains its successor.",
                "lifetime": "2w",
                "in": { "body": "/refreshToken" },
                "rotate": true,
                "terminal": [401],
                "reject": { "*": { "status": 401, "json": { "error": "The refresh token is not valid." } } }
              }
            }
          },
          "routes": {
            "POST /login": {
              "cases": [
                {
                  "when": { "not": { "body": { "/email": "ada@example.com", "/password": "secret" } } },
                  "status": 403,
                  "json": { "error": "The email or the password is wrong." }
                }
              ],
              "grants": { "access": "new", "refresh": "new" },
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" }
            },
            "POST /refresh": {
              "requires": "refresh",
              "grants": { "access": "new", "refresh": "new" },
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" }
            },
            "GET /notes": {
              "requires": "access",
              "find": { "notes": { "all": "notes", "show": ["id", "title"] } },
              "json": { "notes": "{{found.notes#/items}}" }
            },
            "GET /notes/{id}": {
              "requires": "access",
              "find": { "note": { "one": "notes", "where": { "/id": "{{request.path.id}}" } } },
              "cases": [{ "when": { "found": { "note": false } }, "status": 404, "json": { "error": "There is no such note." } }],
              "json": "{{found.note}}"
            }
          }
        """#

    private static let accessExpired = #"""
          "extends": "backend.json",
          "id": "APP-1",
          "title": "The access token has expired",
          "about": "The user signed in an hour ago. The app receives one refusal, fetches new tokens once, and repeats its request.",
          "bugClasses": ["B1", "B2"],
          "given": [{ "signIn": "phone", "ago": "1h" }],
          "expect": [
            { "request": "POST /refresh", "count": 1, "status": 200 },
            { "request": "GET /notes", "count": 1, "status": 200 }
          ]
        """#

    private static let refreshExpired = #"""
          "extends": "backend.json",
          "id": "APP-2",
          "title": "The refresh token has expired",
          "about": "The user returns after four weeks. The app requests new tokens once, is refused, and sends no further requests.",
          "bugClasses": ["B3", "B10"],
          "given": [{ "signIn": "phone", "ago": "4w" }],
          "expect": [
            { "request": "POST /refresh", "count": 1, "status": 401 },
            { "request": "GET /notes", "count": { "atMost": 1 } }
          ]
        """#
}
