import Basics
import JSON

/// An OpenAPI Overlay (1.0 and 1.1): changes to a document that is not touched itself.
///
/// Changed values keep the positions in the overlay's file, so that a finding in one names the overlay's line.
struct Overlay {
    /// One change (Overlay 1.0, section 4.4.3).
    struct Action {
        enum Change {
            case update(JSONValue)
            /// The value that another path leads to (1.1).
            case copy(JSONPath, at: JSONPosition)
            case remove
        }

        var target: JSONPath
        /// The position of the path.
        var targetPosition: JSONPosition
        var position: JSONPosition
        var change: Change
    }

    /// The rule of everything that is said of an overlay itself.
    static let findingID = "contract/overlay"

    private(set) var actions: [Action] = []
    private(set) var findings: [Finding] = []
    private let number: Int
    private let path: String
    /// 1.0 has no primitive targets, which 1.1 replaces and removes.
    private let isFirstVersion: Bool
    /// The position of a character of a string in the file.
    private let columns: StringColumns

    /// Reads an overlay.
    ///
    /// - Parameters:
    ///   - number: its number among the documents.
    ///   - bytes: the file, in which places inside a path are counted.
    init(_ root: JSONValue, number: Int, path: String, bytes: [UInt8]) {
        self.number = number
        self.path = path
        columns = StringColumns(bytes)
        let version = root["overlay"]?.string
        isFirstVersion = version?.utf8.starts(with: "1.0".utf8) == true
        guard let version, version.utf8.starts(with: "1.".utf8) else {
            let found = root["overlay"].map { "the value is \($0.shownBriefly)" } ?? "the key is missing"
            report(
                "an overlay must contain \"overlay\" with a 1.x version, such as \"1.0.0\" or \"1.1.0\", but \(found)",
                at: root["overlay"]?.position ?? root.position
            )
            return
        }
        if !["1.0", "1.1"].contains(where: { version.utf8.starts(with: $0.utf8) }) {
            report("overlay \(version.shortened) is read as 1.1", at: root["overlay"]?.position ?? root.position, .note)
        }
        checkKeys(of: root, known: ["overlay", "info", "extends", "actions", "$self", "components"])
        guard let list = root["actions"], let elements = list.array, !elements.isEmpty else {
            report(
                "an overlay must contain \"actions\", an array of changes",
                at: root["actions"]?.position ?? root.position
            )
            return
        }
        for element in elements { read(element) }
    }

    private mutating func report(
        _ message: String,
        at position: JSONPosition,
        _ severity: Finding.Severity = .error,
        advice: String? = nil
    ) {
        let place = Place(file: path, position: position.isKnown ? position.text : nil)
        findings.append(Finding(severity, id: Self.findingID, message.printable, at: place, advice: advice))
    }

    private mutating func checkKeys(of value: JSONValue, known: [String]) {
        for member in value.object?.members ?? []
        where !member.name.isExtensionName && !known.contains(member.name.exact) {
            let meant = Suggestion.nearest(to: member.name, among: known)
            report(
                "unknown key \"\(member.name.shortened)\" in an overlay",
                at: member.namePosition,
                .warning,
                advice: meant.map { "did you mean \"\($0)\"?" } ?? "known here: \(known.joined(separator: ", "))"
            )
        }
    }

    private mutating func read(_ value: JSONValue) {
        guard value.object != nil else {
            return report(
                "an action must be an object with \"target\", but this is \(value.shownBriefly)",
                at: value.position
            )
        }
        guard value["$ref"] == nil else {
            return report("an action must not be a reference; write the action here", at: value.position)
        }
        checkKeys(of: value, known: ["target", "description", "update", "remove", "copy"])
        guard let target = value["target"] else {
            return report("an action requires \"target\", a path such as $.info", at: value.position)
        }
        guard let query = path(target) else { return }
        let change: Action.Change
        if value["remove"]?.bool == true {
            change = .remove
        } else if let update = value["update"] {
            change = .update(update)
        } else if let copy = value["copy"] {
            guard let source = path(copy) else { return }
            change = .copy(source, at: copy.position)
        } else {
            return report(
                "the action changes nothing; an action requires \"update\", \"remove\": true or \"copy\"",
                at: value.position
            )
        }
        if value["remove"]?.bool == true, let update = value["update"] ?? value["copy"] {
            report("a removed value cannot also be updated; only \"remove\" applies", at: update.position, .warning)
        }
        actions.append(
            Action(target: query, targetPosition: target.position, position: value.position, change: change)
        )
    }

    private mutating func path(_ value: JSONValue) -> JSONPath? {
        guard let text = value.string else {
            report("a path must be a string such as $.info, but this is \(value.shownBriefly)", at: value.position)
            return nil
        }
        do {
            return try JSONPath(text)
        } catch {
            let position = columns.position(of: error.offset, in: text, at: value.position)
            report("\"\(text.shortened)\" is not a JSONPath: \(error.message)", at: position)
            return nil
        }
    }
}

extension Overlay {
    /// The place at which an overlay has changed the document.
    struct Origin {
        /// The overlay's number among the documents.
        var overlay: Int32
        /// The position of the action, which reaches to the next one.
        var start: TextPosition
        /// The first change, in the file that has it.
        var target: JSONPosition
    }

