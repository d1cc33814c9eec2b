import Basics
import JSON

/// The file `issuer.yaml`, expanded for one issuer; its head describes the additions to the format of scenarios.
struct IssuerTemplate {
    /// The conditions that hold for the whole issuer or not; those of `with` are true below it and false elsewhere.
    let conditions: [String: Bool]
    /// The values of `${name}`.
    let values: [String: JSONValue]
    /// The position of everything in the expansion, so that findings are reported there.
    let position: JSONPosition

    /// The file as it is written.
    static let root: JSONValue = {
        let bytes = Array(EmbeddedFile.bytes(of: "issuer.yaml"))
        // The file is part of the program and tested, so reading it does not fail.
        return (try? JSONParser().parseYAML(bytes).root) ?? .object([:])
    }()

    /// Returns a part of the file; nil where it has a condition that is false.
    ///
    /// - Parameter own: the conditions that are true because of `with`.
    func expand(_ tree: JSONValue, with own: Set<String> = []) -> JSONValue? {
        switch tree.content {
        case .object(let object):
            guard object.members.count == 1 else { return JSONValue(.object(expand(object, with: own)), at: position) }
            let (name, value) = (object.members[0].name, object.members[0].value)
            if name.hasPrefix("if ") { return holds(name.dropFirst(3), own) ? expand(value, with: own) : nil }
            if name.hasPrefix("with ") {
                return expand(value, with: own.union(name.dropFirst(5).split(separator: " ").map(String.init)))
            }
            return JSONValue(.object(expand(object, with: own)), at: position)
        case .array(let elements):
            let expanded = elements.compactMap { expand($0, with: own) }.flatMap { $0.array ?? [$0] }
            return JSONValue(.array(expanded), at: position)
        case .string(let text): return filled(text).at(position)
        default: return JSONValue(tree.content, at: position)
        }
    }

    private func expand(_ object: JSONObject, with own: Set<String>) -> JSONObject {
        var result = JSONObject()
        for member in object.members {
            // A search is slow, and few names have a condition.
            let condition = member.name.utf8.contains(UInt8(ascii: " ")) ? member.name.firstRange(of: " if ") : nil
            if let condition, !holds(member.name[condition.upperBound...], own) { continue }
            guard let value = expand(member.value, with: own) else { continue }
            let name = filled(String(member.name[..<(condition?.lowerBound ?? member.name.endIndex)])).string ?? ""
            guard name == "include" else {
                result.set(JSONObject.Member(name: name, namePosition: position, value: value))
                continue
            }
            for included in value.array ?? [] {
                for member in included.object?.members ?? [] { result.set(member) }
            }
        }
        return result
    }

    /// Returns whether a condition is true: names that `and` joins, with `not` before those that must be false.
    private func holds(_ condition: Substring, _ own: Set<String>) -> Bool {
        var isNegated = false
        return condition.split(separator: " ").allSatisfy { word in
            if word == "and" || word == "not" {
                isNegated = word == "not"
                return true
            }
            defer { isNegated = false }
            return (conditions[String(word)] ?? own.contains(String(word))) != isNegated
        }
    }

    /// Returns the value of a text that is one `${name}`, otherwise the text with the values in it.
    private func filled(_ text: String) -> JSONValue {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return .string(text) }
        var (result, rest) = ("", text[...])
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let value = values[String(rest[start.upperBound..<end])] ?? .string(String(rest[start.lowerBound...end]))
            result += rest[..<start.lowerBound]
            rest = rest[text.index(after: end)...]
            if start.lowerBound == text.startIndex, rest.isEmpty { return value }
            result += value.string ?? value.text(.compact)
        }
        return .string(result + rest)
    }
}

extension JSONValue {
    /// The same with everything at one position.
    fileprivate func at(_ position: JSONPosition) -> JSONValue {
        switch content {
        case .array(let values): JSONValue(.array(values.map { $0.at(position) }), at: position)
        case .object(let object):
            JSONValue(
                .object(
                    object.members.reduce(into: JSONObject()) { result, member in
                        result.set(.init(name: member.name, namePosition: position, value: member.value.at(position)))
                    }
                ),
                at: position
            )
        default: JSONValue(content, at: position)
        }
    }
}
