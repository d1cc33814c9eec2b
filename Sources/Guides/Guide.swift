/// A guide of the documentation; its Markdown is compiled in, so that `backlot help NAME` needs no file.
package struct Guide: Sendable {
    /// The name of its file in `Guides.docc`, without `.md`.
    package let name: String
    /// Names of tools and formats that it is about, in lower case, besides those in its name.
    package let keywords: [String]
    private let bytes: [UInt8]

    private init(_ name: String, _ bytes: [UInt8], keywords: [String] = []) {
        self.name = name
        self.bytes = bytes
        self.keywords = keywords
    }

    /// What stands in the file.
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

    /// All of them, in the order in which they are best read.
    ///
    /// The list of `resources` in `Package.swift` has the same names. The file `example-clients.md` is left out: it is
    /// code to look at in the repository.
    package static let all = [
        Guide("getting-started", PackageResources.getting_started_md),
        Guide("your-own-backend", PackageResources.your_own_backend_md),
        Guide("test-your-swift-client", PackageResources.test_your_swift_client_md),
        Guide("judge-any-client", PackageResources.judge_any_client_md),
        Guide("explore", PackageResources.explore_md),
        Guide("contracts-in-ci", PackageResources.contracts_in_ci_md),
        Guide("time-and-tokens", PackageResources.time_and_tokens_md),
        Guide("recipes", PackageResources.recipes_md),
        Guide("collections", PackageResources.collections_md),
        Guide("scenario-reference", PackageResources.scenario_reference_md),
        Guide("commands", PackageResources.commands_md),
        Guide("admin-api", PackageResources.admin_api_md),
        Guide("shared-instance", PackageResources.shared_instance_md),
        Guide("responses-and-variants", PackageResources.responses_and_variants_md),
        Guide("troubleshooting", PackageResources.troubleshooting_md),
        Guide("coming-from", PackageResources.coming_from_md, keywords: ["postman"]),
        Guide("coming-from-wiremock", PackageResources.coming_from_wiremock_md),
        Guide("coming-from-prism", PackageResources.coming_from_prism_md),
        Guide("coming-from-mockoon", PackageResources.coming_from_mockoon_md),
        Guide("coming-from-json-server", PackageResources.coming_from_json_server_md),
        Guide(
            "coming-from-moya-stubs",
            PackageResources.coming_from_moya_stubs_md,
            keywords: ["ohhttpstubs", "mocker", "urlprotocol"]
        ),
        Guide(
            "coming-from-charles",
            PackageResources.coming_from_charles_md,
            keywords: ["proxyman", "mitmproxy", "har"]
        ),
        Guide("coming-from-pact", PackageResources.coming_from_pact_md, keywords: ["mockserver"]),
    ]
}
