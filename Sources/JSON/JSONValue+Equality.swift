// Values are compared and hashed without recursion: they come from clients, and the threads that serve them may have
// small stacks. Arrays and objects that are still to be looked at wait in a list instead.

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool { left.content == right.content }
}

extension JSONValue.Content: Equatable {
    private typealias Pair = (left: JSONValue.Content, right: JSONValue.Content)

    package static func == (left: JSONValue.Content, right: JSONValue.Content) -> Bool {
        var waiting: [Pair] = []
        guard agree(left, right, waiting: &waiting) else { return false }
        while let pair = waiting.popLast() {
            guard partsAgree(pair, waiting: &waiting) else { return false }
        }
        return true
    }

    /// Compares two values but for the parts of arrays and objects, which are left waiting.
    private static func agree(
        _ left: JSONValue.Content,
        _ right: JSONValue.Content,
        waiting: inout [Pair]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null):
            return true
        case (.bool(let left), .bool(let right)):
            return left == right
        case (.number(let left), .number(let right)):
            return left == right
        case (.string(let left), .string(let right)):
            return left.hasSameUTF8(as: right)
        case (.array(let leftElements), .array(let rightElements)):
            guard leftElements.count == rightElements.count else { return false }
        case (.object(let leftObject), .object(let rightObject)):
            guard leftObject.count == rightObject.count else { return false }
        default:
            return false
        }
        waiting.append((left, right))
        return true
    }

    /// Compares the parts of two arrays or two objects of the same size.
    private static func partsAgree(_ pair: Pair, waiting: inout [Pair]) -> Bool {
        switch pair {
        case (.array(let left), .array(let right)):
            for number in left.indices {
                guard agree(left[number].content, right[number].content, waiting: &waiting) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            for number in left.members.indices {
                let name = left.members[number].name
                // Most equal objects have the same order too, so the same place is looked at first.
                let other =
                    right.members[number].name.hasSameUTF8(as: name) ? right.members[number].value : right[name]
                guard let other, agree(left.members[number].value.content, other.content, waiting: &waiting) else {
                    return false
                }
            }
            return true
        default:
            return false
        }
    }
}

extension JSONObject: Equatable {
    /// Regardless of order, as RFC 8259 calls an object an unordered collection.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        JSONValue.Content.object(left) == JSONValue.Content.object(right)
    }
}

extension JSONObject.Member: Equatable {
    /// Positions are ignored, as they are by values.
    package static func == (left: JSONObject.Member, right: JSONObject.Member) -> Bool {
        left.name.hasSameUTF8(as: right.name) && left.value == right.value
    }
}
