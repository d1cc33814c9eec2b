import Basics
import JSON

/// The shapes of an object's members that are merged one by one.
enum MergedFields {
    case named(ObjectShape)
    /// One of several objects; the keys that only its siblings have go when the story chooses this one.
    case variant(ObjectShape, siblings: Set<String>)
    case chosen(Shape, names: TextForm)

    func shape(of name: String) -> Shape? {
        switch self {
        case .named(let object), .variant(let object, _): object[name]?.shape
        case .chosen(let element, _): element
        }
    }

    /// Returns whether a key that is not there could be.
    func allows(_ name: String) -> Bool {
        switch self {
        case .named(let object): object[name] != nil
        case .variant(let object, let siblings): object[name] != nil || siblings.contains(name)
        case .chosen(_, let names): names.accepts(name)
        }
    }

    func rivals(of name: String) -> [String] {
        guard case .named(let object) = self else { return [] }
        return object.exclusive.filter { $0.contains(name) }.flatMap { $0 }.filter { $0 != name }
    }

    func foreign(in object: JSONObject) -> [String] {
        guard case .variant(_, let siblings) = self else { return [] }
        return object.names.filter(siblings.contains)
    }
}
