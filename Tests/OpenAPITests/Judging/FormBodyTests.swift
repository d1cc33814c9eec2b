import HTTPCodec
import OpenAPI
import Testing

@Suite struct `A form` {
    private static let operation = """
        "requestBody": {"content": {"application/x-www-form-urlencoded": {
          "encoding": {"expand": {"style": "deepObject", "explode": true}, "metadata": {"style": "deepObject"},
                       "items": {"style": "deepObject"}, "ids": {"style": "form", "explode": false}},
          "schema": {"type": "object", "required": ["amount"], "additionalProperties": false, "properties": {
            "amount": {"type": "integer"},
            "name": {"type": "string"},
            "expand": {"type": "array", "items": {"type": "string", "maxLength": 5}},
            "metadata": {"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}},
                                   {"type": "string", "enum": [""]}]},
            "items": {"type": "array", "items": {"type": "object", "required": ["price"], "properties": {
               "price": {"type": "string"}, "quantity": {"type": "integer"},
               "data": {"type": "object", "properties": {"n": {"type": "integer"}}}}}},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "tags": {"type": "array", "items": {"type": "string"}},
            "options": {"type": "object", "required": ["a"]}}}}}}
        """

    private func violations(_ body: String) throws -> [ContractViolation] {
        try JudgedExchange("post", Self.operation)
            .violations(.post, "/a", ["Content-Type": "application/x-www-form-urlencoded"], body: body)
    }

    @Test(arguments: [
        "amount=5", "amount=5&name=17", "amount=5&expand[]=a&expand[]=b", "amount=5&expand[0]=a&expand[1]=b",
        "amount=5&metadata[a]=1&metadata[b]=x", "amount=5&metadata=",
        "amount=5&items[0][price]=p&items[0][quantity]=2&items[1][price]=q&items[1][data][n]=1",
        "amount=5&ids=1,2,3", "amount=5&tags=a&tags=b", "amount=5&tags=a", "amount=5&options=%7B%22a%22:1%7D",
        "amount=5&metadata%5Ba%5D=1",
    ])
    func `is read by its encodings`(body: String) throws {
        #expect(try violations(body).lines == [])
    }

    @Test(arguments: [
        ("name=x", "body"), ("amount=x", "body /amount"), ("amount=5&expand[]=abcdef", "body /expand/0"),
        ("amount=5&items[0][quantity]=2", "body /items/0"),
        ("amount=5&items[0][price]=p&items[0][quantity]=two", "body /items/0/quantity"),
        ("amount=5&ids=1,x", "body /ids/1"), ("amount=5&options=%7B%7D", "body /options"),
    ])
    func `is refused where a value is wrong`(body: String, part: String) throws {
        #expect(try violations(body).map { "\($0.part)" } == [part])
    }

    @Test
    func `costs no more than its length`() throws {
        let names = (0..<20_000).map { "amount=1&metadata[\($0)]=\($0)&items[][price]=p" }
        #expect(try violations(names.joined(separator: "&")).map { "\($0.part)" } == ["body /amount"])
    }

    @Test func `may not have other names`() throws {
        #expect(try violations("amount=5&tags[]=a").count == 1)
    }
}
