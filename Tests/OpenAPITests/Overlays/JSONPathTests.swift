import JSON
import Testing

@testable import OpenAPI

/// RFC 9535: the examples of its tables, and what its grammar refuses.
@Suite struct `A JSONPath` {
    private func found(_ path: String, in text: String) throws -> [String] {
        try JSONPath(path).nodes(in: JSONParser().parse(text).root).map(\.value.description)
    }

    private static let store = """
        {"book": [{"category": "reference", "title": "A", "price": 8.95},
                  {"category": "fiction", "title": "B", "price": 12.99},
                  {"category": "fiction", "title": "C", "isbn": "0-553", "price": 8.99},
                  {"category": "fiction", "title": "D", "isbn": "0-395", "price": 22.99}],
         "bicycle": {"colour": "red", "price": 399}}
        """

    @Test(arguments: [
        ("$.book[*].title", #"["A","B","C","D"]"#), ("$..title", #"["A","B","C","D"]"#),
        ("$..price", "[8.95,12.99,8.99,22.99,399]"), ("$.book[2].title", #"["C"]"#), ("$.book[-1].title", #"["D"]"#),
        ("$.book[0,1].title", #"["A","B"]"#), ("$.book[:2].title", #"["A","B"]"#),
        ("$.book[?@.isbn].title", #"["C","D"]"#),
        ("$.book[?@.price<10].title", #"["A","C"]"#), ("$['bicycle']['colour']", #"["red"]"#), ("$.book[9]", "[]"),
        ("$ .book [ ? @.price < $.bicycle.price && ! @.isbn ] .title", #"["A","B"]"#),
        ("$.book[?@.category == 'reference' || @.price >= 22.99].title", #"["A","D"]"#),
        ("$.book[?(@.isbn) && (@.title=='C')].price", "[8.99]"), ("$..book[?@['price'] == 8.95e0].title", #"["A"]"#),
        ("$.book[?length(@.title) == 1 && count(@.*) == 4].title", #"["C","D"]"#),
        ("$.book[?match(@.title, '[A-B]')].title", #"["A","B"]"#), ("$.book[?match(@.isbn, '0')].title", "[]"),
        ("$.book[?search(@.isbn, '3.5')].title", #"["D"]"#), ("$.book[?search(@.isbn, '(')].title", "[]"),
        ("$[?value(@..colour) == 'red'].price", "[399]"), ("$.book[?@.isbn == @.nothing].title", #"["A","B"]"#),
        ("$.book[?@.title > 'B'].title", #"["C","D"]"#), ("$.book[?@.title > 1].title", "[]"),
        ("$.book[0]['title','price']", #"["A",8.95]"#), ("$.book[?@ == null]", "[]"),
    ])
    func `finds what a path says`(path: String, expected: String) throws {
        #expect("[\(try found(path, in: Self.store).joined(separator: ","))]" == expected)
    }

    @Test(arguments: [
        ("$[1:3]", "bc"), ("$[5:]", "fg"), ("$[1:5:2]", "bd"), ("$[5:1:-2]", "fd"), ("$[::-1]", "gfedcba"),
        ("$[-2:]", "fg"), ("$[:-5]", "ab"), ("$[::0]", ""), ("$[9:]", ""), ("$[-99:2]", "ab"), ("$[99::-3]", "gda"),
    ])
    func `takes slices`(path: String, expected: String) throws {
        let letters = #"["a","b","c","d","e","f","g"]"#
        #expect(try found(path, in: letters).joined().replacing("\"", with: "") == expected)
    }

    /// A node comes before its children, and what is found twice is there twice.
    @Test func `keeps the order of descendants`() throws {
        let text = #"{"o": {"j": 1, "k": 2}, "a": [5, 3, [{"j": 4}, {"k": 6}]]}"#
        #expect(try found("$..j", in: text) == ["1", "4"])
        #expect(try found("$.a..[0, 1]", in: text) == ["5", "3", #"{"j":4}"#, #"{"k":6}"#])
        #expect(try found("$..*", in: text).count == 11)
        let steps = try JSONPath("$.a[2]..j").nodes(in: JSONParser().parse(text).root).map(\.steps)
        #expect(steps == [[.name("a"), .index(2), .index(0), .name("j")]])
    }

    @Test func `reads names as they are escaped`() throws {
        let text = #"{"j'k": 1, "\\": 2, "\u263a": 3, "\ud83d\ude00": 4, "": 5}"#
        #expect(
            try found(#"$["j'k", 'j\'k', '\\', "\u263A", '\uD83D\uDE00', '', "☺"]"#, in: text)
                == ["1", "1", "2", "3", "4", "5", "3"]
        )
        #expect(try found("$.☺", in: text) == ["3"])
    }

    @Test(arguments: [
        ("", 0), ("paths", 0), ("$.", 2), ("$..", 3), ("$.a.", 4), ("$.a-b", 3), ("$[", 2), ("$['a'", 5), ("$[a]", 2),
        ("$[01]", 2), ("$[-0]", 2), ("$[9007199254740992]", 2), ("$['a", 2), (#"$["\x"]"#, 3), (#"$['\uD800']"#, 3),
        ("$ ", 1), ("$[?@.a == ]", 10), ("$[?@.* == 1]", 3), ("$[?1]", 3), ("$[?length(@.a)]", 3),
        ("$[?count(1) > 1]", 9),
        ("$[?match(@.a, 'a') == true]", 3), ("$[?nope(@)]", 3), ("$[?length(@.a, 1) == 1]", 3), ("$[?(@.a]", 7),
        ("$[?@.a == b]", 10), ("$[?!@.a == 1]", 4), ("$[?@.a = 1]", 7), ("$[1,]", 4), ("$[?@.a == 01]", 10),
    ])
    func `refuses what the grammar has not, with the place`(path: String, offset: Int) throws {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(path) }
        #expect(error?.offset == offset, "\(error?.message ?? "")")
    }

    @Test func `ends with deep filters and searches without end`() throws {
        let deep = "$[?" + String(repeating: "(", count: 10_000) + "@" + String(repeating: ")", count: 10_000) + "]"
        #expect(throws: JSONPathError.self) { try JSONPath(deep) }
        #expect(throws: JSONPathError.self) {
            try JSONPath("$" + String(repeating: "[?@", count: 10_000) + String(repeating: "]", count: 10_000))
        }
        let wide = JSONValue.array((0..<200).map { JSONValue.number(JSONNumber($0)) })
        let error = #expect(throws: JSONPathError.self) {
            try JSONPath("$[?count($..[?count($..*) > 0]) > 0]").nodes(in: wide, budget: 10_000)
        }
        #expect(error?.message == "the path requires too many steps in this document")
    }

    @Test func `counts the parts of the paths that a search keeps`() throws {
        let deep = (0..<200).reduce(JSONValue.null) { value, _ in ["a": value] }
        #expect(try JSONPath("$..*").nodes(in: deep, budget: 100_000).count == 200)
        // 20,100 nodes with 135 parts on average.
        #expect(throws: JSONPathError.self) { try JSONPath("$..*..*").nodes(in: deep, budget: 1_000_000) }
    }
}
