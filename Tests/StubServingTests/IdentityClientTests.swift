import Basics
import StubServing
import TestSupport
import Testing

/// What libraries of other authors make of an issuer over HTTP: discovery, keys and tokens.
///
/// Each test is skipped where `python3` cannot import its libraries: `pip install authlib pyjwt cryptography requests`.
@Suite(.timeLimit(.minutes(15)))
struct `An issuer to other libraries` {
    private static func library(_ algorithm: String) throws -> ScenarioLibrary {
        let text = """
            {"backend": "Id", "accounts": {"ada": {"username": "ada", "password": "secret", "email": "ada@example.com"}},
             "issuer": {"algorithm": "\(algorithm)", "clients": {"app": {"redirects": ["http://localhost/cb"]}}}}
            """
        return try ScenarioLibrary("/project/backend.json", files: MemoryFiles(["backend.json": text]))
    }

    @Test(
        .enabled("python3 has no authlib, PyJWT, cryptography and requests") {
            await Python.imports("authlib", "jwt", "cryptography", "requests")
        },
        arguments: ["RS256", "ES256"]
    )
    func `is discovered, signed in to and verified, before and after a rotation of its keys`(algorithm: String)
        async throws
    {
        let program = """
            import json, sys, time, urllib.parse, warnings
            warnings.simplefilter("ignore")
            import jwt, requests
            from authlib.common.security import generate_token
            from authlib.integrations.base_client import BaseApp, OAuth2Mixin, OpenIDMixin
            from authlib.integrations.requests_client import OAuth2Session
            from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
            from authlib.oidc.core import CodeIDToken
            from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url
            from authlib.jose import JsonWebKey, jwt as jose
            base, algorithm = sys.argv[1], sys.argv[2]
            # As behind a proxy with TLS, whose fields requests sends here.
            proxied = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "id.example.com"}
            address = get_well_known_url(base, external=True)
            metadata = requests.get(address, headers=proxied).json()
            assert metadata["issuer"] == "https://id.example.com", metadata
            for kind in [AuthorizationServerMetadata, OpenIDProviderMetadata]:
                kind(metadata).validate()
            # As a web application is told where it signs in: by the address of the document alone.
            class App(OAuth2Mixin, OpenIDMixin, BaseApp):
                client_cls = OAuth2Session
            web = App(None, name="id", client_id="app", server_metadata_url=address,
                      client_kwargs={"scope": "openid email", "code_challenge_method": "S256",
                                     "token_endpoint_auth_method": "none"})
            asked = web.create_authorization_url("http://localhost/cb")
            sent = requests.get(asked["url"], allow_redirects=False).headers["Location"]
            code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(sent).query))["code"]
            token = web.fetch_access_token("http://localhost/cb", code=code, code_verifier=asked["code_verifier"])
            claims = web.parse_id_token(token, nonce=asked["nonce"], leeway=10 ** 10)
            assert claims["email"] == "ada@example.com", claims
            document = requests.get(base + "/.well-known/openid-configuration").json()
            assert web.load_server_metadata()["issuer"] == document["issuer"] == base
            def sign_in():
                verifier, nonce = generate_token(48), generate_token(16)
                app = OAuth2Session("app", scope="openid email", redirect_uri="http://localhost/cb",
                                    code_challenge_method="S256", token_endpoint_auth_method="none")
                url, state = app.create_authorization_url(document["authorization_endpoint"], code_verifier=verifier,
                                                          nonce=nonce)
                sent = requests.get(url, allow_redirects=False).headers["Location"]
                app.fetch_token(document["token_endpoint"], authorization_response=sent, state=state,
                                code_verifier=verifier)
                return app.token, nonce
            def verify(token, nonce):
                keys = requests.get(document["jwks_uri"]).json()
                claims = jose.decode(token["id_token"], JsonWebKey.import_key_set(keys), claims_cls=CodeIDToken,
                                     claims_options={"iss": {"values": [document["issuer"]]}},
                                     claims_params={"nonce": nonce, "client_id": "app"})
                claims.validate(now=claims["iat"] + 1)
                for name, audience in [("id_token", "app"), ("access_token", None)]:
                    key = jwt.PyJWKClient(document["jwks_uri"]).get_signing_key_from_jwt(token[name])
                    jwt.decode(token[name], key.key, algorithms=[algorithm], audience=audience,
                               issuer=document["issuer"], options={"verify_exp": False, "verify_iat": False})
            first = sign_in()
            verify(*first)
            rotation = requests.post(base + "/__backlot/events", json={"rotateKeys": "1h"})
            assert rotation.status_code < 300, rotation.text
            second = sign_in()
            assert jwt.get_unverified_header(first[0]["id_token"])["kid"] != \
                jwt.get_unverified_header(second[0]["id_token"])["kid"]
            verify(*first)
            verify(*second)
            assert requests.get(document["userinfo_endpoint"], headers={
                "Authorization": "Bearer " + second[0]["access_token"]}).json()["email"] == "ada@example.com"
            print("all of it")
            """
        try await withStub(try Self.library(algorithm)) { stub in
            let output = try await Python.run(program, "http://127.0.0.1:\(stub.port)", algorithm)
            #expect(output == "all of it\n")
        }
    }
}
