import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures
import Simulation
import TestSupport
import Testing

/// DPoP at the issuer's endpoints; each test names the section.
@Suite
struct `Proofs of possession at an issuer, by RFC 9449` {
    private typealias Client = IssuerTestClient

    // MARK: DPoP (RFC 9449)

    private struct Prover {
        var key = TestKeys.p256(seed: "client")
        var number = 0

        mutating func fields(
            _ method: String = "POST",
            _ uri: String = "http://id.test/oauth/token",
            token: String? = nil,
            time: JSONValue = .number(JSONNumber(Int(SessionClient.start.seconds))),
            type: String = "dpop+jwt",
            nonce: String? = nil
        ) throws -> HTTPFields {
            number += 1
            var claims = JSONObject([
                ("jti", .string("\(key.thumbprint) \(number)")), ("htm", .string(method)), ("htu", .string(uri)),
                ("iat", time),
            ])
            if let token { claims["ath"] = .string(Base64.encodeURL(SHA256.hash(Array(token.utf8)))) }
            if let nonce { claims["nonce"] = .string(nonce) }
            var jwk = try #require(key.publicJSON?.object)
            for name in ["alg", "use", "kid"] { jwk[name] = nil }
            let header = JSONObject([("typ", .string(type)), ("jwk", .object(jwk))])
            let payload = JSONValue.object(claims).utf8(.compact)
            let proof = JSONWebSignature.compact(payload, header: header, key: try #require(key.signingKey))
            return ["DPoP": proof]
        }
    }

    @Test
    func `writes descriptions of errors in the characters that are allowed (RFC 6749, 5.2)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        let proofs = [
            try prover.fields("GET"), try prover.fields("POST", "http://other.test/\"ü\\"), ["DPoP": "x"],
            try prover.fields(time: 5), try prover.fields(type: "JWT"), ["DPoP": "a.b.c"],
            try prover.fields(time: "soon"),
        ]
        for proof in proofs {
            let answer = client.password("openid", proof)
            try client.expect(400, "invalid_dpop_proof", answer)
            let text = answer.json["error_description"]?.string ?? ""
            #expect(!text.isEmpty)
            #expect(text.utf8.allSatisfy { 0x20...0x21 ~= $0 || 0x23...0x5B ~= $0 || 0x5D...0x7E ~= $0 }, "\(text)")
        }
    }

    @Test
    func `keeps bound tokens and Bearer tokens apart (RFC 9449, 7.1 and 7.2)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        let bound = client.password("openid", try prover.fields()).json["access_token"]?.string ?? ""
        let free = client.password("openid").json["access_token"]?.string ?? ""
        func me(_ scheme: String, _ token: String, proven: Bool) throws -> Int {
            var fields: HTTPFields = ["Authorization": "\(scheme) \(token)", "Host": "id.test"]
            if proven {
                let proof = try prover.fields("GET", "http://id.test/me", token: token)
                fields.append("DPoP", proof["DPoP"] ?? "")
            }
            return client.base.send("GET /me", headers: fields).status
        }
        for scheme in ["DPoP", "dpop", "DPOP"] { #expect(try me(scheme, bound, proven: true) == 200) }
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            #expect(try me(scheme, bound, proven: true) == 401, "\(scheme)")
            #expect(try me(scheme, free, proven: false) == 200, "\(scheme)")
        }
        for isProven in [false, true] {
            for scheme in ["DPoP", "dpop"] { #expect(try me(scheme, free, proven: isProven) == 401) }
        }
    }

    @Test
    func `binds refresh tokens of clients without a secret alone (RFC 9449, 5)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        var other = Prover(key: TestKeys.p256(seed: "other"))
        let secret = Client.basic("svc", "svcsecret")
        func fields(_ proof: HTTPFields) -> HTTPFields {
            var fields = secret
            for field in proof { fields.append(field.name, field.value) }
            return fields
        }
        let login = "grant_type=password&username=ada&password=secret&scope=openid"
        var answer = client.token(login, fields(try prover.fields())).json
        func refresh(_ proof: HTTPFields) -> JSONValue {
            client.token(
                "grant_type=refresh_token&refresh_token=\(answer["refresh_token"]?.string ?? "")",
                fields(proof)
            ).json
        }
        answer = refresh(try other.fields())
        #expect(answer["token_type"] == "DPoP")
        let claims = try JSONWebSignature(unverified: answer["access_token"]?.string ?? "").claims
        #expect(claims?["cnf"] == ["jkt": .string(other.key.thumbprint)])
        answer = refresh(HTTPFields())
        #expect(answer["token_type"] == "Bearer")
        let free = try JSONWebSignature(unverified: answer["access_token"]?.string ?? "").claims
        #expect(free != nil && free?["cnf"] == nil)
        #expect(client.me("Bearer \(answer["access_token"]?.string ?? "")") == 200)
        let open = client.password("openid", try prover.fields()).json["refresh_token"]?.string ?? ""
        let body = "grant_type=refresh_token&client_id=app&refresh_token=\(open)"
        try client.expect(400, "invalid_grant", client.token(body, try other.fields()))
        #expect(client.token(body, try prover.fields()).status == 200)
    }

    @Test
    func `takes a nonce for its lifetime and no longer (RFC 9449, 8)`() throws {
        var (client, prover) = (try Client(#""dpop": "required", "#, tokens: #""dpop": {"nonce": "1m"}"#), Prover())
        let nonce = client.password("openid", try prover.fields()).fields["DPoP-Nonce"] ?? ""
        client.base.advance(.seconds(59))
        let time = JSONValue.number(JSONNumber(Int(SessionClient.start.seconds) + 59))
        #expect(client.password("openid", try prover.fields(time: time, nonce: nonce)).status == 200)
        client.base.advance(.seconds(1))
        let late = client.password("openid", try prover.fields(time: time, nonce: nonce))
        try client.expect(400, "use_dpop_nonce", late)
        #expect(late.fields["DPoP-Nonce"]?.isEmpty == false && late.fields["DPoP-Nonce"] != nonce)
        for made in ["", "1700000060", "1700000060.x", ".", "99999999999999999999.x", "\(nonce)x"] {
            let answer = client.password("openid", try prover.fields(time: time, nonce: made))
            try client.expect(400, "use_dpop_nonce", answer)
        }
    }

    @Test
    func `takes an iat with a fraction (RFC 7519, 2)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        let time = try JSONParser().parse(Array("\(SessionClient.start.seconds).25".utf8)).root
        #expect(client.password("openid", try prover.fields(time: time)).json["token_type"] == "DPoP")
    }
}
