import Basics
import HTTPCodec
import Testing

struct EncodingTests {
    @Test(arguments: [
        ("a", "a"), ("%41", "A"), ("%c3%A9", "é"), ("a+b", "a+b"), ("%", nil), ("%4", nil), ("%4g", nil), ("%FF", nil),
        ("%C3", nil), ("%2B", "+"), ("%00", "\0"), ("", ""), ("%+1", nil),
    ])
    func `Percent-encoding is undone, or refused`(text: String, decoded: String?) {
        #expect(PercentEncoding.decode(text) == decoded)
    }

    @Test func `Percent-encoding round-trips`() {
        let text = "a b+é/?&=%\u{1F600}\r\n~-._"
        #expect(PercentEncoding.encode(text) == "a%20b%2B%C3%A9%2F%3F%26%3D%25%F0%9F%98%80%0D%0A~-._")
        #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
        #expect(PercentEncoding.encode("/a b", allowing: "/") == "/a%20b")
        #expect(PercentEncoding.decode("a+b", plusIsSpace: true) == "a b")
        #expect(PercentEncoding.decodedBytes("%ff".utf8) == [0xFF])
    }

    @Test func `A query keeps order, repeats and oddities`() {
        let query = QueryItems(parsing: "b=2&a=1&b=%33&flag&=x&&c=a=b&d=%zz&e=x+y")
        #expect(query.items.map(\.name) == ["b", "a", "b", "flag", "", "c", "d", "e"])
        #expect(query.items.map(\.value) == ["2", "1", "3", "", "x", "a=b", "%zz", "x y"])
        #expect(query.first(named: "b") == "2")
        #expect(query.all(named: "b") == ["2", "3"])
        #expect(query.first(named: "flag") == "" && query.first(named: "none") == nil)
        #expect(QueryItems(parsing: query.text) == query)
        #expect(QueryItems(parsing: "a=x+y", plusIsSpace: false).first(named: "a") == "x+y")
        #expect(QueryItems(parsingForm: wire("a=1&b=%20")).all(named: "b") == [" "])
        #expect(QueryItems(parsing: "").items.isEmpty)
    }

    @Test(arguments: [
        ("application/json", "application/json", true, nil),
        ("Application/JSON;Charset=UTF-8", "application/json", true, "UTF-8"),
        (" text/plain ; a=b; charset=\"a\\\"b;c\" ", "text/plain", false, "a\"b;c"),
        ("a/problem+json", "a/problem+json", true, nil),
        ("image/json", "image/json", false, nil), ("text/json;", "text/json", true, nil),
        ("a/xjson", "a/xjson", false, nil),
    ])
    func `A media type is taken apart`(text: String, essence: String, isJSON: Bool, charset: String?) throws {
        let type = try #require(MediaType(parsing: text))
        #expect(type.essence == essence)
        #expect(type.isJSON == isJSON)
        #expect(type.parameter("CHARSET") == charset)
    }

    @Test(arguments: [
        ("image/png", "image/png", true), ("Image/PNG; q=1", "image/*", true), ("image/png", "*/*", true),
        ("image/png", "image/jpeg", false), ("image/png", "text/*", false), ("image/*", "image/png", false),
    ])
    func `A media type lies in a range, or not`(text: String, range: String, isInside: Bool) throws {
        let (type, range) = (try #require(MediaType(parsing: text)), try #require(MediaType(parsing: range)))
        #expect(type.lies(in: range) == isInside)
    }

    @Test(arguments: ["", "a", "a/", "/b", "a b/c", "a/b c", "a/b; c", "a/b; c=", "a/b; c=\"d", "a/b; =d", "a/b, c/d"])
    func `What is no media type is nil`(text: String) {
        #expect(MediaType(parsing: text) == nil)
    }
}
