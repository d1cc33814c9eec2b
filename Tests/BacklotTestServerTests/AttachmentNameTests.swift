import Testing

@testable import BacklotTestServer

@Suite struct `The name of an attachment` {
    @Test(arguments: [
        ("an expired token is renewed", "an-expired-token-is-renewed-page.html"),
        ("-[PetsTests test_refresh_keepsSession]", "PetsTests-test_refresh_keepsSession-page.html"),
        ("PetsTests.test_refresh", "PetsTests-test_refresh-page.html"), ("토큰 만료", "토큰-만료-page.html"),
        ("../a/b: \"c\"\u{0}", "a-b-c-page.html"), ("?!", "page.html"), ("", "page.html"),
    ])
    func `begins with the test's`(test: String, name: String) {
        #expect(String.attachment("page.html", of: test) == name)
    }

    @Test func `is that of the test that runs`() {
        #expect(String.attachment("page.html") == "is-that-of-the-test-that-runs-page.html")
    }

    @Test("A name for people") func named() {
        #expect(String.attachment("page.html") == "A-name-for-people-page.html")
    }

    @Test func `is no longer than a file's name may be`() {
        let name = String.attachment("page.html", of: String(repeating: "만료", count: 100))
        #expect(name.utf8.count <= 110 && name.hasSuffix("-page.html"))
    }
}
