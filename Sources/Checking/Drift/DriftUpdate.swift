package import Basics
package import HTTPCodec
import JSON
import Reports
package import ScenarioFormat

/// Changes the files of a scenario so that its responses have the status and the structure of real ones.
///
/// Values that are still right stay; new ones are those of the real response, without secrets and personal data.
package struct DriftUpdate {
    /// A response of a scenario that a real one differs from.
    package struct Wanted: Sendable {
        var script: StubResponse
        /// The route and the status of the response.
        var route: String
        var real: HTTPResponse
        /// Texts that no file may contain.
        var secrets: [String]
        var place: Place
        /// Other bodies of the real response, whose members stay.
        private(set) var others: [RealBody] = []

        package init(script: StubResponse, route: String, real: HTTPResponse, secrets: [String], place: Place) {
            (self.script, self.route, self.real) = (script, route, real)
            (self.secrets, self.place) = (secrets, place)
        }

        package func adding(_ others: [RealBody]) -> Wanted {
            var wanted = self
            wanted.others = others
            return wanted
        }
    }

    /// A body that the real server has sent, and the texts in it that no file may contain.
    package struct RealBody: Sendable {
        var value: JSONValue
        var secrets: [String]
    }

    /// The reason why a response is not updated.
    private struct Obstacle: Error {
        var sentence: String
    }

    private let loaded: LoadedScenario
    private var files: ChangedFiles
    private var redaction = Redaction()
    /// The responses that were not updated, with the reasons.
    package private(set) var findings: [Finding] = []

    package init(_ wanted: [Wanted], of loaded: LoadedScenario, files: any FileReading) {
        self.loaded = loaded
        self.files = ChangedFiles(files)
        for secret in wanted.flatMap({ $0.secrets + $0.others.flatMap(\.secrets) }) { redaction.addToken(secret) }
        let known = Set(errors().map(\.message))
        for wanted in wanted {
            let before = self.files
            do throws(Obstacle) {
                try update(wanted)
                let new = errors().first { !known.contains($0.message) }
                if let new { throw Obstacle(sentence: "the scenario would be invalid: \(new.message)") }
            } catch {
                self.files = before
                findings.append(
                    Finding(
                        .warning,
                        id: "drift/not-updated",
                        "not updated: \(wanted.route): \(error.sentence)".printable,
                        at: wanted.place,
                        advice: "edit the scenario"
                    )
                )
            }
        }
    }

    private func errors() -> [Finding] {
        do {
            return try Check(files: files).run([loaded.path]).allFindings.filter { $0.severity == .error }
        } catch {
            return [Finding(.error, id: "drift/not-updated", error.sentence)]
        }
    }

    // MARK: Files

    /// The changed files in their order, each with the lines that change.
    package var changes: [(path: String, lines: [String])] {
        files.changed.sorted { $0.key < $1.key }.map { path, bytes in
            (path, Self.difference(from: files.original(path), to: bytes))
        }
    }

    /// Writes all changed files, or none.
    ///
    /// - Returns: the reason why nothing was written, as a sentence; `nil` if all files were written.
    package func write(to disk: DiskFiles) -> String? {
        var written: [String] = []
        for (path, bytes) in files.changed.sorted(by: { $0.key < $1.key }) {
            do {
                try disk.write(bytes, to: path, permissions: disk.permissions(of: path), followsLink: true)
                written.append(path)
            } catch {
                for path in written {
                    try? disk.write(
                        files.original(path),
                        to: path,
                        permissions: disk.permissions(of: path),
                        followsLink: true
                    )
                }
                return "\"\(path)\" cannot be written: \(error.reason); nothing was changed"
            }
        }
        return nil
    }

    /// The lines between the first and the last that differ.
    private static func difference(from old: [UInt8], to new: [UInt8]) -> [String] {
        let lines = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self).split(separator: "\n") }
        let (old, new) = (lines(old), lines(new))
        let start = zip(old, new).prefix { $0 == $1 }.count
        let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
        let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
        return oldRest.dropLast(end).map { "- \($0)".printable } + newRest.dropLast(end).map { "+ \($0)".printable }
    }

    // MARK: One response

    private mutating func update(_ wanted: Wanted) throws(Obstacle) {
        let script = wanted.script
        let before = files.changed
        if wanted.real.status.code != script.status { try setStatus(wanted.real.status.code, of: script) }
        if !wanted.real.body.isEmpty, let member = script.bodyMember {
            guard let real = (try? JSONParser(duplicateNames: .lastWins).parse(wanted.real.body))?.root else {
                throw Obstacle(sentence: "the body of the real response is not JSON")
            }
            let whole = wanted.others.reduce(real) { Self.supplemented($0, by: $1.value) }
            let shown = DraftText.literal(redaction.value(whole))
            switch member.name {
            case "fixture": try update(script.fixture, of: script, to: shown)
            case "json": try updateInline(member.value, of: script, to: shown)
            default: break
            }
        }
        guard files.changed != before else {
            throw Obstacle(sentence: "the difference is neither the status nor the members of a JSON body")
        }
    }

    private mutating func update(
        _ fixture: FixtureReference?,
        of script: StubResponse,
        to real: JSONValue
    ) throws(Obstacle) {
        guard let fixture, let old = document(at: fixture.path) else {
            throw Obstacle(sentence: "the fixture is not JSON")
        }
        let merged = Self.merged(real, old)
        guard merged != old else { return }
        guard script.body.placeholders.isEmpty else {
            throw Obstacle(sentence: "the fixture \(fixture.path) contains placeholders")
        }
        let others = loaded.scenario.allResponses.filter {
            $0.fixture?.path == fixture.path && $0.position != script.position
        }
        if let other = others.first {
            let place = loaded.sources.place(of: other.position)
            throw Obstacle(sentence: "the response at \(place) has the same fixture \(fixture.path)")
        }
        let text = files.text(fixture.path)
        let isOnOneLine = !text.dropLast().contains(UInt8(ascii: "\n"))
        let layout: JSONLayout = text == JSONLayout.lines.utf8(old) ? .lines : .fitted
        files.changed[fixture.path] =
            isOnOneLine ? JSONLayout.inline(merged) + [UInt8(ascii: "\n")] : layout.utf8(merged)
    }

    private mutating func updateInline(
        _ old: JSONValue,
        of script: StubResponse,
        to real: JSONValue
    ) throws(Obstacle) {
        let merged = Self.merged(real, old)
        guard merged != old else { return }
        guard script.body.placeholders.isEmpty else { throw Obstacle(sentence: "the body contains placeholders") }
        try edit(at: old.position) { bytes, offset in
            guard let length = JSONParser.length(ofValueIn: bytes[offset...]) else { return nil }
            let line = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let indent = bytes[line...].prefix { $0 == UInt8(ascii: " ") }.count / 2
            let layout = JSONLayout.Inline(bytes[offset..<offset + length], of: old, indent, column: offset - line)
            return (length, layout.utf8(merged))
        }
    }

    private mutating func setStatus(_ status: Int, of script: StubResponse) throws(Obstacle) {
        if let old = script.tree["status"] {
            try edit(at: old.position, inYAML: true) { bytes, offset in
                let digits = bytes[offset...].prefix(while: \.isASCIIDigit)
                guard digits.elementsEqual("\(script.status)".utf8) else { return nil }
                return (digits.count, Array("\(status)".utf8))
            }
        } else {
            try edit(at: script.position) { bytes, offset in
                guard bytes[offset] == UInt8(ascii: "{"), script.tree.object?.isEmpty == false else { return nil }
                return (1, Array("{ \"status\": \(status),".utf8))
            }
        }
    }

    /// Changes the text of a file at a position.
    ///
    /// - Parameter change: returns the number of bytes that are replaced, and their replacement; `nil` if the text is
    ///   another one than expected.
    private mutating func edit(
        at position: JSONPosition,
        inYAML: Bool = false,
        _ change: ([UInt8], Int) -> (Int, [UInt8])?
    ) throws(Obstacle) {
        guard let path = loaded.sources.path(of: position), position.isKnown else {
            throw Obstacle(sentence: "the response is in no file")
        }
        guard inYAML || TextFormat(ofFile: path) == .json else {
            throw Obstacle(sentence: "it is written in YAML, in which only fixtures and statuses are replaced")
        }
        let original = files.original(path)
        guard let offset = Self.offset(of: position, in: original), let (length, new) = change(original, offset),
            files.replace(offset..<offset + length, of: path, by: new)
        else { throw Obstacle(sentence: "the text at this place of \(path) is another one") }
    }

    private static func offset(of position: JSONPosition, in bytes: [UInt8]) -> Int? {
        var (line, index) = (1, 0)
        while line < position.line, index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        var column = 1
        while column < position.column, index < bytes.count {
            index += 1
            while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
            column += 1
        }
        return index < bytes.count ? index : nil
    }

    private func document(at path: String) -> JSONValue? { try? JSONParser().parse(files.text(path)).root }

    // MARK: Bodies

    /// A body with the members and kinds of the real one, and the values of the mock where it has one of that kind.
    private static func merged(_ real: JSONValue, _ mock: JSONValue) -> JSONValue {
        if real.isNull || mock.isNull { return mock }
        if let found = real.array, let known = mock.array {
            guard let model = union(of: found) else { return mock }
            return known.isEmpty ? mock : .array(known.map { merged(model, $0) })
        }
        if let found = real.object, let known = mock.object {
            guard !ShapeComparison.areKeyedByData([found]) || !ShapeComparison.areKeyedByData([known]) else {
                return mock
            }
            var members: [(String, JSONValue)] = known.members.compactMap { member in
                if let value = found[member.name] { return (member.name, merged(value, member.value)) }
                return member.value.isNull ? (member.name, member.value) : nil
            }
            members += found.members.filter { !known.contains($0.name) }.map { ($0.name, $0.value) }
            return .object(JSONObject(members))
        }
        return real.kindName == mock.kindName ? mock : real
    }

    /// A body with the members of another one that it lacks.
    private static func supplemented(_ real: JSONValue, by other: JSONValue) -> JSONValue {
        if let elements = real.array, let others = other.array {
            guard let model = union(of: others) else { return real }
            return elements.isEmpty ? other : .array(elements.map { supplemented($0, by: model) })
        }
        guard let found = real.object, let known = other.object else { return real.isNull ? other : real }
        guard !ShapeComparison.areKeyedByData([found]) else { return real }
        let members = found.members.map { member in
            (member.name, known[member.name].map { supplemented(member.value, by: $0) } ?? member.value)
        }
        return .object(JSONObject(members + known.members.filter { found[$0.name] == nil }.map { ($0.name, $0.value) }))
    }

    /// One value with the members of all; `nil` for none but null.
    private static func union(of values: [JSONValue]) -> JSONValue? {
        let values = values.filter { !$0.isNull }
        guard let first = values.first else { return nil }
        let objects = values.compactMap(\.object)
        guard objects.count == values.count else { return first }
        var members: [String: [JSONValue]] = [:]
        var names: [String] = []
        for member in objects.flatMap(\.members) {
            if members[member.name] == nil { names.append(member.name) }
            members[member.name, default: []].append(member.value)
        }
        return .object(JSONObject(names.map { ($0, union(of: members[$0] ?? []) ?? .null) }))
    }
}

