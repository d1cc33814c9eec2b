import Checking
import ClientTesting
import HTTPCodec
import Testing

@Suite struct `A name and a value on the command line` {
    @Test(arguments: [("id=7", "id", "7"), ("q=a=b", "q", "a=b"), ("q=", "q", "")])
    func `are a parameter`(text: String, name: String, value: String) throws {
        let parameter = try #require(NamedValue(parameter: text))
        #expect(parameter.name == name)
        #expect(parameter.value == value)
    }

    @Test(arguments: ["", "id", "=7"])
    func `are no parameter`(text: String) {
        #expect(NamedValue(parameter: text) == nil)
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
