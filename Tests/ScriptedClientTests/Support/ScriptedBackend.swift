import Basics
import ScenarioFormat
import Simulation
import TestSupport

/// A small backend with a story, in memory, for scripts that try the player and the judge.
struct ScriptedBackend {
    private static let backend = #"""
        {
          "backend": "Notes",
          "clock": { "start": "2026-03-01T09:00:00Z" },
          "accounts": { "ann": {} },
          "tokens": {
            "jti": true,
            "kinds": {
              "access": { "lifetime": "1h", "reject": { "*": { "status": 401, "empty": true } } },
              "refresh": {
                "lifetime": "30d", "format": "opaque", "in": { "body": "/refreshToken" }, "rotate": true,
                "terminal": [401], "reject": { "*": { "status": 401, "json": { "error": "invalid_grant" } } }
              },
              "page": { "lifetime": "1h", "format": "opaque", "in": { "query": "key" } },
              "raw": { "lifetime": "1h", "format": "opaque", "in": { "header": "X-Token" } }
            }
          },
          "routes": {
            "POST /login": { "grants": { "access": "new", "refresh": "new" }, "json": { "token": "{{token.access}}" } },
            "POST /refresh": { "requires": "refresh", "grants": { "access": "new", "refresh": "new" }, "json": {} },
            "GET /notes": { "requires": "access", "json": { "data": [{ "id": 7, "text": "a \"b\"" }] } },
            "POST /notes": { "requires": "access", "status": 201, "json": { "is": "{{request.body#/text}}" } },
            "GET /page": { "requires": "page", "json": {} },
            "GET /raw": { "requires": "raw", "json": {} },
            "GET /echo/{word}": { "json": { "word": "{{request.path.word}}", "key": "{{request.header.X-Key ?? null}}" } },
            "POST /form": { "json": { "a": "{{request.form.a}}" } },
            "POST /parts": { "json": { "text": "{{request.part.text}}", "size": "{{request.part.file.size}}" } },
            "GET /parent": { "json": "a/b" },
            "GET /a/b": { "json": { "of": "{{request.query.of}}" } },
            "GET /empty": { "status": 204, "empty": true },
            "GET /slow": { "latency": "2s", "json": {} },
            "GET /later": { "latency": { "fixed": "3h", "clock": "virtual" }, "json": {} },
            "GET /held": { "json": {} },
            "POST /lost": { "fault": "lost", "json": {} },
            "GET /reset": { "fault": "reset", "json": {} },
            "GET /never": { "fault": "never", "json": {} },
            "GET /picture": { "json": "{{origin.images}}/a.jpg" }
          },
          "origins": { "images": { "routes": { "GET /a.jpg": { "json": "a picture" } } } },
          "given": [{ "signIn": "phone", "ago": "10m" }, { "signIn": "tablet", "ago": "5m" }]
        }
        """#

    let run: StoryRun

    /// What the backend documents, for stories that name it.
    private static let contract = #"""
        {
          "openapi": "3.1.0", "info": { "title": "Notes", "version": "1" },
          "paths": { "/echo/{word}": { "get": {
            "parameters": [
              { "name": "word", "in": "path", "required": true, "schema": { "maxLength": 3 } },
              { "name": "X-Key", "in": "header", "required": true, "schema": { "type": "string" } }
            ],
            "responses": { "200": { "description": "ok", "content": { "application/json": {
              "schema": { "properties": { "key": { "const": "k" } } }
            } } } }
          } } }
        }
        """#

    /// The files of a project with one story.
    static func files(_ story: String, script: String = "") -> MemoryFiles {
        MemoryFiles([
            "Contracts/notes.json": contract,
            "Scenarios/notes/backend.json": backend,
            "Scenarios/notes/fixtures/story.json": #"{ "extends": "backend.json", "id": "N-2" }"#,
            "Scenarios/notes/N-1.json": #"{ "extends": "backend.json", "id": "N-1", "title": "Notes", \#(story) }"#,
            "Tests/ScriptedClientTests/Scripts/notes/N-1.script": script,
            "Tests/ScriptedClientTests/Scripts/notes/README.md": "",
        ])
    }

    /// - Parameter story: the members of the story.
    init(_ story: String = #""expect": [{ "request": "GET /notes" }]"#, variant: String? = nil) throws {
        let files = Self.files(story)
        let path = "/project/Scenarios/notes/N-1.json"
        var memory = ParseCache()
        let runs = try StoryRun.all(in: path, files: files, contracts: Contracts(), remembering: &memory)
        guard let run = runs.run(of: variant) else { throw StoryRun.Unplayable([]) }
        self.run = run
    }

    /// What is wrong with a script's only block.
    func complaints(about text: String) throws -> [String] {
        let script = try ScriptParser.parse(text, file: "N-1.script")
        return script.blocks.flatMap { Trial(script: script, block: $0, run: run).complaints() }
    }

    /// Plays the lines of a block, and returns the player with whatever it complains of.
    func play(_ lines: String, always: String = "") throws -> ScriptPlayer {
        let script = try ScriptParser.parse("\(always)\ngood\n\(lines)\nend", file: "N-1.script")
        var player = ScriptPlayer(script, on: run)
        player.play(script.blocks[0])
        return player
    }
}
