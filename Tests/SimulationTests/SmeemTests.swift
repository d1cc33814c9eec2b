import Basics
import JSON
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// Smeem's shipped files, played by hand.
struct SmeemTests {
    private static let diaries = "GET /api/v2/diaries?start=2026-11-01&end=2026-11-30"
    private static let refresh = "POST /api/v2/auth/token"
    private static let signIn = "POST /api/v2/auth"

    private func signIn(_ client: inout SessionClient) throws -> (access: String, refresh: String) {
        let answer = client.send(Self.signIn, token: "from-kakao", body: #"{"social": "KAKAO", "fcmToken": ""}"#)
        #expect(answer.status == 201)
        let access = try #require(answer.json["data"]?["accessToken"]?.string)
        let refresh = try #require(answer.json["data"]?["refreshToken"]?.string)
        return (access, refresh)
    }

    @Test func `A person signs in, comes back after two hours and after two weeks`() throws {
        var client = try SessionClient(smeem: "backend.json")
        let tokens = try signIn(&client)
        #expect(try client.offered == ["+social ? valid"])
        #expect(client.send(Self.diaries, token: tokens.access).status == 200)
        #expect(try client.offered == ["+access access-1 valid"])

        client.advance(.seconds(7_201))
        let late = client.send(Self.diaries, token: tokens.access)
        #expect(late.status == 401)
        #expect(try client.offered == ["-access access-1 expired"])
        let entry = try #require(try client.lastExchange.offered.first)
        #expect(entry.age == .seconds(7_201) && entry.timeLeft == .seconds(-1) && entry.device == "device-1")

        let refreshed = client.send(Self.refresh, token: tokens.refresh)
        #expect(refreshed.status == 200)
        #expect(refreshed.json["data"]?["refreshToken"]?.string == tokens.refresh)
        let newAccess = try #require(refreshed.json["data"]?["accessToken"]?.string)
        #expect(client.send(Self.diaries, token: newAccess).status == 200)

        client.advance(.seconds(14 * 86_400))
        #expect(client.send(Self.refresh, token: tokens.refresh).status == 401)
        #expect(try client.offered == ["-refresh refresh-1 expired"])
    }

    @Test func `After 15 days the refresh is refused with the nested body`() throws {
        var client = try SessionClient(smeem: "splash-refresh-expired.json")
        let answer = client.send(Self.refresh, token: try client.token("refresh", of: "phone").value)
        #expect(answer.status == 401)
        #expect(answer.json["body"]?["success"] == false)
        #expect(answer.json["body"]?["message"] == "유효하지 않은 토큰 ")
        #expect(answer.json["statusCode"] == "UNAUTHORIZED")
        #expect(answer.json["statusCodeValue"] == 401)
        #expect(try client.lastExchange.offered.first?.age == .seconds(15 * 86_400))
    }

    @Test func `Signing out on the phone empties the tablet's stored refresh token`() throws {
        var client = try SessionClient(smeem: "signed-out-elsewhere.json")
        let answer = client.send(Self.refresh, token: try client.token("refresh", of: "tablet").value)
        #expect(answer.status == 200)
        #expect(answer.json["data"]?["refreshToken"]?.isNull == true)
        #expect(answer.json["data"]?["accessToken"]?.string != nil)
        // The phone's token lives on until it expires: the server forgets, it does not revoke.
        #expect(client.send(Self.refresh, token: try client.token("refresh", of: "phone").value).status == 200)
    }

    @Test func `A refresh meets 429 once and then goes through`() throws {
        var client = try SessionClient(smeem: "refresh-too-busy.json")
        let token = try client.token("refresh", of: "phone").value
        #expect(client.send(Self.refresh, token: token).status == 429)
        #expect(client.send(Self.refresh, token: token).status == 200)
        #expect(client.send(Self.refresh, token: token).status == 200)
    }

    @Test func `Two launches both bring the refresh token of the sign-in`() throws {
        var client = try SessionClient(smeem: "second-launch.json")
        let refresh = try client.token("refresh", of: "phone").value
        for launch in 1...2 {
            #expect(client.session.client.launch == launch)
            let answer = client.send(Self.refresh, token: refresh)
            #expect(answer.status == 200)
            let access = try #require(answer.json["data"]?["accessToken"]?.string)
            #expect(client.send(Self.diaries, token: access).status == 200)
            client.pass(.seconds(7_260))
            client.session.catchUp(at: client.now)
            #expect(client.send(Self.diaries, token: access).status == 401)
        }
    }

    @Test func `Another writing call of the same route meets 429 while the first is being answered`() throws {
        var client = try SessionClient(
            """
            "guards": [{"when": {"method": {"not": "GET"}, "inFlight": "route"}, "status": 429, "empty": true}],
            "routes": {"POST /slow": {"latency": "1s"}, "POST /other": {}, "GET /slow": {"latency": "1s"}}
            """
        )
        let first = client.send("POST /slow", ends: false)
        #expect(first.status == 200)
        #expect(client.send("POST /slow").status == 429)
        #expect(client.send("POST /other").status == 200)
        client.end(first.exchange)
        #expect(client.send("POST /slow").status == 200)
        #expect(client.send("GET /slow", ends: false).status == 200)
        #expect(client.send("GET /slow").status == 200)
    }

    @Test func `A deleted member is not found where the server looks, although the token is good`() throws {
        var client = try SessionClient(smeem: "backend.json")
        let tokens = try signIn(&client)
        #expect(client.send("DELETE /api/v2/auth", token: tokens.access).status == 200)
        #expect(client.send("GET /api/v2/members/me", token: tokens.access).status == 404)
        #expect(client.send(Self.refresh, token: tokens.refresh).status == 404)
        let diaries = client.send(Self.diaries, token: tokens.access)
        #expect(diaries.status == 200)
        #expect(diaries.json["data"]?["diaries"] == [])
        #expect(client.send("GET /api/v2/goals").status == 200)
    }

    @Test func `Every shipped file loads and answers what needs no token`() throws {
        let folder = "\(Project.scenarios)/smeem"
        let files = DiskFiles().entries(of: folder).filter { $0.hasSuffix(".json") }
        #expect(files.count > 10)
        for file in files {
            var client = try SessionClient(smeem: file)
            #expect(client.send("GET /api/v2/goals").status == 200, "\(file)")
        }
    }
}
