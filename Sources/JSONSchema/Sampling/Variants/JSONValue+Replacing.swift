package import JSON

extension JSONValue {
    /// The same value with another one at a place, or without the member or element there.
    ///
    /// A place that does not exist leaves everything as it is, but a member's last name may be new.
    package func replacing(_ place: JSONPointer, with value: JSONValue?) -> JSONValue {
        replacing(place.tokens[...], with: value)
    }

    private func replacing(_ tokens: ArraySlice<String>, with value: JSONValue?) -> JSONValue {
        guard let token = tokens.first else { return value ?? self }
        let rest = tokens.dropFirst()
        switch content {
        case .object(var object):
            guard rest.isEmpty || object.contains(token) else { return self }
            object[token] = rest.isEmpty ? value : object[token]?.replacing(rest, with: value)
            return .object(object)
        case .array(var elements):
            guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return self }
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                elements[index] = elements[index].replacing(rest, with: value)
            }
            return .array(elements)
        default:
            return self
        }
    }
}