    /// Applies the actions in their order.
    ///
    /// - Returns: the document with every change, and where each came from.
    mutating func apply(to document: JSONValue, named name: String) -> (document: JSONValue, origins: [Origin]) {
        var document = document
        var origins: [Origin] = []
        for action in actions {
            let nodes: [JSONPath.Node]
            do {
                nodes = try action.target.nodes(in: document)
            } catch {
                report(error.message, at: action.targetPosition)
                continue
            }
            guard let first = nodes.first else {
                report(
                    "the path \(action.target.source.shortened) matches nothing in \(name), so nothing is changed",
                    at: action.targetPosition,
                    .warning
                )
                continue
            }
            origins.append(
                Origin(overlay: Int32(number), start: action.position.text, target: first.value.position)
            )
            switch action.change {
            case .remove: remove(nodes, action, from: &document)
            case .update(let value): update(nodes, action, by: value, in: &document)
            case .copy(let source, let position):
                guard let found = try? source.nodes(in: document), found.count == 1 else {
                    report(
                        "\"copy\" must lead to exactly one value, but \(source.source.shortened) does not",
                        at: position
                    )
                    continue
                }
                update(nodes, action, by: found[0].value, in: &document)
            }
        }
        return (document, origins)
    }

    /// Removes from the end, so that the numbers of elements that are still to be removed stay right.
    private mutating func remove(_ nodes: [JSONPath.Node], _ action: Action, from document: inout JSONValue) {
        var seen: Set<[JSONPath.Step]> = []
        let ways = nodes.map(\.steps).filter { seen.insert($0).inserted }.sorted { JSONPath.Step.isBehind($0, $1) }
        for steps in ways {
            guard let last = steps.last else {
                report("the whole document cannot be removed", at: action.targetPosition)
                continue
            }
            document.change(at: steps.dropLast()[...]) { parent in
                switch (last, parent.content) {
                case (.name(let name), .object(var object)):
                    object.removeMember(named: name)
                    parent.content = .object(object)
                case (.index(let index), .array(var values)) where values.indices.contains(index):
                    values.remove(at: index)
                    parent.content = .array(values)
                default: break
                }
            }
        }
    }

    private mutating func update(
        _ nodes: [JSONPath.Node],
        _ action: Action,
        by value: JSONValue,
        in document: inout JSONValue
    ) {
        var seen: Set<[JSONPath.Step]> = []
        for node in nodes where seen.insert(node.steps).inserted {
            switch (node.value.content, value.content) {
            case (.object, .object): document.change(at: node.steps[...]) { $0.merge(value) }
            case (.object, _):
                report(
                    "an object can be updated only with an object, but this is \(value.shownBriefly)",
                    at: value.position
                )
                return
            case (.array, _):
                document.change(at: node.steps[...]) { list in
                    guard let values = list.array else { return }
                    list.content = .array(values + [value])
                }
            case _ where isFirstVersion:
                report(
                    "the path leads to \(node.value.shownBriefly), but Overlay 1.0 updates only objects and arrays",
                    at: action.targetPosition,
                    advice: "update the enclosing object, or write \"overlay\": \"1.1.0\""
                )
                return
            default: document.change(at: node.steps[...]) { $0 = value }
            }
        }
    }
}

extension JSONPath.Step {
    /// Returns whether a way leads further down the document than another one, or below it.
    fileprivate static func isBehind(_ left: [JSONPath.Step], _ right: [JSONPath.Step]) -> Bool {
        for (one, other) in zip(left, right) where one != other {
            switch (one, other) {
            case (.index(let one), .index(let other)): return one > other
            case (.name(let one), .name(let other)): return other.utf8.lexicographicallyPrecedes(one.utf8)
            case (.name, .index): return true
            case (.index, .name): return false
            }
        }
        return left.count > right.count
    }
}

extension JSONValue {
    /// Changes a value inside this one; nothing happens when the value does not exist.
    fileprivate mutating func change(at steps: ArraySlice<JSONPath.Step>, _ body: (inout JSONValue) -> Void) {
        guard let step = steps.first else { return body(&self) }
        switch (step, content) {
        case (.name(let name), .object(var object)):
            guard var member = object.member(named: name) else { return }
            member.value.change(at: steps.dropFirst(), body)
            object.set(member)
            content = .object(object)
        case (.index(let index), .array(var values)):
            guard values.indices.contains(index) else { return }
            values[index].change(at: steps.dropFirst(), body)
            content = .array(values)
        default: break
        }
    }

    /// Lays another value over this one: objects member by member, arrays one behind the other, all else replaces.
    fileprivate mutating func merge(_ other: JSONValue) {
        switch (content, other.content) {
        case (.object(var object), .object(let others)):
            for member in others.members {
                if var known = object.member(named: member.name) {
                    known.value.merge(member.value)
                    object.set(known)
                } else {
                    object.set(member)
                }
            }
            content = .object(object)
        case (.array(let values), .array(let others)): content = .array(values + others)
        default: self = other
        }
    }
}

/// Finds the column of a character inside a string of a file.
private struct StringColumns {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The place of a string's character; the string's own where it is not written as it reads, as with escapes.
    func position(of offset: Int, in text: String, at start: JSONPosition) -> JSONPosition {
        guard start.isKnown else { return start }
        let lines = bytes.split(separator: 0x0A, maxSplits: Int(start.line), omittingEmptySubsequences: false)
        guard lines.indices.contains(Int(start.line) - 1) else { return start }
        let line = Array(String(decoding: lines[Int(start.line) - 1], as: UTF8.self).unicodeScalars)
        let column = Int(start.column) - 1
        guard line.indices.contains(column) else { return start }
        let quote = line[column] == "\"" || line[column] == "'" ? 1 : 0
        let before = text.unicodeScalars.prefix(offset)
        guard line[(column + quote)...].starts(with: before) else { return start }
        var position = start
        position.column += Int32(clamping: quote + offset)
        return position
    }
}
