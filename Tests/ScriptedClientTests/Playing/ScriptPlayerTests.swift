import Basics
import JSON
import ScenarioFormat
import Simulation
import Testing

@Suite struct `A player of scripts` {
    @Test(arguments: [
        // Tokens travel where their kinds do.
        "GET /notes with access -> 200", "GET /notes -> 401", "GET /notes with \"x\" as access -> 401",
        "POST /refresh with refresh -> 200", "POST /refresh with access as refresh -> 401", "POST /refresh -> 401",
        "POST /refresh with refresh -> 200\njson {\"other\": 1}",
        "GET /page with page -> 200", "GET /raw with raw -> 200",
        "GET /page with \"x\" as page -> 401", "GET /raw with \"x\" as raw -> 401",
        // What is kept is sent from then on, and what is not is not.
        "POST /refresh with refresh -> 200 keep refresh\nPOST /refresh with refresh -> 200",
        "POST /refresh with refresh -> 200\nPOST /refresh with refresh -> 401",
        "POST /refresh with refresh -> 200 keep access as refresh\nPOST /refresh with refresh -> 401",
        "advance 2h\nGET /notes with access -> 401\nPOST /refresh with refresh -> 200 keep access\n"
            + "GET /notes with access -> 200",
        "remember old = refresh\nPOST /refresh with refresh -> 200 keep refresh\n"
            + "POST /refresh with \"$old\" as refresh -> 401",
        // Each device has its own.
        "POST /refresh with refresh -> 200\ndevice tablet\nPOST /refresh with refresh -> 200\n"
            + "device phone\nPOST /refresh with refresh -> 401",
        // Bodies, fields and values.
        "POST /notes with access -> 201\njson {\"text\": [1, \"ä\"]}\ncheck /is is [1, \"ä\"]",
        "POST /form -> 200\nform a=b c&d=e\ncheck /a is \"b c\"",
        "POST /parts -> 200\npart text \"ä\"\npart file file \"a.jpeg\" image/jpeg 1200\n"
            + "check body is {\"text\": \"ä\", \"size\": 1200}",
        "GET /echo/ä -> 200\ncheck /word is \"ä\"\ncheck /key is null",
        "GET /echo/a -> 200\nheader X-Key: b c\ncheck /key is \"b c\"",
        "GET /notes with access -> 200\ntake id = /data/0/id\ntake text = /data/0/text\n"
            + "GET /echo/$text$id -> 200\ncheck /word is \"$text$id\"\ncheck /word is \"a \\\"b\\\"7\"",
        "GET /notes with access -> 200\ntake note = /data/0\ncheck /data is [$note]\ncheck /data length 1\n"
            + "check /data/0/id is 7\ncheck /data/1 absent\ncheck /data/0/text present\ncheck /data/0/text length 5",
        "GET /empty -> 204\ncheck body empty", "GET /slow -> 200\ncheck bytes 2",
        "GET /slow -> 200\ncheck header Content-Type: application/json",
        "GET /notes with access -> 200\ntake a = /data/0/text\nGET /echo/x?q=$a -> 200\nGET /echo/x/$a -> 404",
        "GET /parent -> 200\ntake path = body\nGET /$path?of=$path -> 200\ncheck /of is \"a/b\"",
        // Other servers.
        "GET images:/a.jpg -> 200\ncheck body is \"a picture\"", "GET images:/b.jpg -> 404",
        "GET /picture -> 200\ntake url = body\nGET $url -> 200\ncheck body is \"a picture\"",
        // Responses that do not come.
        "POST /lost -> lost", "POST /lost -> empty", "GET /reset -> reset", "GET /never -> never",
        "GET /slow -> never\ntimeout 1s", "GET /slow -> 200\ntimeout 3s",
        "launch 1", "exit 1", "client signedOut",
    ])
    func `plays what the server does`(_ lines: String) throws {
        let player = try ScriptedBackend().play(lines)
        #expect(player.complaints.isEmpty, "\(player.complaints)")
    }

    @Test(arguments: [
        ("GET /notes -> 200", "N-1.script:3: GET /notes: wanted 200, but 401 came with an empty body"),
        (
            "wait 1s\nPOST /refresh -> 200",
            "N-1.script:4: POST /refresh: wanted 200, but 401 came: {\"error\":\"invalid_grant\"}"
        ),
        ("GET /slow -> reset", "N-1.script:3: GET /slow: wanted reset, but 200 came: {}"),
        ("GET /reset -> 200", "N-1.script:3: GET /reset: wanted 200, but the response broke: reset"),
        ("GET /reset -> lost", "N-1.script:3: GET /reset: wanted lost, but the response broke: reset"),
        ("GET /never -> 200", "N-1.script:3: GET /never: wanted 200, but nothing came until the client hung up"),
        (
            "GET /notes with access -> 200\ncheck /data/0/id is 8",
            "N-1.script:4: GET /notes: wanted 8 at /data/0/id, but it is 7; 200 came: {\"data\":"
        ),
        (
            "GET /notes with access -> 200\ncheck /data length 2",
            "N-1.script:4: GET /notes: wanted 2 at /data, but there are 1; "
        ),
        (
            "GET /notes with access -> 200\ncheck /data absent",
            "N-1.script:4: GET /notes: wanted nothing at /data, but there is ["
        ),
        (
            "GET /notes with access -> 200\ncheck /date present",
            "N-1.script:4: GET /notes: wanted something at /date, but there is nothing; "
        ),
        (
            "GET /slow -> 200\ncheck body empty",
            "N-1.script:4: GET /slow: wanted an empty body, but it has 2 bytes; "
        ),
        (
            "GET /slow -> 200\ncheck bytes 3",
            "N-1.script:4: GET /slow: wanted a body of 3 bytes, but it has 2; "
        ),
        (
            "GET /slow -> 200\ncheck header Age: 3",
            "N-1.script:4: GET /slow: wanted Age: 3, but there is no such field; "
        ),
        (
            "GET /empty -> 204\ncheck body is 1",
            "N-1.script:4: GET /empty: the body is not valid JSON: the text is empty; "
        ),
        ("GET /slow -> 200\ntake a = /b", "N-1.script:3: GET /slow: there is nothing to take as a; 200 came: {}"),
        (
            "POST /refresh with refresh -> 200 keep page",
            "N-1.script:3: POST /refresh: no page token was granted, but access and refresh"
        ),
        (
            "device desk\nGET /notes with access -> 200",
            "N-1.script:4: GET /notes: desk has no access token stored; it has none at all"
        ),
        (
            "GET /notes with key -> 200",
            "N-1.script:3: GET /notes: there is no kind of token \"key\"; there are access, "
        ),
        ("GET /echo/$a -> 200", "N-1.script:3: GET /echo/$a: nothing has been taken as $a"),
        (
            "GET videos:/a -> 200",
            "N-1.script:3: GET videos:/a: the story has no other server \"videos\"; it has images"
        ),
        (
            "POST /refresh with refresh -> 200\nform a=b",
            "N-1.script:3: POST /refresh: the refresh token travels in a JSON body, and the request has another"
        ),
        ("launch 2", "N-1.script:3: the story has no launch 2; its timeline knows 1"),
    ])
    func `says what it wanted and what came`(_ lines: String, _ complaint: String) throws {
        let found = try ScriptedBackend().play(lines).complaints
        #expect(found.first?.description.hasPrefix(complaint) ?? false, "\(found)")
    }

