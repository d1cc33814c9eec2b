import Basics
import ClientTesting
import JSON
import Reports
import TestSupport
import Testing

/// One slip in one file, and the place that a person would have to fix.
struct CheckMutation: CustomTestStringConvertible, Sendable {
    var about: String
    var file: String
    var text: String
    /// Where the check must find an error.
    var place: TextPosition
    /// The value's place in the file that the error is found in, when that is not the mutated one.
    var foundIn: String

    var testDescription: String { "\(file): \(about)" }
}

extension CheckMutation {
    /// Every value of a fixture with another type, and every required member gone.
    static func ofFixture(_ file: String, required: Set<String>) throws -> [CheckMutation] {
        let root = try JSONParser().parse(try #require(PetProject().files[file])).root
        var mutations: [CheckMutation] = []
        for pointer in root.pointers {
            let value = try #require(pointer.value(in: root))
            mutations.append(
                try CheckMutation(
                    "\(pointer) of another type",
                    file,
                    root.replacing(pointer[...], by: value.stranger),
                    pointer
                )
            )
            guard let name = pointer.tokens.last, required.contains(name), let parent = pointer.parent else { continue }
            mutations.append(
                try CheckMutation("\(pointer) removed", file, root.replacing(pointer[...], by: nil), parent)
            )
        }
        return mutations
    }

    /// Every status of a scenario undocumented, and every key "status" misspelt.
    static func ofStatuses(in file: String) throws -> [CheckMutation] {
        let root = try JSONParser().parse(try #require(PetProject().files[file])).root
        return try root.pointers.filter { $0.tokens.last == "status" }.flatMap { pointer in
            let renamed = try #require(pointer.parent).appending("statsu")
            let value = pointer.value(in: root)
            let misspelt = root.replacing(pointer[...], by: nil).replacing(renamed[...], by: value)
            return [
                try CheckMutation("\(pointer) undocumented", file, root.replacing(pointer[...], by: 299), pointer),
                try CheckMutation("\(pointer) misspelt", file, misspelt, renamed, isName: true),
            ]
        }
    }

    private init(
        _ about: String,
        _ file: String,
        _ root: JSONValue,
        _ pointer: JSONPointer,
        isName: Bool = false
    ) throws {
        self.about = about
        self.file = file
        text = root.text(.pretty)
        foundIn = file
        let mutated = try JSONParser().parse(text).root
        if isName, let name = pointer.tokens.last, let parent = pointer.parent?.value(in: mutated) {
            place = try #require(parent.object?.member(named: name)).namePosition.text
        } else {
            place = try #require(pointer.value(in: mutated)).position.text
        }
    }
}

@Suite
struct `A slip that a check must find` {
    @Test(arguments: try CheckMutation.ofFixture(PetProject.list, required: ["id", "name", "born", "isTame"]))
    func `in a list`(mutation: CheckMutation) throws { try find(mutation) }

    @Test(arguments: try CheckMutation.ofFixture(PetProject.pet, required: ["id", "name", "born", "isTame"]))
    func `in a single pet`(mutation: CheckMutation) throws { try find(mutation) }

    @Test(arguments: try CheckMutation.ofFixture(PetProject.problem, required: ["message"]))
    func `in an error that many responses share`(mutation: CheckMutation) throws { try find(mutation) }

    @Test(arguments: try CheckMutation.ofStatuses(in: PetProject.backend))
    func `in a backend's status`(mutation: CheckMutation) throws { try find(mutation) }

    @Test(arguments: try CheckMutation.ofStatuses(in: PetProject.story))
    func `in a story's status`(mutation: CheckMutation) throws { try find(mutation) }

    private func find(_ mutation: CheckMutation) throws {
        var project = PetProject()
        project.files[mutation.file] = mutation.text
        let report = try project.check()
        #expect(report.verdict == .failed)
        let wanted = "\(mutation.file):\(mutation.place)"
        let places = report.errors.map { "\($0.place?.file ?? "?"):\($0.place?.position?.description ?? "?")" }
        #expect(places.contains(wanted), "\(report.errors.map(\.description)) in\n\(mutation.text)")
    }

    @Test(arguments: [
        ("\"id\": { \"type\": \"integer\" }", "\"id\": { \"type\": \"string\" }", PetProject.list, "\"id\": 1"),
        ("\"maxLength\": 20", "\"maxLength\": 2", PetProject.list, "\"name\": \"Rex\""),
        ("\"type\": [\"string\", \"null\"]", "\"type\": [\"string\"]", PetProject.list, "\"born\": null"),
        ("[\"id\", \"name\",", "[\"id\", \"kind\", \"name\",", PetProject.pet, "{"),
        (
            "\"properties\": { \"message\": { \"type\": \"string\" }",
            "\"properties\": { \"message\": { \"type\": \"object\" }",
            PetProject.problem, "\"message\""
        ),
        ("\"200\": {", "\"203\": {", PetProject.backend, "\"GET /pets\":"),
        (
            "\"X-Number\": { \"required\": true, \"schema\": { \"type\": \"integer\" }",
            "\"X-Number\": { \"required\": true, \"schema\": { \"type\": \"boolean\" }", PetProject.backend,
            "\"X-Number\""
        ),
        ("{ \"X-Number\": {", "{ \"X-Other\": {", PetProject.backend, "\"POST /pets\""),
        ("\"/pets/{id}\": {", "\"/pet/{id}\": {", PetProject.backend, "\"GET /pets/{id}\""),
    ])
    func `in the contract`(old: String, new: String, file: String, text: String) throws {
        let project = PetProject(PetProject.contract, old, with: new)
        let report = try project.check()
        #expect(report.verdict == .failed)
        let line = try #require(project.line(of: text, in: file))
        let finding = try #require(report.errors.first { $0.line == "\(file):\(line)" }, "\(report.errors)")
        #expect(finding.related.contains { $0.place.file == PetProject.contract })
    }
}

extension JSONValue {
    /// A value of a type that no value beside it has.
    fileprivate var stranger: JSONValue {
        if case .object = content { 7 } else { ["a": 1] }
    }

    /// Where every value stands but the root.
    fileprivate var pointers: [JSONPointer] {
        switch content {
        case .array(let values):
            values.enumerated().flatMap { index, value in
                [JSONPointer(tokens: ["\(index)"])]
                    + value.pointers.map { JSONPointer(tokens: ["\(index)"] + $0.tokens) }
            }
        case .object(let object):
            object.members.flatMap { member in
                [JSONPointer(tokens: [member.name])]
                    + member.value.pointers.map { JSONPointer(tokens: [member.name] + $0.tokens) }
            }
        default: []
        }
    }

    /// The same with the value at a place replaced, added, or removed.
    fileprivate func replacing(_ tokens: ArraySlice<String>, by value: JSONValue?) -> JSONValue {
        guard let token = tokens.first else { return value ?? .null }
        let rest = tokens.dropFirst()
        switch content {
        case .array(var values):
            guard let index = Int(token), values.indices.contains(index) else { return self }
            if rest.isEmpty, value == nil {
                values.remove(at: index)
            } else {
                values[index] = values[index].replacing(rest, by: value)
            }
            return .array(values)
        case .object(var object):
            if rest.isEmpty { object[token] = value } else { object[token] = object[token]?.replacing(rest, by: value) }
            return .object(object)
        default: return self
        }
    }
}

extension JSONPointer {
    fileprivate subscript(_ range: UnboundedRange) -> ArraySlice<String> { tokens[...] }
}
