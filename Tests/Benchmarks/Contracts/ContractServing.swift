import HTTPCodec

/// How much of the served throughput is left when a contract judges every request and response.
struct ContractServing {
    /// Less than this would be half of the throughput for judging.
    private static let permittedShare = 0.5

    let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func run() throws -> Bool {
        let scenario = try BenchmarkScenario(contract: Self.contract)
        let servers = try ["off", "warn", "enforce"].map { mode in
            (mode: mode, server: try BacklotServer(scenario.path, ["--loops", "1", "--quiet", "--contract", mode]))
        }
        defer { for (_, server) in servers { server.stop() } }
        let generator = LoadGenerator(settings)
        say("judging while serving: \(generator.description), \(settings.rounds) rounds, medians")
        var isGood = true
        for (title, target) in [
            ("a fixture of \(BenchmarkScenario.fixture.count) bytes", BenchmarkScenario.fixtureTarget),
            ("a templated response behind a token", BenchmarkScenario.templatedTarget),
        ] {
            var race = Race(settings, generator, against: "off")
            for (mode, server) in servers {
                var contestant = Race.Contestant(
                    name: "--contract \(mode)",
                    port: server.port,
                    process: server.process
                )
                contestant.fields.append("Authorization", "Bearer \(try server.token("access"))")
                race.contestants.append(contestant)
            }
            let outcomes = try race.run(title, target)
            isGood =
                outcomes.allSatisfy { $0.failures == 0 && Figures($0.shares).median >= Self.permittedShare } && isGood
        }
        return isGood
    }

    /// What ``BenchmarkScenario`` answers, as an OpenAPI file.
    static let contract = """
        {
          "openapi": "3.1.0",
          "info": { "title": "Benchmark", "version": "1" },
          "security": [{ "bearer": [] }],
          "paths": {
            "/diaries": {
              "get": {
                "security": [],
                "parameters": [{ "name": "page", "in": "query", "schema": { "type": "integer", "minimum": 1 } }],
                "responses": {
                  "200": {
                    "description": "Every diary",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/diaries" } } }
                  },
                  "401": { "description": "No user is signed in" }
                }
              }
            },
            "/mine": {
              "get": {
                "responses": {
                  "200": {
                    "description": "The caller's diaries",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/diaries" } } }
                  },
                  "401": { "description": "No user is signed in" }
                }
              }
            },
            "/members/{id}": {
              "get": {
                "parameters": [
                  { "name": "id", "in": "path", "required": true, "schema": { "type": "integer", "minimum": 1 } },
                  { "name": "fields", "in": "query", "schema": { "enum": ["all", "names"] } }
                ],
                "responses": {
                  "200": {
                    "description": "A member",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/member" } } }
                  },
                  "401": { "description": "No user is signed in" }
                }
              }
            }
          },
          "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
            "schemas": {
              "diaries": {
                "type": "object",
                "required": ["success", "data"],
                "properties": {
                  "success": { "const": true },
                  "data": {
                    "type": "object",
                    "required": ["diaries"],
                    "properties": { "diaries": { "type": "array", "items": { "$ref": "#/components/schemas/diary" } } }
                  }
                }
              },
              "diary": {
                "type": "object",
                "required": ["diaryId", "content", "createdAt", "isPublic"],
                "additionalProperties": false,
                "properties": {
                  "diaryId": { "type": "integer", "minimum": 1 },
                  "content": { "type": "string", "minLength": 10, "maxLength": 500 },
                  "createdAt": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}$" },
                  "isPublic": { "type": "boolean" },
                  "likes": { "type": "integer", "minimum": 0 }
                }
              },
              "member": {
                "type": "object",
                "required": ["id", "name", "at", "tags"],
                "additionalProperties": false,
                "properties": {
                  "id": { "type": "string", "pattern": "^[0-9]+$" },
                  "name": { "type": "string" },
                  "fields": { "enum": ["all", "names"] },
                  "at": { "type": "string" },
                  "text": { "type": "string", "maxLength": 200 },
                  "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 10 },
                  "isActive": { "type": "boolean" }
                }
              }
            }
          }
        }

        """
}
