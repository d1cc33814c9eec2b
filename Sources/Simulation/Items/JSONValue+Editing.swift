package import JSON

extension JSONValue {
    /// Puts a value into a place; objects on the way there are made where nothing is.
    ///
    /// In an array, a place is an existing element, or "-" for a new one at the end. A value in the way that
    /// is neither object nor array stays as it is.
    package mutating func put(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let name = path.first else {
            self = value
            return
        }
        let rest = path.dropFirst()
        switch content {
        case .null: content = .object(JSONObject([(name, Self.nested(value, in: rest))]))
        case .object(var object):
            // Let go of the object, so that it is not copied.
            content = .null
            if rest.isEmpty {
                object[name] = value
            } else {
                var member = object[name] ?? .null
                member.put(value, at: rest)
                object[name] = member
            }
            content = .object(object)
        case .array(var elements):
            content = .null
            if name == "-" {
                elements.append(Self.nested(value, in: rest))
            } else if let index = JSONPointer.index(name), elements.indices.contains(index) {
                elements[index].put(value, at: rest)
            }
            content = .array(elements)
        default: break
        }
    }

    private static func nested(_ value: JSONValue, in path: ArraySlice<String>) -> JSONValue {
        path.reversed().reduce(value) { .object(JSONObject([($1, $0)])) }
    }

    /// Removes what is in a place.
    mutating func remove(at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        let rest = path.dropFirst()
        switch content {
        case .object(var object):
            if rest.isEmpty {
                object[name] = nil
            } else if var member = object[name] {
                member.remove(at: rest)
                object[name] = member
            }
            content = .object(object)
        case .array(var elements):
            guard let index = JSONPointer.index(name), elements.indices.contains(index) else { return }
            if rest.isEmpty { elements.remove(at: index) } else { elements[index].remove(at: rest) }
            content = .array(elements)
        default: break
        }
    }

    /// Puts a value into the array in a place, unless it is in it; an array is made where nothing is.
    mutating func join(_ value: JSONValue, at pointer: JSONPointer) {
        let present = pointer.value(in: self) ?? .null
        guard var elements = present.isNull ? [] : present.array,
            !elements.contains(where: { $0.corresponds(to: value) })
        else { return }
        elements.append(value)
        put(.array(elements), at: pointer.tokens[...])
    }

    /// Takes a value out of the array in a place, however often it is in it.
    mutating func leave(_ value: JSONValue, at pointer: JSONPointer) {
        guard var elements = pointer.value(in: self)?.array else { return }
        let count = elements.count
        elements.removeAll { $0.corresponds(to: value) }
        if elements.count < count { put(.array(elements), at: pointer.tokens[...]) }
    }
}
