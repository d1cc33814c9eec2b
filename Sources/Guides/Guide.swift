import Basics

/// A guide of the documentation; its Markdown is compiled in, so that `backlot help NAME` needs no file.
package struct Guide: Sendable {
    /// The name of its file in `Guides.docc`, without `.md`.
    package let name: String
    /// The names of tools, formats and tasks that lead to the guide, in lower case, in addition to the words of its name.
    package let keywords: [String]

    private init(_ name: String, keywords: [String] = []) {
        self.name = name
        self.keywords = keywords
    }

    private var bytes: UnsafeBufferPointer<UInt8> { EmbeddedFile.bytes(of: "\(name).md") }

    /// The contents of the file.
    package var markdown: String { String(decoding: bytes, as: UTF8.self) }

    /// The heading, which is the first line.
    package var title: String { line(0).hasPrefix("# ") ? String(line(0).dropFirst(2)) : name }

    /// The first paragraph, one sentence on the third line, without its full stop.
    package var abstract: String { line(2).hasSuffix(".") ? String(line(2).dropLast()) : line(2) }

    /// One of the first lines.
    ///
    /// Every start of the command asks for them, so the rest of the text is not looked at.
    private func line(_ number: Int) -> String {
        var rest = bytes[...]
        for _ in 0..<number { rest = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst() }
        return String(decoding: rest.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The text for a terminal, in lines of at most this width, where no word or line of code is longer.
    package func text(columns: Int) -> String { TerminalText(markdown, columns: columns).text }

    /// All of them, in the order of a user's questions: see it, add it, describe a backend, judge a client, put it in CI,
    /// understand a message, look something up.
    ///
    /// `EmbeddedFiles.c` has the same names.
    package static let all = [
        Guide("getting-started"),
        Guide("add-to-your-package", keywords: ["package", "spm", "swiftpm", "xcode"]),
        Guide("install", keywords: ["homebrew", "brew", "mise", "mint", "docker", "container"]),
        Guide("your-own-backend"),
        Guide("test-your-swift-client"),
        Guide(
            "client-styles",
            keywords: ["alamofire", "combine", "interceptor", "completion", "publisher", "generated"]
        ),
        Guide("judge-any-client"),
        Guide("rules"),
        Guide("contracts-in-ci"),
        Guide("staging", keywords: ["proxy", "forward", "upstream"]),
        Guide("verify-a-server"),
        Guide("troubleshooting"),
        Guide("explore"),
        Guide("for-programs", keywords: ["agent", "json", "mcp", "skill", "prove"]),
        Guide("captured-traffic", keywords: ["recording"]),
        Guide("processes-and-stores", keywords: ["extension", "widget", "keychain"]),
        Guide("build-servers", keywords: ["github", "gitlab", "bitbucket", "ci"]),
        Guide("editors", keywords: ["vscode", "yaml", "schemastore"]),
        Guide("xcode-and-maestro", keywords: ["xcode", "maestro", "phone", "xctestplan", "simulator"]),
        Guide("https", keywords: ["tls", "ssl", "certificate", "openssl", "libssl", "pinning"]),
        Guide("time-and-tokens"),
        Guide("recipes"),
        Guide("recipes-tokens", keywords: ["oauth", "rotation", "refresh", "background"]),
        Guide("recipes-oauth", keywords: ["oidc", "openid", "pkce", "dpop", "jwks"]),
        Guide("recipes-clocks", keywords: ["skew", "iat", "date"]),
        Guide("recipes-rate-limits", keywords: ["429", "retry-after", "throttling"]),
        Guide("recipes-faults", keywords: ["503", "upload", "latency", "timeout", "offline"]),
        Guide("recipes-flags", keywords: ["maintenance", "426"]),
        Guide("recipes-paging", keywords: ["pagination", "cursor", "offset", "link"]),
        Guide("recipes-http", keywords: ["cookies", "cors", "etag", "gzip", "caching"]),
        Guide("recipes-streams", keywords: ["websocket", "sse", "ndjson"]),
        Guide("recipes-graphql"),
        Guide("recipes-payments", keywords: ["idempotency", "stripe"]),
        Guide("collections"),
        Guide("scenario-reference"),
        Guide("story-reference"),
        Guide("commands"),
        Guide("admin-api"),
        Guide("shared-instance"),
        Guide("documented-responses"),
        Guide("response-variants"),
        Guide("coming-from", keywords: ["postman"]),
        Guide("coming-from-wiremock"),
        Guide("coming-from-prism"),
        Guide("coming-from-mockoon"),
        Guide("coming-from-json-server"),
        Guide(
            "coming-from-moya-stubs",
            keywords: ["ohhttpstubs", "mocker", "urlprotocol"]
        ),
        Guide(
            "coming-from-charles",
            keywords: ["proxyman", "mitmproxy", "har"]
        ),
        Guide("coming-from-pact", keywords: ["mockserver"]),
    ]
}
