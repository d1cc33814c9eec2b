import OpenAPI
import Testing

@Suite struct `The effect of an operation` {
    private func effects(_ pathItem: String) throws -> [OperationEffect] {
        let contract = try contract(paths: "{\"/a\": {\(pathItem)}}")
        return contract.operations.map(contract.effect)
    }

    private func operation(_ method: String, _ mark: String?) -> String {
        let member = mark.map { ", \"x-backlot-effect\": \($0)" } ?? ""
        return "\"\(method)\": {\"responses\": {\"200\": {\"description\": \"\"}}\(member)}"
    }

    @Test(
        arguments: [
            ("get", .read), ("head", .read), ("options", .read), ("post", .write), ("put", .write), ("patch", .write),
            ("trace", .write), ("delete", .destroy),
        ] as [(String, OperationEffect)]
    )
    func `is that of its method without a mark`(method: String, effect: OperationEffect) throws {
        #expect(try effects(operation(method, nil)) == [effect])
    }

    @Test(
        arguments: [
            ("get", "destroy", .destroy), ("get", "write", .write), ("post", "read", .read), ("delete", "read", .read),
        ] as [(String, String, OperationEffect)]
    )
    func `is what its mark says`(method: String, mark: String, effect: OperationEffect) throws {
        #expect(try effects(operation(method, "\"\(mark)\"")) == [effect])
    }

    @Test(arguments: ["\"reads\"", "false", "null", "{}"])
    func `is the most dangerous one for a mark that cannot be read`(mark: String) throws {
        #expect(try effects(operation("get", mark)) == [.destroy])
    }

    @Test func `of HEAD is that of the marked GET on the same path`() throws {
        let pathItem = operation("get", "\"destroy\"") + ", " + operation("head", nil)
        #expect(try effects(pathItem) == [.destroy, .destroy])
        #expect(
            try effects(pathItem.replacing("\"head\": {", with: "\"head\": {\"x-backlot-effect\": \"read\", ")) == [
                .destroy, .read,
            ]
        )
    }
}
