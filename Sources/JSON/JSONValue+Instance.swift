extension JSONValue {
    /// Whether this is a copy of the very value, places included, and not only one that says the same.
    ///
    /// It costs the same for every size, because copies of an array or object share its storage. Equal values that
    /// were read twice count as different ones.
    package func isSameInstance(as other: JSONValue) -> Bool {
        guard position == other.position else { return false }
        return switch (content, other.content) {
        case (.array(let values), .array(let others)): values.sharesStorage(with: others)
        case (.object(let object), .object(let others)): object.members.sharesStorage(with: others.members)
        case (.array, _), (.object, _), (_, .array), (_, .object): false
        default: self == other
        }
    }
}

extension Array {
    fileprivate func sharesStorage(with other: [Element]) -> Bool {
        guard count == other.count, !isEmpty else { return count == other.count }
        let start = withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
        return start == other.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    }
}
