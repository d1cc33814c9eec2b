import HTTPCodec
import Testing

struct HTTPFieldsTests {
    @Test func `Names are found in any case and kept as written`() {
        let fields: HTTPFields = ["Content-type": "text/plain", "X": "1", "x": "2"]
        #expect(fields["CONTENT-TYPE"] == "text/plain")
        #expect(fields.map(\.name) == ["Content-type", "X", "x"])
        #expect(fields["x"] == "1")
        #expect(fields.values(of: "X") == ["1", "2"])
        #expect(fields.joinedValue(of: "x") == "1, 2")
        #expect(fields["Y"] == nil && fields.values(of: "Y").isEmpty && fields.joinedValue(of: "Y") == nil)
        #expect(fields.count(of: "x") == 2)
    }

    @Test func `Setting replaces all at the place of the first, removing removes all`() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3"]
        fields.set("a", "4")
        #expect(fields == ["A": "4", "B": "2"])
        fields["C"] = "5"
        #expect(fields.count == 3)
        fields["B"] = nil
        fields.remove("nothing")
        #expect(fields.map(\.name) == ["a", "C"])
    }

    @Test func `Nothing that could end a line early gets in`() {
        var fields = HTTPFields()
        let values = ["a\r\nX: y", "\0", "\u{7F}\u{1B}", " padded\t", "a\tb"]
        for value in values { fields.append("N", value) }
        #expect(fields.map(\.value) == ["a  X: y", "", "", "padded", "a\tb"])
        for name in ["", "a b", "a:", "é", "a\r\nb", "a\0"] {
            let isAdded = fields.append(name, "v")
            #expect(!isAdded)
            #expect(!HTTPFields.isName(name))
        }
        #expect(fields.count == 5)
        #expect(HTTPFields.isValue("a b") && HTTPFields.isValue("") && HTTPFields.isValue("é"))
        #expect(!HTTPFields.isValue("a\n") && !HTTPFields.isValue(" a") && !HTTPFields.isValue("a "))
    }

    @Test(arguments: [
        ("close", true), ("Close", true), ("keep-alive, close", true), ("a,close ,b", true), ("closed", false),
        ("x-close", false), ("", false), (",,", false), ("clo se", false),
    ])
    func `A token is found in a list`(value: String, isThere: Bool) {
        let fields: HTTPFields = ["Connection": "other", "connection": value]
        #expect(fields.contains("CONNECTION", token: "close") == isThere)
    }

    @Test func `A list has the elements of all its fields, without the empty ones`() {
        let fields: HTTPFields = ["Via": "1.1 a, ,\t1.0 b ", "X": "c", "via": ",d"]
        #expect(fields.elements(of: "VIA") == ["1.1 a", "1.0 b", "d"])
        #expect(fields.elements(of: "Y").isEmpty)
    }

    @Test func `Fields whose value stays the same keep their bytes`() throws {
        let head = "GET / HTTP/1.1\r\nHost: h\r\nX-Name: caf|.pdf\r\nA: b\r\nC: d\r\n\r\n"
        let bytes = wire(head).map { $0 == UInt8(ascii: "|") ? 0xE9 : $0 }
        let fields = try #require(WireTranscript(bytes).requests.first).fields
        let changed = fields.compactMapValues { name, value in name == "C" ? nil : name == "A" ? "x" : value }
        #expect(changed.map(\.name) == ["Host", "X-Name", "A"])
        #expect(changed["A"] == "x")
        #expect(changed.bytes(of: "X-Name").map(Array.init) == Array("caf".utf8) + [0xE9] + Array(".pdf".utf8))
        #expect(fields.mapValues(\.self) == fields)
    }

    @Test(arguments: [
        ("Location", "/a", "b/a"), ("Link", "</a?b=/c>; rel=next, <d>; a=/e", "<b/a?b=/c>; rel=next, <d>; a=/e"),
        ("link", "< /a>", "< b/a>"), ("Refresh", "0; url=/a?b=/c", "0; url=b/a?b=/c"), ("Refresh", "5", "5"),
        ("Refresh", "0;URL='/a'", "0;URL='b/a'"), ("X-Link", "</a>", "</a>"),
    ])
    func `The URLs of a field are replaced`(name: String, value: String, expected: String) {
        #expect(HTTPFields.replacingURLs(in: value, of: name) { $0.hasPrefix("/") ? "b\($0)" : $0 } == expected)
    }

    @Test func `Equality and hash see names in any case and values exactly`() {
        let one: HTTPFields = ["A": "x", "B": "é"]
        #expect(one == ["a": "x", "b": "é"])
        #expect(one.hashValue == (["a": "x", "b": "é"] as HTTPFields).hashValue)
        #expect(one != ["A": "X", "B": "é"])
        #expect(one != ["A": "x", "B": "e\u{301}"])
        #expect(one != ["B": "é", "A": "x"])
        #expect(one != ["A": "x"])
    }

    @Test func `Parsed fields can be changed, and their size is that of the wire`() throws {
        let bytes = wire("GET / HTTP/1.1\r\nHost:h\r\nA:  b  \r\nC: d\r\n\r\n")
        var fields = try #require(WireTranscript(bytes).requests.first).fields
        #expect(fields.wireSize == "Host: h\r\nA: b\r\nC: d\r\n".utf8.count)
        fields.append("E", "f")
        fields.remove("a")
        #expect(fields == ["Host": "h", "C": "d", "E": "f"])
        #expect(fields.filter { $0 == "C" } == ["C": "d"])
        #expect(fields.wireSize == "Host: h\r\nC: d\r\nE: f\r\n".utf8.count)
        #expect(fields.description == "Host: h\nC: d\nE: f")
    }
}
