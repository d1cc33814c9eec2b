import JSON
import Testing

struct JSONPointerTests {
    /// The document of RFC 6901, section 5.
    private static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(arguments: [
        ("/foo", "#/foo", ["bar", "baz"] as JSONValue), ("/foo/0", "#/foo/0", "bar"), ("/", "#/", 0),
        ("/a~1b", "#/a~1b", 1),
        ("/c%d", "#/c%25d", 2), ("/e^f", "#/e%5Ef", 3), ("/g|h", "#/g%7Ch", 4), ("/i\\j", "#/i%5Cj", 5),
        ("/k\"l", "#/k%22l", 6), ("/ ", "#/%20", 7), ("/m~0n", "#/m~0n", 8),
    ])
    func `The examples of the RFC hold in both forms`(_ text: String, _ fragment: String, _ value: JSONValue) throws {
        let pointer = try #require(JSONPointer(text))
        #expect(pointer.value(in: JSONPointerTests.document) == value)
        #expect(pointer.description == text)
        #expect(pointer.fragment == fragment)
        #expect(JSONPointer(fragment: fragment) == pointer)
    }

    @Test func `The empty pointer is the whole document`() throws {
        let pointer = try #require(JSONPointer(""))
        #expect(pointer.isRoot)
        #expect(pointer.value(in: JSONPointerTests.document) == JSONPointerTests.document)
        #expect(JSONPointer(fragment: "#") == pointer)
        #expect(pointer.fragment == "#")
        #expect(pointer.parent == nil)
    }

    @Test(arguments: ["foo", "~0", "#/foo", "/~", "/a~", "/~2", "/~~0", " /a"])
    func `A text without its slash or with a stray tilde is no pointer`(_ text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test(arguments: ["", "/a", "#a", "#/%", "#/%4", "#/%G0", "#/%C3", "#/%ED%A0%80", "#/~2", "#%"])
    func `A fragment without its sign, slash or whole UTF-8 is no pointer`(_ fragment: String) {
        #expect(JSONPointer(fragment: fragment) == nil)
    }

    @Test(arguments: [
        "/01", "/00", "/-1", "/+1", "/-", "/2", "/1.0", "/ 1", "/1e0", "/", "/99999999999999999999", "/١", "/0/0",
    ])
    func `An array has no such element`(_ text: String) throws {
        #expect(try #require(JSONPointer(text)).value(in: ["zero", "one"]) == nil)
    }

    @Test func `Digits are a name in an object and nothing in a scalar`() throws {
        let pointer = try #require(JSONPointer("/01"))
        #expect(pointer.value(in: ["01": true]) == true)
        #expect(pointer.value(in: "01") == nil)
        #expect(JSONPointer("/-")?.value(in: ["-": 1]) == 1)
    }

    @Test func `Pointers are built token by token`() {
        let pointer = JSONPointer().appending("a/b").appending(3).appending("m~n")
        #expect(pointer.description == "/a~1b/3/m~0n")
        #expect(pointer.tokens == ["a/b", "3", "m~n"])
        #expect(pointer.parent?.description == "/a~1b/3")
        #expect(JSONPointer(pointer.description) == pointer)
        #expect(JSONPointer("/~01")?.tokens == ["~1"])
    }

    @Test func `Tokens are compared scalar by scalar`() throws {
        let composed = try #require(JSONPointer("/\u{E9}"))
        let decomposed = try #require(JSONPointer("/e\u{301}"))
        #expect(composed != decomposed)
        #expect(composed.value(in: ["e\u{301}": 1]) == nil)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect(
            JSONPointer("/\u{301}a/\u{301}b")?.tokens == ["\u{301}a", "\u{301}b"],
            "a slash under an accent separates"
        )
        #expect(JSONPointer(fragment: composed.fragment) == composed)
    }
}
