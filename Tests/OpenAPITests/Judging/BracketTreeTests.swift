import JSON
import JSONSchema
import Testing

@testable import OpenAPI

@Suite struct `Names with brackets` {
    @Test(
        arguments: [
            ("a[b]=1&a[c]=2", ["b": "1", "c": "2"]),
            ("a[b][c]=1&a[b][d]=2", ["b": ["c": "1", "d": "2"]]),
            ("a[0][p]=x&a[1][p]=y", ["0": ["p": "x"], "1": ["p": "y"]]),
            ("a[b]=1&ab[c]=2&a[b=3", ["b": "1"]),
            ("a=", ""),
        ] as [(String, JSONValue)]
    )
    func `are put together`(query: String, value: JSONValue) {
        let found = PairedValue(pairs: WirePairs(query: query), style: .deepObject, explode: true)
            .find("a", shape: ValueShape(kinds: [.object, .string]))
        let readings = found.values.first?.readings(
            as: ValueShape(kinds: [.object, .string]),
            from: ValueShapes(ContractSchemas(registry: SchemaRegistry(), roots: []))
        )
        #expect(readings?.first == value)
    }

    @Test(arguments: ["a[]=x&a[]=y", "a[0]=x&a[1]=y", "a=x&a=y"])
    func `are a list where the contract requires one`(query: String) {
        let shape = ValueShape(kinds: .array)
        let found = PairedValue(pairs: WirePairs(query: query), style: .deepObject, explode: true).find(
            "a",
            shape: shape
        )
        #expect(
            found.values.first?.readings(
                as: shape,
                from: ValueShapes(ContractSchemas(registry: SchemaRegistry(), roots: []))
            ) == [["x", "y"]]
        )
    }

    @Test func `begin a new element when a name comes again`() {
        var tree = BracketTree()
        for (path, text) in [(["", "b"], "1"), (["", "c"], "2"), (["", "b"], "3")] { tree.insert(path, text: text) }
        let readings = tree.value?.readings(
            as: ValueShape(kinds: .array),
            from: ValueShapes(ContractSchemas(registry: SchemaRegistry(), roots: []))
        )
        #expect(readings?.first == [["b": "1", "c": "2"], ["b": "3"]])
    }

    @Test func `nested too deep are not the parameter's`() {
        let deep = "a" + String(repeating: "[b]", count: BracketTree.depthLimit + 1)
        #expect(BracketTree.path(in: deep, of: "a") == nil)
        #expect(BracketTree.path(in: "a[b][c]", of: "a") == ["b", "c"])
    }
}
