import HTTPCodec

/// The backend of every case: short access tokens, refresh tokens that are good once, one user signed in since long.
enum Backend {
    static let text = #"""
        {
          "backend": "Notes",
          "clock": { "start": "2026-03-01T09:00:00Z" },
          "devices": { "header": "X-Device" },
          "accounts": { "ann": {}, "bob": {}, "guest": {} },
          "tokens": {
            "jti": true,
            "claims": { "sub": "{{account}}" },
            "kinds": {
              "access": {
                "lifetime": "1h",
                "reject": { "*": { "status": 401, "headers": { "WWW-Authenticate": "Bearer error=\"invalid_token\"" }, "empty": true } }
              },
              "refresh": {
                "lifetime": "30d", "format": "opaque", "in": { "body": "/refreshToken" }, "rotate": true,
                "terminal": [401], "reject": { "*": { "status": 401, "json": { "error": "invalid_grant" } } }
              }
            },
            "signOut": { "revoke": ["refresh"] }
          },
          "defaults": { "latency": { "uniform": ["1ms", "8ms"] } },
          "routes": {
            "POST /login": {
              "signIn": { "account": "{{request.body#/account}}" },
              "grants": { "access": "new", "refresh": "new" },
              "json": {
                "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}",
                "expiresIn": "{{token.access.lifetime}}"
              }
            },
            "POST /refresh": {
              "requires": "refresh",
              "grants": { "access": "new", "refresh": "new" },
              "latency": { "uniform": ["10ms", "40ms"] },
              "json": {
                "access": "{{token.access}}", "refresh": "{{token.refresh}}", "account": "{{account}}",
                "expiresIn": "{{token.access.lifetime}}"
              }
            },
            "POST /logout": { "requires": "access", "then": [{ "signOut": "caller" }], "status": 204, "empty": true },
            "GET /me": { "requires": "access", "json": {} },
            "GET /notes": { "requires": "access", "json": [] },
            "GET /feed": { "requires": "access", "json": [] },
            "GET /profile": { "requires": "access", "json": {} },
            "POST /notes": { "requires": "access", "status": 201, "json": { "text": "{{request.body#/text}}" } },
            "PUT /files/{id}": { "requires": "access", "json": {} }
          },
          "given": [{ "signIn": "phone", "account": "ann", "ago": "2h" }]
        }
        """#

    static func get(_ path: String) -> Request { Request(http: .init(target: path)) }

    static let note = Request(
        http: .init(
            method: .post,
            target: "/notes",
            fields: ["Content-Type": "application/json"],
            body: Array(#"{"text":"hello"}"#.utf8)
        )
    )

    /// Everything that the app's first screen shows.
    static let screen = ["/me", "/notes", "/feed", "/profile"].map(get)
}
