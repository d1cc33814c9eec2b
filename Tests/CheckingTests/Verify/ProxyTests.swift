import Basics
import Checking
import HTTPCodec
import TestSupport
import Testing

@Suite("The proxies of the environment")
struct ProxyTests {
    private func fetch(_ address: String, _ environment: [String: String]) throws -> GivenDocument {
        var trust = ServerTrust()
        trust.environment = environment
        return try GivenDocument(
            at: address,
            timeout: .seconds(20),
            trust: trust,
            in: MemoryFiles(["other.json": "{}"])
        )
    }

    @Test("get requests over plain HTTP with the whole address, and credentials")
    func forwards() async throws {
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok, body: Array("{}".utf8)) }) { backend, url in
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                let proxy = url.replacing("http://", with: "http://ann:p%40ss@")
                _ = try fetch("http://api.example.test:8080/a/b.json?c=d", [name: proxy, "no_proxy": "other.test"])
            }
            #expect(
                backend.requests.map(\.target)
                    == Array(repeating: "http://api.example.test:8080/a/b.json?c=d", count: 3)
            )
            let request = try #require(backend.requests.first)
            #expect(request.fields["Host"] == "api.example.test:8080")
            #expect(request.fields["Proxy-Authorization"] == "Basic YW5uOnBAc3M=")
        }
    }

    @Test("are asked to connect to https servers, and their refusal is reported")
    func reportsRefusal() async throws {
        // A server that is no proxy refuses the method.
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok) }) { _, url in
            let error = #expect(throws: VerificationProblem.self) {
                try fetch("https://api.example.test/b.json", ["HTTPS_PROXY": String(url.dropFirst("http://".count))])
            }
            let words = "refused to connect to api.example.test:443: "
            #expect(error?.sentence.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "are not used for this machine and the hosts in no_proxy",
        arguments: ["*", "example.test", ".b.example.test", "x, a.b.example.test:1"]
    )
    func excepts(list: String) async throws {
        try await LiveBackend.run({ _, _ in HTTPResponse(status: .ok, body: Array("{}".utf8)) }) { backend, url in
            let environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": list]
            _ = try fetch(url + "/direct.json", environment)
            #expect(backend.requests.map(\.target) == ["/direct.json"])
            // The name cannot be resolved, and the proxy is not asked.
            let error = #expect(throws: VerificationProblem.self) {
                try fetch("http://a.b.example.test:1/", environment)
            }
            #expect(error?.sentence.contains("proxy") == false, "\(String(describing: error))")
        }
    }

    @Test("are reported where they are of another kind, or do not listen")
    func reportsOthers() throws {
        for (proxy, words) in [
            ("socks5://127.0.0.1:1", "does not name an HTTP proxy"),
            ("http://127.0.0.1:1", "127.0.0.1:1 cannot be reached"),
        ] {
            let error = #expect(throws: VerificationProblem.self) {
                try fetch("http://api.example.test/b.json", ["http_proxy": proxy])
            }
            #expect(error?.sentence.contains(words) == true, "\(String(describing: error))")
        }
    }
}
