import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Conditional requests, ranges, encodings and other origins.
@Suite
struct `A response` {
    private static let notes = """
        "collections": {"notes": {"items": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}},
        "defaults": {"latency": "0s"},
        "routes": {
            "GET /notes": {"etag": true, "find": {"all": {"all": "notes"}}, "json": "{{found.all#/items}}"},
            "GET /notes/{id}": {"etag": "note", "find": {"note": {"one": "notes", "where": {"/id": "{{request.path.id}}"}}},
                "cases": [{"when": {"found": {"note": false}}, "status": 404}], "json": "{{found.note}}"},
            "PUT /notes/{id}": {"etag": "note", "find": {"note": {"one": "notes", "where": {"/id": "{{request.path.id}}"}}},
                "cases": [{"when": {"found": {"note": false}}, "status": 404}],
                "then": [{"update": "note", "set": {"/text": "{{request.body#/text}}"}}], "json": "{{found.note}}"},
            "GET /dated": {"etag": true, "headers": {"Last-Modified": "Sun, 01 Mar 2026 09:00:00 GMT",
                "Cache-Control": "max-age=60"}, "json": {}},
            "GET /written": {"etag": true, "headers": {"ETag": "\\"v1\\""}, "json": {}},
            "GET /plain": {"headers": {"ETag": "\\"v1\\""}, "json": {}}}
        """

    // MARK: Conditional requests

    @Test
    func `has a tag of its body, and is not sent again to who has it`() throws {
        var client = try SessionClient(Self.notes)
        let first = client.send("GET /notes")
        let tag = try #require(first.fields["ETag"])
        #expect(first.status == 200 && client.send("GET /notes").fields["ETag"] == tag)
        for field in [tag, "W/\(tag)", "\"x\", \(tag)", "W/\"x\" ,  W/\(tag)", "*", "junk, \(tag)"] {
            let again = client.send("GET /notes", headers: ["If-None-Match": field])
            #expect(again.status == 304 && again.text.isEmpty && again.fields["ETag"] == tag, "\(field)")
            #expect(again.fields["Content-Type"] == nil && again.fields["Date"] != nil)
        }
        for field in ["\"x\"", "", "x", tag.dropLast() + "x\"", "\""] {
            #expect(client.send("GET /notes", headers: ["If-None-Match": String(field)]).status == 200, "\(field)")
        }
        #expect(client.send("HEAD /notes", headers: ["If-None-Match": tag]).status == 304)
    }

