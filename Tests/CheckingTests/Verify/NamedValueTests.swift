import Checking
import ClientTesting
import HTTPCodec
import Testing

@Suite struct `A name and a value on the command line` {
    @Test(arguments: [("id=7", "id", "7"), ("q=a=b", "q", "a=b"), ("q=", "q", "")])
    func `are a parameter`(text: String, name: String, value: String) throws {
        let pair = try #require(NamedValue(pair: text))
        #expect(pair.name == name)
        #expect(pair.value == value)
        #expect(GivenParameter(text) == GivenParameter(name, value))
    }

    @Test(arguments: ["", "id", "=7"])
    func `are no parameter`(text: String) {
        #expect(NamedValue(pair: text) == nil)
        #expect(GivenParameter(text) == nil)
    }

    @Test(arguments: [
        ("GET /a/{id}:id=x:y=z", "GET /a/{id}", "id", "x:y=z"), ("/a:go:id=7", "/a:go", "id", "7"),
        ("* /a/*:id=", "* /a/*", "id", ""),
    ])
    func `are a parameter of some operations`(text: String, filter: String, name: String, value: String) throws {
        let parameter = try #require(GivenParameter(text))
        let operations = try #require(OperationFilter(filter))
        #expect(parameter == GivenParameter(name, value, in: operations))
    }

    @Test(arguments: ["GET /a=7", "GET /a:=7", "/a=7", "POST a:id=7"])
    func `are no parameter of an operation`(text: String) {
        #expect(GivenParameter(text) == nil)
    }

    @Test(arguments: [("X-A: b", "X-A", "b"), ("X-A:b: c", "X-A", "b: c"), ("X-A:", "X-A", "")])
    func `are a header field`(text: String, name: String, value: String) throws {
        let field = try #require(NamedValue(field: text))
        #expect(field.name == name)
        #expect(field.value == value)
    }

    @Test(arguments: ["", "X-A", ": b", "X A: b", "X-A: b\r\nX-B: c", "X-A: b "])
    func `are no header field`(text: String) {
        #expect(NamedValue(field: text) == nil)
    }

    @Test(arguments: ["", "/auth", "POST auth", "POST /a b", "PO(ST /a", "POST /a#b", "POST /ä"])
    func `are no request`(text: String) {
        #expect(NamedRequest(text) == nil)
    }

    @Test func `are a request`() throws {
        let request = try #require(NamedRequest("POST /auth?x=1"))
        #expect(request.method == .post)
        #expect(request.path == "/auth?x=1")
    }
}