extension JSONParser {
    /// The number of bytes of the JSON value at the beginning of a text; `nil` if it does not end.
    fileprivate static func length(ofValueIn text: ArraySlice<UInt8>) -> Int? {
        var (depth, isInString, index) = (0, false, text.startIndex)
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "\\") where isInString: index += 1
            case UInt8(ascii: "\""):
                isInString.toggle()
                if !isInString, depth == 0 { return index + 1 - text.startIndex }
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index - text.startIndex }
                depth -= 1
                if depth == 0 { return index + 1 - text.startIndex }
            case UInt8(ascii: ",") where depth == 0: return index - text.startIndex
            default: break
            }
            index += 1
        }
        return nil
    }
}

extension Scenario {
    /// Every response of the scenario's backend.
    fileprivate var allResponses: [StubResponse] {
        let refusals = routes.flatMap(\.allRequirements).flatMap(\.rejections) + tokens.kinds.flatMap(\.rejections)
        return routes.flatMap(\.allResponses) + refusals.map(\.response) + possibleResponses(on: nil)
    }
}

/// Files on disk, of which some have other contents.
private struct ChangedFiles: FileReading {
    var changed: [String: [UInt8]] = [:]
    /// The replaced ranges of the original texts, and the change in length of each.
    private var edits: [String: [(range: Range<Int>, growth: Int)]] = [:]
    private let files: any FileReading

    init(_ files: any FileReading) { self.files = files }

    func original(_ path: String) -> [UInt8] { (try? files.read(path)) ?? [] }

    /// Replaces a range of the original text.
    ///
    /// - Returns: false if a part of it was replaced before.
    mutating func replace(_ range: Range<Int>, of path: String, by new: [UInt8]) -> Bool {
        let earlier = edits[path] ?? []
        guard !earlier.contains(where: { $0.range.overlaps(range) }) else { return false }
        let start = earlier.filter { $0.range.lowerBound < range.lowerBound }.reduce(range.lowerBound) {
            $0 + $1.growth
        }
        var bytes = text(path)
        bytes.replaceSubrange(start..<start + range.count, with: new)
        changed[path] = bytes
        edits[path, default: []].append((range, new.count - range.count))
        return true
    }

    func text(_ path: String) -> [UInt8] { changed[path] ?? original(path) }

    func resolve(_ path: String) -> String? { files.resolve(path) }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        if let bytes = changed[path] ?? changed.first(where: { files.resolve($0.key) == path })?.value { return bytes }
        return try files.read(path)
    }

    func entries(of folder: String) -> [String] { files.entries(of: folder) }

    func isFolder(_ path: String) -> Bool { files.isFolder(path) }
}