    @Test
    func `has another tag after a change`() throws {
        var client = try SessionClient(Self.notes)
        let list = try #require(client.send("GET /notes").fields["ETag"])
        client.send("PUT /notes/1", body: #"{"text": "c"}"#)
        #expect(client.send("GET /notes", headers: ["If-None-Match": list]).status == 200)
    }

    @Test
    func `to a change of an old version is 412, and nothing changes`() throws {
        var client = try SessionClient(Self.notes)
        let tag = try #require(client.send("GET /notes/1").fields["ETag"])
        let stale = client.send("PUT /notes/1", headers: ["If-Match": "\"old\""], body: #"{"text": "lost"}"#)
        #expect(stale.status == 412 && stale.problem == "precondition-failed" && stale.fields["ETag"] == tag)
        #expect(client.send("GET /notes/1").json["text"] == "a")
        let weak = client.send("PUT /notes/1", headers: ["If-Match": "W/\(tag)"], body: #"{"text": "weak"}"#)
        #expect(weak.status == 412)
        let fresh = client.send("PUT /notes/1", headers: ["If-Match": tag], body: #"{"text": "c"}"#)
        #expect(fresh.status == 200 && fresh.fields["ETag"] != tag)
        #expect(client.send("GET /notes/1").fields["ETag"] == fresh.fields["ETag"])
        #expect(client.send("PUT /notes/1", headers: ["If-None-Match": "*"], body: #"{"text": "d"}"#).status == 412)
        #expect(client.send("PUT /notes/1", headers: ["If-Match": "*"], body: #"{"text": "d"}"#).status == 200)
        #expect(client.send("PUT /notes/9", headers: ["If-Match": "\"x\""], body: #"{"text": "d"}"#).status == 404)
    }

    @Test(arguments: [
        ("If-Modified-Since", "Sun, 01 Mar 2026 09:00:00 GMT", 304),
        ("If-Modified-Since", "Sun, 01 Mar 2026 08:59:59 GMT", 200),
        ("If-Modified-Since", "yesterday", 200), ("If-Unmodified-Since", "Sun, 01 Mar 2026 08:59:59 GMT", 412),
        ("If-Unmodified-Since", "Sun, 01 Mar 2026 09:00:00 GMT", 200), ("If-Match", "\"x\"", 412),
        ("If-Match", "*", 200),
    ])
    func `goes by its date, too`(name: String, value: String, status: Int) throws {
        var client = try SessionClient(Self.notes)
        var fields = HTTPFields()
        fields.append(name, value)
        let answer = client.send("GET /dated", headers: fields)
        #expect(answer.status == status)
        if status == 304 { #expect(answer.fields["Last-Modified"] != nil && answer.fields["Cache-Control"] != nil) }
    }

    @Test
    func `keeps the tag that is written for it, and without a word nothing is conditional`() throws {
        var client = try SessionClient(Self.notes)
        #expect(client.send("GET /written", headers: ["If-None-Match": "W/\"v1\", \"v0\""]).status == 304)
        #expect(client.send("GET /plain", headers: ["If-None-Match": "\"v1\""]).status == 200)
    }

    // MARK: Ranges

    @Test(arguments: [
        ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=4-", 206, "456789", "bytes 4-9/10"),
        ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=8-99", 206, "89", "bytes 8-9/10"), ("Bytes=0-0", 206, "0", "bytes 0-0/10"),
        ("bytes=10-", 416, "", "bytes */10"), ("bytes=-0", 416, "", "bytes */10"),
        ("bytes=99999999999999999999-", 416, "", "bytes */10"),
        ("bytes=5-3", 200, "0123456789", ""), ("bytes=0-1,4-5", 200, "0123456789", ""),
        ("items=0-1", 200, "0123456789", ""),
        ("bytes=-", 200, "0123456789", ""), ("bytes=a-b", 200, "0123456789", ""), ("bytes=0--1", 200, "0123456789", ""),
    ])
    func `is sent in part`(range: String, status: Int, text: String, content: String) throws {
        var client = try SessionClient(#""routes": {"GET /f": {"ranges": true, "text": "0123456789"}}"#)
        let answer = client.send("GET /f", headers: ["Range": range])
        #expect(answer.status == status && answer.fields["Content-Range"] ?? "" == content)
        if status != 416 { #expect(answer.text == text) }
        #expect(answer.fields["Accept-Ranges"] == "bytes")
        #expect(client.send("HEAD /f", headers: ["Range": range]).status == 200)
    }

    @Test
    func `is sent whole where the client has another version`() throws {
        var client = try SessionClient(
            #""routes": {"GET /f": {"ranges": true, "etag": true, "text": "0123456789"}, "GET /g": {"text": "01"}}"#
        )
        let tag = try #require(client.send("GET /f").fields["ETag"])
        #expect(client.send("GET /f", headers: ["Range": "bytes=0-1", "If-Range": tag]).status == 206)
        #expect(client.send("GET /f", headers: ["Range": "bytes=0-1", "If-Range": "\"x\""]).status == 200)
        #expect(client.send("GET /f", headers: ["Range": "bytes=0-1", "If-Range": "W/\(tag)"]).status == 200)
        #expect(client.send("GET /g", headers: ["Range": "bytes=0-1"]).status == 200)
    }

    // MARK: Encodings

    @Test(arguments: [
        ("gzip", true), ("deflate, gzip;q=0.5", true), ("*", true), ("GZIP", true), ("", false), ("identity", false),
        ("gzip;q=0", false), ("*, gzip;q=0.0", false), ("br", false), ("*;q=0", false),
    ])
    func `is compressed for who takes it, and the journal keeps it as it was`(field: String, isCompressed: Bool) throws
    {
        var client = try SessionClient(#""routes": {"GET /f": {"gzip": true, "etag": true, "json": {"a": 1}}}"#)
        let answer = client.send("GET /f", headers: ["Accept-Encoding": field])
        #expect(answer.decision.isCompressed == isCompressed && answer.json == ["a": 1])
        #expect(answer.fields["Content-Encoding"] == (isCompressed ? "gzip" : nil))
        #expect(answer.fields["Vary"] == "Accept-Encoding")
        let tag = try #require(answer.fields["ETag"])
        #expect(tag.hasPrefix("W/") == isCompressed)
        #expect(client.send("GET /f", headers: ["If-None-Match": tag, "Accept-Encoding": field]).status == 304)
    }

    // MARK: Lists

    private static func pages(_ page: String) -> String {
        """
        "collections": {"notes": {"items": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}]}},
        "routes": {"GET /notes": {"find": {"list": {"all": "notes", "show": "/id", "page": \(page)}},
            "headers": {"Link": ["</notes?page={{found.list#/next ?? omit}}>; rel=\\"next\\"", "</notes>; rel=\\"first\\""]},
            "json": "{{found.list#/items}}"}}
        """
    }

    @Test
    func `begins with page 1, and its last page has no next`() throws {
        var client = try SessionClient(
            Self.pages(#"{"number": "{{request.query.page as number ?? 1}}", "first": 1, "limit": 2}"#)
        )
        #expect(client.send("GET /notes").json == [1, 2])
        let second = client.send("GET /notes?page=2")
        #expect(second.json == [3, 4])
        #expect(second.fields.values(of: "Link") == ["</notes?page=3>; rel=\"next\"", "</notes>; rel=\"first\""])
        let last = client.send("GET /notes?page=3")
        #expect(last.json == [5] && last.fields.values(of: "Link") == ["</notes>; rel=\"first\""])
        for page in ["4", "9223372036854775807"] {
            #expect(client.send("GET /notes?page=\(page)").json == [], "\(page)")
        }
        for page in ["0", "-1", "x"] { #expect(client.send("GET /notes?page=\(page)").json == [1, 2], "\(page)") }
    }

    @Test
    func `begins after an offset`() throws {
        var client = try SessionClient(
            Self.pages(#"{"offset": "{{request.query.offset as number ?? 0}}", "limit": 2}"#)
        )
        #expect(client.send("GET /notes").json == [1, 2])
        #expect(client.send("GET /notes").fields["Link"] == "</notes?page=2>; rel=\"next\"")
        #expect(client.send("GET /notes?offset=3").json == [4, 5])
        for offset in ["5", "99"] { #expect(client.send("GET /notes?offset=\(offset)").json == [], "\(offset)") }
        for offset in ["-1", "x"] { #expect(client.send("GET /notes?offset=\(offset)").json == [1, 2], "\(offset)") }
    }

    // MARK: Other origins

    private static let shared = """
        "tokens": {"kinds": {"access": {"lifetime": "1h"}}},
        "guards": [{"when": {"header": {"X-Old": "1"}}, "status": 426}],
        "routes": {"GET /a": {"json": {}}, "DELETE /a": {"requires": "access"},
            "GET /own": {"headers": {"Access-Control-Allow-Origin": "https://own"}, "json": {}}}
        """

    @Test
    func `may be read by pages of every origin, whatever answers`() throws {
        var client = try SessionClient("\"cors\": true, \(Self.shared)")
        let origin: HTTPFields = ["Origin": "https://app.example.com"]
        for (request, status) in [("GET /a", 200), ("DELETE /a", 401), ("POST /a", 405), ("GET /nowhere", 404)] {
            let answer = client.send(request, headers: origin)
            #expect(answer.status == status && answer.fields["Access-Control-Allow-Origin"] == "*", "\(request)")
        }
        let guarded = client.send("GET /a", headers: ["Origin": "https://x", "X-Old": "1"])
        #expect(guarded.status == 426 && guarded.fields["Access-Control-Allow-Origin"] == "*")
        #expect(
            client.send("GET /own", headers: origin).fields.values(of: "Access-Control-Allow-Origin") == ["https://own"]
        )
        #expect(client.send("GET /a").fields["Access-Control-Allow-Origin"] == nil)
        #expect(client.send("GET /b", headers: origin).problem == "no-route")
    }

    @Test
    func `to a preflight names the methods of the path, and of an unknown path is 404`() throws {
        var client = try SessionClient("\"cors\": {\"maxAge\": \"10m\"}, \(Self.shared)")
        let asked: HTTPFields = [
            "Origin": "https://x", "Access-Control-Request-Method": "DELETE",
            "Access-Control-Request-Headers": "authorization, x-a",
        ]
        let preflight = client.send("OPTIONS /a", headers: asked)
        #expect(preflight.status == 204 && preflight.fields["Access-Control-Allow-Origin"] == "*")
        #expect(preflight.fields["Access-Control-Allow-Methods"]?.contains("DELETE") == true)
        #expect(preflight.fields["Access-Control-Allow-Headers"] == "authorization, x-a")
        #expect(preflight.fields["Access-Control-Max-Age"] == "600")
        #expect(client.send("OPTIONS /nowhere", headers: asked).status == 404)
        #expect(client.send("OPTIONS /a").fields["Access-Control-Allow-Methods"] == nil)
    }

    @Test
    func `may be read by these origins alone, with cookies`() throws {
        let rule = #""cors": {"origins": ["https://a"], "headers": ["X-A"], "expose": ["ETag"], "credentials": true}"#
        var client = try SessionClient("\(rule), \(Self.shared)")
        let fields = client.send("GET /a", headers: ["Origin": "https://a"]).fields
        #expect(fields["Access-Control-Allow-Origin"] == "https://a" && fields["Vary"] == "Origin")
        #expect(
            fields["Access-Control-Allow-Credentials"] == "true" && fields["Access-Control-Expose-Headers"] == "ETag"
        )
        let foreign = client.send("GET /a", headers: ["Origin": "https://b"])
        #expect(foreign.status == 200 && foreign.fields["Access-Control-Allow-Origin"] == nil)
        #expect(foreign.fields["Vary"] == "Origin")
        let asked: HTTPFields = [
            "Origin": "https://a", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-b",
        ]
        #expect(client.send("OPTIONS /a", headers: asked).fields["Access-Control-Allow-Headers"] == "X-A")
    }
}
