import Basics
import JSON
import ScenarioFormat

/// A scenario that is made of parts in Swift: its text, and which part each line of it comes from.
///
/// The loader reads the text as that of a file, but no user has seen it, so messages name the part instead of a line.
struct BuiltStory {
    let text: String
    let names: PartNames

    /// The origin of a value.
    private struct Origin {
        var part: String
        /// The number of names that lead to the part's own value.
        var depth: Int
    }

    /// - Parameters:
    ///   - draft: what the scenario says without parts.
    ///   - parts: what is put into it, in this order.
    init(_ draft: DraftScenario, _ parts: [BacklotServer.StoryPart]) {
        var root = draft.json
        var origins: [[String]: Origin] = [:]
        for part in parts {
            for insertion in part.insertions {
                switch insertion {
                case .member(let path, let value):
                    root = root.putting(value, at: path[...])
                    origins[path] = Origin(part: part.name, depth: path.count)
                case .element(let key, let value):
                    let list = root[key.rawValue]?.array ?? []
                    root = root.putting(.array(list + [value]), at: [key.rawValue])
                    origins[[key.rawValue, "\(list.count)"]] = Origin(part: part.name, depth: 2)
                case .members(let value):
                    let origin = Origin(part: part.name, depth: 0)
                    for member in value.object?.members ?? [] {
                        let isMerged = root[member.name]?.object != nil && member.value.object != nil
                        root = root.putting(member.value, at: [member.name])
                        if !isMerged {
                            // It takes the place of what was there.
                            origins = origins.filter { $0.key.first != member.name }
                            origins[[member.name]] = origin
                        }
                        for inner in member.value.object?.members ?? [] { origins[[member.name, inner.name]] = origin }
                    }
                }
            }
        }
        text = root.text(.pretty)
        let read = (try? JSONParser().parse(Array(text.utf8)).root) ?? root
        var starts: [(position: TextPosition, name: String)] = []
        func visit(_ value: JSONValue, _ path: [String]) {
            func enter(_ value: JSONValue, _ name: String, at position: JSONPosition) {
                let path = path + [name]
                starts.append((position.text, Self.name(of: path, origins)))
                visit(value, path)
            }
            for member in value.object?.members ?? [] { enter(member.value, member.name, at: member.namePosition) }
            for (index, element) in (value.array ?? []).enumerated() {
                enter(element, "\(index)", at: element.position)
            }
        }
        visit(read, [])
        names = PartNames(starts)
    }

    /// `.route("GET /pets")`, and for a member of it a JSON Pointer from there: `.route("GET /pets") /requires/0`.
    private static func name(of path: [String], _ origins: [[String]: Origin]) -> String {
        for length in stride(from: path.count, to: 0, by: -1) {
            guard let origin = origins[Array(path.prefix(length))] else { continue }
            let rest = JSONPointer(tokens: Array(path.dropFirst(origin.depth))).description
            return rest.isEmpty ? origin.part : "\(origin.part) \(rest)"
        }
        return "the story in Swift \(JSONPointer(tokens: path).description)"
    }
}

extension JSONValue {
    /// The value with another one at a path of names; of two objects there, each keeps its members.
    fileprivate func putting(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else {
            guard let own = object, let other = value.object else { return value }
            return .object(other.members.reduce(into: own) { $0[$1.name] = $1.value })
        }
        var object = self.object ?? JSONObject()
        object[name] = (object[name] ?? .object(JSONObject())).putting(value, at: path.dropFirst())
        return .object(object)
    }
}
