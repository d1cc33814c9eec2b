import Basics
package import JSON

extension JSONValue {
    /// The document for a terminal: a line for each member, and for each object in an array.
    package var outline: String {
        let members = object?.members ?? []
        let width = (members.map(\.name.count).max() ?? 0) + 2
        return members.flatMap { member in
            let elements = (member.value.array ?? [member.value]).map(\.line)
            let isTable = member.value.array?.first?.object != nil
            let lines = isTable ? elements : [elements.isEmpty ? "none" : elements.joined(separator: ", ")]
            let name = member.name + String(repeating: " ", count: width - member.name.count)
            return lines.map { "\(name)\($0)".printable + "\n" }
        }.joined()
    }

    /// The members of an object with their names, or the value.
    private var line: String {
        guard let object else { return string ?? text(.compact) }
        return object.members.map { "\($0.name) \($0.value.line)" }.joined(separator: ", ")
    }
}
