import TestSupport

/// A small backend with stories about it, in memory: what the tests of the player play.
enum NotesStories {
    static let backend = #"""
        {
          "backend": "Notes",
          "tokens": { "kinds": {
            "access": { "lifetime": "15m", "in": { "header": "Authorization", "scheme": "Bearer" } },
            "refresh": { "lifetime": "30d", "in": { "body": "/refreshToken" } }
          } },
          "routes": {
            "GET /notes": { "json": [] },
            "GET /mine": { "requires": "access", "json": [1, 2] },
            "GET /tags": { "requires": "access", "json": ["a"] },
            "GET /me": { "requires": "access", "json": { "name": "mina" } },
            "POST /refresh": {
              "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" }
            }
          }
        }
        """#

    /// Stories by id, each with all that it says beside its id and title.
    static let texts = [
        "open": #""expect": [{ "request": "GET /notes", "count": 1, "status": 200 }]"#,
        "race": #"""
        "given": [{ "signIn": "phone", "ago": "1h" }],
        "routes": { "POST /refresh": { "latency": "150ms" } },
        "hold": { "until": 3, "quiet": "1s", "requests": ["GET /mine", "GET /tags", "GET /me"] },
        "expect": [
          { "request": "POST /refresh", "count": 1, "status": 200 },
          { "request": "GET /mine", "status": 200 },
          { "request": "GET /tags", "status": 200 },
          { "request": "GET /me", "status": 200 }
        ]
        """#,
        "late": #"""
        "given": [{ "signIn": "phone", "ago": "1h" }],
        "expect": [{ "request": "GET /mine", "status": 200 }, { "request": "POST /refresh", "count": 1 }]
        """#,
        "slow": #"""
        "given": [{ "signIn": "phone", "ago": "1h" }],
        "routes": { "POST /refresh": { "latency": "10s" } },
        "expect": [{ "request": "POST /refresh", "count": { "atLeast": 1 } }]
        """#,
        "twice": #"""
        "given": [{ "signIn": "phone", "ago": "1h" }],
        "timeline": [{ "at": "14d", "launch": 2 }],
        "expect": [{ "request": "POST /refresh", "count": 2, "status": 200 }, { "exit": 0 }]
        """#,
        "busy": #"""
        "routes": { "GET /notes": { "responses": [
          { "status": 429, "headers": { "Retry-After": "120" } }, { "json": [] }
        ] } },
        "expect": [{ "request": "GET /notes", "count": 2, "gap": { "atLeast": "120s" } }]
        """#,
        "silent-server": #"""
        "routes": { "GET /notes": { "fault": "never" } },
        "expect": [{ "request": "GET /notes", "count": 1 }, { "client": { "showsError": true } }]
        """#,
        "two-devices": #"""
        "given": [{ "signIn": "phone", "ago": "5m" }, { "signIn": "pad", "ago": "2m" }],
        "expect": [
          { "request": "GET /mine", "count": 1, "device": "phone", "status": 200 },
          { "request": "GET /mine", "count": 1, "device": "pad", "status": 200 }
        ]
        """#,
        "variants": #"""
        "expect": [{ "request": "GET /notes", "count": 1 }],
        "variants": { "twice": { "expect": [{ "request": "GET /notes", "count": 2 }] } }
        """#,
    ]

    /// A story that ends a process, for which a client without a vault gets a finding.
    static let killed = [
        "killed": #"""
        "processes": { "app": "start" },
        "timeline": [
          { "after": { "request": "GET /notes" }, "process": "app", "do": "kill" },
          { "at": "10m", "launch": 2 }
        ],
        "expect": [{ "request": "GET /notes", "count": 2 }, { "request": "GET /tags", "count": 0 }]
        """#
    ]

    static let files = files(of: texts)

    static func files(of texts: [String: String]) -> MemoryFiles {
        var all = ["Scenarios/notes/backend.json": backend]
        for (id, text) in texts {
            all["Scenarios/notes/\(id).json"] =
                #"{ "extends": "backend.json", "id": "\#(id)", "title": "T", \#(text) }"#
        }
        return MemoryFiles(all)
    }
}
