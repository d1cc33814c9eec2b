extension JSONValue: Hashable {
    package func hash(into hasher: inout Hasher) { content.hash(into: &hasher) }
}

extension JSONValue.Content: Hashable {
    package func hash(into hasher: inout Hasher) {
        if !hashScalar(into: &hasher) { hasher.combine(digestOfParts) }
    }

    /// Feeds a value that has no parts; says whether it is such a value.
    fileprivate func hashScalar(into hasher: inout Hasher) -> Bool {
        switch self {
        case .null:
            hasher.combine(0 as UInt8)
        case .bool(let bool):
            hasher.combine(bool ? 2 : 1 as UInt8)
        case .number(let number):
            hasher.combine(3 as UInt8)
            number.hash(into: &hasher)
        case .string(let string):
            hasher.combine(4 as UInt8)
            string.hashUTF8(into: &hasher)
        case .array, .object:
            return false
        }
        return true
    }

    /// The hash of an array or object, made from the parts' hashes upwards.
    private var digestOfParts: Int {
        var unfinished = [UnfinishedDigest(of: self)]
        var digest = 0
        while let top = unfinished.indices.last {
            switch unfinished[top].content {
            case .array(let elements) where unfinished[top].next < elements.count:
                let part = unfinished[top].hash(elements[unfinished[top].next].content)
                if let part { unfinished.append(part) }
            case .object(let object) where unfinished[top].next < object.count:
                let part = unfinished[top].hash(object.members[unfinished[top].next].value.content)
                if let part { unfinished.append(part) }
            default:
                digest = unfinished.removeLast().result
                if let outer = unfinished.indices.last { unfinished[outer].take(digest) }
            }
        }
        return digest
    }
}

/// An array or object whose parts are being hashed.
private struct UnfinishedDigest {
    let content: JSONValue.Content
    private(set) var next = 0
    /// An array's elements in their order.
    private var elements = Hasher()
    /// The sum of the members' hashes, which does not depend on their order.
    private var members = 0

    init(of content: JSONValue.Content) {
        self.content = content
    }

    /// Hashes the next part when it is a scalar, else returns what has to be hashed first.
    mutating func hash(_ part: JSONValue.Content) -> UnfinishedDigest? {
        var hasher = Hasher()
        guard part.hashScalar(into: &hasher) else { return UnfinishedDigest(of: part) }
        take(hasher.finalize())
        return nil
    }

    /// Takes the hash of the next part and goes on to the one after it.
    mutating func take(_ digest: Int) {
        if case .object(let object) = content {
            var member = Hasher()
            object.members[next].name.hashUTF8(into: &member)
            member.combine(digest)
            members &+= member.finalize()
        } else {
            elements.combine(digest)
        }
        next += 1
    }

    /// The hash of all parts, which must have been taken.
    var result: Int {
        var hasher = elements
        hasher.combine(next)
        if case .object = content {
            hasher.combine(members)
        }
        return hasher.finalize()
    }
}

extension JSONObject: Hashable {
    package func hash(into hasher: inout Hasher) {
        JSONValue.Content.object(self).hash(into: &hasher)
    }
}

extension JSONObject.Member: Hashable {
    package func hash(into hasher: inout Hasher) {
        name.hashUTF8(into: &hasher)
        value.hash(into: &hasher)
    }
}