    @Test func `plays nothing after the line that was not as it says`() throws {
        let player = try ScriptedBackend().play("GET /notes -> 200\nGET /slow -> 200")
        #expect(player.complaints.count == 1 && player.session.journal.count == 1)
    }

    @Test func `leaves out a field that is empty`() throws {
        let player = try ScriptedBackend().play(
            "GET /echo/a -> 200\ncheck /key is \"k\"\nGET /echo/a -> 200\nheader X-Key:\ncheck /key is null",
            always: "always X-Key: k"
        )
        #expect(player.complaints.isEmpty, "\(player.complaints)")
    }

    // MARK: Time

    @Test func `decides at one instant what is together, and lets time pass between lines`() throws {
        let player = try ScriptedBackend().play(
            """
            together
              GET /slow -> 200
              GET /notes with access -> 200
              after 50ms GET /empty -> 204
            end
            wait 1s
            GET /empty -> 204
            """
        )
        #expect(player.complaints.isEmpty, "\(player.complaints)")
        let arrivals = player.session.journal.exchanges.map { $0.arrival.nanoseconds / 1_000_000 - 1_000 }
        #expect(arrivals == [5, 5, 55, 3_016])
        let ends = player.session.journal.exchanges.map { ($0.end?.nanoseconds ?? 0) / 1_000_000 - 1_000 }
        #expect(ends == [2_006, 6, 56, 3_017])
    }

    @Test func `sends with the tokens of the beginning what is together, and with new ones what comes then`() throws {
        let player = try ScriptedBackend().play(
            """
            together
              POST /refresh with refresh -> 200 keep refresh
              then POST /refresh with refresh -> 200 keep refresh
              POST /refresh with refresh -> 401
            end
            """
        )
        #expect(player.complaints.isEmpty, "\(player.complaints)")
    }

    @Test(arguments: ["\"rate\": 1", "\"frozen\": true", "\"automatic\": true"])
    func `waits for responses that wait for the session's clock`(_ clock: String) throws {
        let backend = try ScriptedBackend(#""clock": { \#(clock) }, "expect": [{ "request": "GET /later" }]"#)
        let player = try backend.play("GET /later -> 200\nGET /notes with access -> 401")
        #expect(player.complaints.isEmpty, "\(player.complaints)")
        #expect(player.session.time(at: player.wire.now) - player.session.start >= .seconds(3 * 3_600))
    }

    // MARK: Gates

    @Test(arguments: [
        (#""until": 2, "order": "reversed""#, "GET /held -> 200\nGET /held -> 200", [2, 1] as [UInt64], true),
        (#""until": 3, "quiet": "1s", "order": "arrival""#, "GET /held -> 200\nGET /held -> 200", [1, 2], false),
        (
            #""until": { "answered": "POST /login" }, "decide": "release""#,
            "GET /held -> 200\nPOST /login -> 200",
            [2], true
        ),
    ])
    func `holds requests at a gate until it opens`(
        _ gate: String,
        _ requests: String,
        _ order: [UInt64],
        _ isReached: Bool
    ) throws {
        let backend = try ScriptedBackend(
            #""hold": { "name": "gate", "requests": "GET /held", \#(gate) }, "expect": [{ "request": "GET /held" }]"#
        )
        let player = try backend.play("together\n\(requests)\nend")
        #expect(player.complaints.isEmpty, "\(player.complaints)")
        let account = try #require(player.session.gateStatistics.first)
        #expect(account.openings.map(\.exchanges) == [order])
        #expect(account.isReached == isReached)
    }

    // MARK: Launches

    @Test func `starts the client again when the timeline says so`() throws {
        let backend = try ScriptedBackend(
            #""timeline": [{ "at": "2h", "launch": 2 }], "expect": [{ "request": "GET /notes", "launch": 2 }]"#
        )
        let player = try backend.play("exit 3\nlaunch 2\nGET /notes with access -> 401")
        #expect(player.complaints.isEmpty, "\(player.complaints)")
        #expect(player.session.client.launch == 2)
        #expect(player.exitCodes == [3, 0])
    }
}
