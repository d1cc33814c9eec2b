import Basics
import ScenarioFormat
import StubServing
import TestSupport

/// A small API with a contract, and a scenario that keeps to it in part.
enum ContractExample {
    static let contract = #"""
        {
          "openapi": "3.1.0",
          "info": { "title": "Notes", "version": "1" },
          "servers": [{ "url": "https://notes.example/api" }],
          "paths": {
            "/notes": {
              "get": {
                "parameters": [{ "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1 } }],
                "responses": {
                  "200": { "description": "all", "content": { "application/json": {
                    "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Note" } },
                    "examples": {
                      "wrong": { "value": [{ "id": "x" }] },
                      "one": { "value": [{ "id": 1, "title": "one" }] },
                      "none": { "value": [] }
                    } } } }
                }
              },
              "post": {
                "requestBody": { "required": true, "content": { "application/json": {
                  "schema": { "type": "object", "required": ["title"], "properties": { "title": { "type": "string" } } } } } },
                "responses": {
                  "201": { "description": "made", "content": { "application/json": {
                    "schema": { "$ref": "#/components/schemas/Note" } } } },
                  "4XX": { "description": "refused" }
                }
              }
            },
            "/notes/{id}": {
              "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }],
              "get": {
                "parameters": [{ "name": "on", "in": "query", "schema": {} }, { "name": "late", "in": "query", "schema": {} }],
                "responses": {
                  "404": { "description": "none", "content": { "application/json": {
                    "schema": { "type": "object", "required": ["error"], "properties": { "error": { "type": "string" } } },
                    "examples": { "lost": { "value": { "error": "lost" } } } } } },
                  "200": { "description": "one", "headers": { "ETag": { "required": true, "schema": { "type": "string" } } },
                    "content": {
                      "text/plain": { "schema": { "type": "string" }, "example": "a note" },
                      "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } }
                }
              },
              "delete": { "responses": { "204": { "description": "gone" } } }
            },
            "/health": { "get": { "responses": { "default": { "description": "any", "content": {
              "application/json": { "schema": { "const": { "ok": true } } } } } } } }
          },
          "components": { "schemas": { "Note": {
            "type": "object", "required": ["id", "title"],
            "properties": { "id": { "type": "integer" }, "title": { "type": "string" } } } } }
        }
        """#

    static let backend = #"""
        {
          "backend": "Notes", "contract": "openapi.json",
          "clock": { "start": "2026-03-01T09:00:00Z", "frozen": true },
          "counters": { "made": 0 },
          "defaults": { "headers": { "ETag": "\"1\"" } },
          "routes": {
            "GET /notes": { "json": [{ "id": 1, "title": "first" }] },
            "POST /notes": { "status": 201, "json": { "id": "{{counter.made}}", "title": "{{request.body#/title ?? null}}" } },
            "GET /notes/{id}": {
              "cases": [
                { "when": { "query": { "on": "purpose" } }, "json": { "id": 1 }, "breaks": "old servers forget the title" },
                { "when": { "query": { "late": { "exists": true } } }, "json": { "id": null, "title": "t" },
                  "latency": { "fixed": "1m", "clock": "virtual" } }
              ],
              "json": { "id": "one", "title": "t" }
            },
            "GET /extra": { "text": "extra" }
          }
        }
        """#

    /// The files with some of the scenario's text replaced.
    static func library(_ old: String = "", _ new: String = "") throws -> ScenarioLibrary {
        let text =
            old.isEmpty
            ? backend : backend.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
        let files = MemoryFiles(scenarios: ["backend.json": text, "openapi.json": contract])
        return try ScenarioLibrary("/project/Scenarios/backend.json", files: files)
    }

    static func contractAlone() throws -> ScenarioLibrary {
        try ScenarioLibrary(
            "/project/Scenarios/openapi.json",
            files: MemoryFiles(scenarios: ["openapi.json": contract])
        )
    }
}
