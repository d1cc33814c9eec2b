/// One backend with every placeholder, fault, sequence and kind of wait that there is.
enum EverythingScenario {
    static let text = #"""
        {
          "backend": "Everything",
          "seed": 7,
          "clock": { "start": "2026-03-01T09:00:00Z", "frozen": true },
          "accounts": { "ada": { "id": 7, "name": "Ada", "tags": ["a", "b"] }, "bob": { "id": 8, "name": "Bob" } },
          "devices": { "header": "X-Device" },
          "tokens": {
            "claims": { "sub": "{{account.id}}" },
            "kinds": {
              "access": { "lifetime": "15m", "jti": true },
              "refresh": {
                "lifetime": "2h", "format": "opaque", "in": { "body": "/refreshToken" },
                "rotate": { "grace": "10s", "reuse": "revokeDevice" },
                "reject": { "reused": { "status": 403, "json": { "error": "reused" } }, "*": { "status": 401, "empty": true } }
              }
            }
          },
          "states": { "member": ["new", "known", "left"], "phone": { "values": ["off", "on"], "per": "device" } },
          "counters": { "order": 100, "page": -3 },
          "defaults": { "headers": { "X-Exchange": "{{exchange}}" } },
          "guards": [
            { "name": "teapot", "when": { "header": { "X-Tea": { "exists": true } } }, "order": "beforeTokens", "status": 418, "empty": true }
          ],
          "routes": {
            "GET /all/{id}": {
              "headers": { "X-Random": "{{random.hex(8)}}", "X-Multi": ["{{request.path.id}}", "two"] },
              "json": {
                "method": "{{request.method}}", "target": "{{request.target}}", "path": "{{request.path}}",
                "id": "{{request.path.id}}", "q": "{{request.query.q ?? null}}", "page": "{{request.query.page ?? 1}}",
                "agent": "{{request.header.X-Agent ?? \"nobody\"}}",
                "times": [
                  "{{clock}}", "{{clock(format: seconds)}}", "{{clock(format: milliseconds)}}", "{{clock(format: http)}}",
                  "{{clock(format: yyyy-MM-dd HH:mm:ss.SSS E, zone: +09:00, offset: -1d)}}"
                ],
                "counters": ["{{counter.order}}", "{{counter.page}}", "{{counter.page.current}}"],
                "random": [
                  "{{random.integer(1, 1000000)}}", "{{random.hex(16)}}", "{{random.choice(red, green, blue)}}", "{{uuid}}"
                ],
                "who": ["{{device ?? null}}", "{{account ?? null}}", "{{account.name ?? null}}", "{{account#/tags/0 ?? null}}"],
                "here": ["{{session}}", "{{state.member}}", "{{state.phone}}", "{{exchange}}"],
                "text": "{{request.method}} {{random.integer(1, 6)}} {{clock}}"
              }
            },
            "POST /form": { "text": "{{request.form.name}} {{request.form.age ?? 0}} {{uuid}}" },
            "POST /multi": {
              "json": [
                "{{request.part.note}}", "{{request.part.photo.filename}}", "{{request.part.photo.contentType}}",
                "{{request.part.photo.size}}"
              ]
            },
            "POST /echo": { "json": "{{request.body}}" },
            "POST /pointer": { "json": { "deep": "{{request.body#/a/b ?? null}}", "must": "{{request.body#/must}}" } },
            "POST /login": {
              "signIn": { "device": "{{request.header.X-Device ?? \"phone\"}}", "account": "ada" },
              "grants": { "access": "new", "refresh": "new" },
              "json": {
                "access": "{{token.access}}", "refresh": "{{token.refresh}}",
                "about": ["{{token.access.id}}", "{{token.access.lifetime}}", "{{token.access.issuedAt}}", "{{token.refresh.expiresAt}}"]
              },
              "then": [{ "state": { "member": "known", "phone": "on" } }]
            },
            "POST /refresh": {
              "requires": "refresh",
              "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" }
            },
            "GET /secret": { "requires": { "access": ["valid"] }, "json": { "by": "{{account.name}}", "on": "{{device}}" } },
            "GET /seq/repeat": { "responses": [{ "text": "1" }, { "text": "2" }] },
            "GET /seq/loop": { "responses": [{ "text": "1" }, { "status": 500, "text": "2 {{uuid}}" }, { "empty": true }], "afterLast": "loop" },
            "GET /seq/fail": { "responses": [{ "text": "1" }], "afterLast": "fail" },
            "GET /seq/own": { "responses": [{ "status": 503, "text": "1" }], "afterLast": "own", "text": "own {{exchange}}" },
            "GET /case": {
              "cases": [
                { "when": { "state": { "member": "new" } }, "text": "new", "then": [{ "state": { "member": "known" } }] },
                { "when": { "any": [{ "query": { "left": { "exists": true } } }, { "state": { "phone": "on" } }] },
                  "responses": [{ "text": "left 1" }, { "text": "left 2" }], "then": [{ "state": { "member": "left" } }] }
              ],
              "text": "known"
            },
            "POST /fault/reset": { "fault": "reset", "text": "0123456789" },
            "POST /fault/empty": { "fault": "empty", "text": "0123456789" },
            "POST /fault/lost": { "fault": "lost", "json": "{{counter.order}}" },
            "POST /fault/truncated": { "fault": { "kind": "truncated", "keep": 0.3 }, "text": "0123456789 {{uuid}}" },
            "POST /fault/malformedChunk": { "fault": "malformedChunk", "text": "0123456789 {{uuid}}" },
            "POST /fault/garbage": { "fault": "garbage", "text": "0123456789" },
            "POST /fault/never": { "fault": { "kind": "never", "commits": true }, "json": "{{counter.order}}" },
            "GET /maybe": { "fault": { "kind": "empty", "probability": 0.5 }, "text": "there {{random.integer(1, 100)}}" },
            "GET /slow/uniform": { "latency": { "uniform": ["100us", "2ms"] }, "text": "uniform" },
            "GET /slow/normal": { "latency": { "logNormal": { "median": "500us", "p99": "2ms", "maximum": "3ms" } }, "text": "normal" },
            "GET /slow/virtual": {
              "latency": { "logNormal": { "median": "10m", "p99": "2h", "maximum": "5h" }, "clock": "virtual" }, "text": "virtual {{clock}}"
            },
            "GET /paced/dribble": { "dribble": { "chunks": 3, "over": "2ms" }, "text": "{{random.hex(60)}}" },
            "GET /paced/narrow": { "bandwidth": { "down": "1MB/s" }, "text": "{{random.hex(400)}}" }
          },
          "given": [{ "signIn": "old", "account": "bob", "ago": "3h" }],
          "timeline": [
            { "at": "1h", "counter": { "order": 1000 } },
            { "after": { "request": "GET /case", "count": 3 }, "delay": "20m", "state": { "member": "new" } }
          ]
        }
        """#
}
