import TestSupport
import Testing

/// Real stories, played to clients that are not Swift.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `Smeem's expired splash` {
    private func play(_ command: [String]) async throws -> SpawnedProgram.End {
        try await SpawnedCommand.run(["run", "Scenarios/smeem/splash-refresh-expired.json", "--"] + command)
    }

    @Test(.enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here"))
    func `is passed by a shell script that signs out`() async throws {
        let script = #"""
            token=${BACKLOT_TOKENS#*\"refresh\":\"}; token=${token%%\"*}
            curl -sf "$BACKLOT_URL/api/v2/versions/client/app" || exit 1
            [ "$BACKLOT_LAUNCH" = 1 ] || exit 0
            curl -sf -X POST -H "Authorization: Bearer $token" "$BACKLOT_URL/api/v2/auth/token" && exit 2
            curl -sf -H 'Content-Type: application/json' -d '{"screen":"start"}' "$BACKLOT_ADMIN/client"
            """#
        let end = try await play(["/bin/sh", "-c", script])
        #expect(end.status == 0, "\(end.output)")
    }

    @Test(.enabled(if: Programs.python != nil, "there is no Python here"))
    func `is passed by a Python script that signs out, and failed by one that asks again`() async throws {
        let script = #"""
            import json, os, sys, urllib.error, urllib.request
            url, times = sys.argv[1], int(sys.argv[2])
            token = json.loads(os.environ["BACKLOT_TOKENS"])["refresh"]
            urllib.request.urlopen(url + "/api/v2/versions/client/app").read()
            for _ in range(times if os.environ["BACKLOT_LAUNCH"] == "1" else 0):
                request = urllib.request.Request(url + "/api/v2/auth/token", method="POST")
                request.add_header("Authorization", "Bearer " + token)
                try:
                    urllib.request.urlopen(request)
                    sys.exit("a refresh that should fail did not")
                except urllib.error.HTTPError as error:
                    assert error.code == 401
            told = urllib.request.Request(os.environ["BACKLOT_ADMIN"] + "/client", b'{"screen": "start"}')
            told.add_header("Content-Type", "application/json")
            urllib.request.urlopen(told)
            """#
        let python = try #require(Programs.python)
        let passed = try await play([python, "-c", script, "{url}", "1"])
        #expect(passed.status == 0, "\(passed.output)")
        let failed = try await play([python, "-c", script, "{url}", "3"])
        #expect(failed.status == 1)
        #expect(
            failed.output.contains(
                "expected POST /api/v2/auth/token at most once with status 401, but it arrived 3 times"
            )
        )
    }
}
