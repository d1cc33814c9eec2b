import JSON
import TestSupport
import Testing

struct JSONObjectTests {
    @Test func `Setting keeps a member's place, adding goes to the end, nil removes`() {
        var object: JSONObject = ["a": 1, "b": 2, "c": 3]
        object["b"] = "two"
        object["d"] = .null
        #expect(object.names == ["a", "b", "c", "d"])
        #expect(object["b"] == "two")
        #expect(object.contains("d"))
        object["a"] = nil
        #expect(object.names == ["b", "c", "d"])
        #expect(object.removeMember(named: "c")?.value == 3)
        #expect(object.removeMember(named: "c") == nil)
        #expect(object.names == ["b", "d"])
        object["missing"] = nil
        #expect(object.count == 2)
    }

    @Test func `A value can be changed in place`() {
        var object: JSONObject = ["list": [1]]
        if case .array(var elements)? = object["list"]?.content {
            elements.append(2)
            object["list"]?.content = .array(elements)
        }
        #expect(object["list"] == [1, 2])
    }

    @Test func `Of equal names in a literal the last value wins at the first place`() {
        let object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object == ["b": 2, "a": 3])
        #expect(object.names == ["a", "b"])
    }

    @Test func `Members are equal and hash alike wherever they were read`() throws {
        let read = try JSONParser().parse("{\"a\": 1.0, \"b\": {}}").root.object
        let members = try #require(read).members
        let made = JSONObject.Member(name: "a", value: 1)
        #expect(members[0] == made)
        #expect(members[0].hashValue == made.hashValue)
        #expect(members[1] != made)
        let object = JSONObject(members + [JSONObject.Member(name: "a", value: "again")])
        #expect(object == ["b": [:], "a": "again"])
        #expect(object.hashValue == (["b": [:], "a": "again"] as JSONObject).hashValue)
        #expect(!object.isEmpty)
    }

    /// A model of plain pairs is kept beside the object through a thousand random changes.
    @Test(arguments: [5, 12, 13, 40, 400])
    func `Look-ups agree with a plain list through random changes`(_ names: Int) {
        var random = SeededGenerator(seed: UInt64(names))
        var object = JSONObject()
        var model: [(String, JSONValue)] = []
        for step in 0..<1_000 {
            let name = "name \(Int.random(in: 0..<names, using: &random))"
            let place = model.firstIndex { $0.0 == name }
            if Int.random(in: 0..<4, using: &random) == 0 {
                object[name] = nil
                if let place { model.remove(at: place) }
            } else {
                let value = JSONValue(.number(JSONNumber(step)))
                object[name] = value
                if let place { model[place].1 = value } else { model.append((name, value)) }
            }
        }
        #expect(object.names == model.map(\.0))
        #expect(object.members.map(\.value) == model.map(\.1))
        for name in (0..<names).map({ "name \($0)" }) {
            #expect(object[name] == model.first { $0.0 == name }?.1)
        }
    }
}
