import Basics
import JSON
import JSONSchema
import TestSupport
import Testing

@testable import ScenarioFormat

/// The scenarios of this project, of its tests and of its guides, and mutants of them, to which the schema for editors says
/// the same as the loader, but for the reasons of a list.
@Suite
struct `The schema and the loader` {
    /// The texts that the loader accepts, and what it has read of the files of this project.
    private static let accepted: (texts: [ScenarioText], known: ParseCache) = {
        var known = ParseCache()
        let texts = ScenarioText.all.filter { judged($0.root, as: $0, &known).isEmpty }
        return (texts, known)
    }()

    @Test(arguments: ScenarioText.all)
    func `accept what this project shows`(text: ScenarioText) throws {
        #expect(try Shapes.schema.get().accepts(text.root))
    }

    @Test
    func `know most of it`() {
        #expect(ScenarioText.files.count > 90 && ScenarioText.guides.count > 50)
        #expect(Self.accepted.texts.count > ScenarioText.all.count * 9 / 10)
    }

    /// 400 mutants, and 8,000 with `BACKLOT_SCHEDULES=20`.
    @Test(arguments: 0..<10)
    func `accept the same mutants`(part: Int) throws {
        let schema = try Shapes.schema.get()
        let reasons = try UnexpressedFinding.all()
        var chance = SeededGenerator(seed: 41_125 + UInt64(part))
        let texts = Self.accepted.texts
        var known = Self.accepted.known
        var counts = (both: 0, neither: 0, below: 0, listed: 0)
        var count = 40 * Breadth.factor
        while count > 0 {
            let text = try #require(texts.randomElement(using: &chance))
            let donor = try #require(texts.randomElement(using: &chance))
            guard let mutant = Mutant(of: text.root, with: donor.root, &chance) else { continue }
            count -= 1
            let accepted = try schema.accepts(mutant.root)
            let errors = Self.judged(mutant.root, as: text, &known)
            switch (accepted, errors.isEmpty) {
            case (true, true): counts.both += 1
            case (false, false): counts.neither += 1
            case (false, true): Issue.record("the schema alone refuses \(text.title): \(mutant.words)")
            case (true, false):
                if try Self.merged(mutant.root, as: text).contains(where: { try !schema.accepts($0) }) {
                    counts.below += 1
                    continue
                }
                counts.listed += 1
                for error in errors where !reasons.contains(where: { $0.explains(error) }) {
                    Issue.record("the loader alone refuses \(text.title): \(mutant.words): \(error)")
                }
            }
        }
        #expect(counts.both > 0 && counts.neither > 0)
        if Breadth.factor > 1 { print("mutants \(part): \(counts)") }
    }

    @Test
    func `differ for reasons that exist`() throws {
        let reasons = try UnexpressedFinding.all()
        #expect(reasons.count > 20)
        let code = try ["Loading", "Objects", "Shapes"].map { "\(Project.folder)/Sources/ScenarioFormat/\($0)" }
            .flatMap { folder in try DiskFiles().entries(of: folder).map { try Golden.text(of: "\(folder)/\($0)") } }
            .joined()
        for reason in reasons {
            let words = reason.words.replacing("\"", with: #"\""#)
            #expect(
                code.contains("\"\(reason.id)\"") && (words.isEmpty || code.contains(words)),
                "\(reason.id) \(words)"
            )
        }
    }

    // MARK: Judging

    /// The errors that the loader finds in a file.
    ///
    /// - Parameter known: what has been read of the files of this project; those of the guides have the same paths.
    private static func judged(_ root: JSONValue, as text: ScenarioText, _ known: inout ParseCache) -> [Finding] {
        let files = ChangedFiles(text.files, [text.path: root.text(.compact)])
        guard let project = ProjectRoot(text.project, files: files) else { return [] }
        let loader = ScenarioLoader(files: files, project: project)
        do {
            _ = try text.isGuide ? loader.loadRuns(text.path) : loader.loadRuns(text.path, remembering: &known)
            return []
        } catch {
            return error.findings.filter { $0.severity == .error }
        }
    }

    /// What a file and those below it make together, and each of its variants, as complete backends.
    private static func merged(_ root: JSONValue, as text: ScenarioText) -> [JSONValue] {
        let files = ChangedFiles(text.files, [text.path: root.text(.compact)])
        guard let project = ProjectRoot(text.project, files: files) else { return [] }
        var reader = ChainReader(files: files, project: project)
        guard let chain = try? reader.read(text.path) else { return [] }
        let stories = chain.documents.map(VariantMerger.story)
        let backend = IssuerExpansion.expanded(stories, sources: chain.sources).backend
        var merger = ShapeMerger(sources: chain.sources)
        let whole = stories.dropFirst().reduce(backend) { base, story in
            merger.merge(story, over: base, along: .object(Scenario.self))
        }
        let variants = Optional(root["variants"] ?? .null).members.map { variant in
            merger.merge(variant.value, over: whole, along: .object(Scenario.self))
        }
        return ([whole] + variants).map { tree in
            var object = tree.object ?? [:]
            for key in ["extends", "issuer"] { object[key] = nil }
            return .object(object)
        }
    }
}

/// A finding of the loader that no JSON Schema can have, by the table in `.github/CONTRIBUTING.md`.
private struct UnexpressedFinding {
    var id: String
    /// A part of the message; empty where every message of the ID counts.
    var words: String

    func explains(_ finding: Finding) -> Bool {
        finding.id == id && (words.isEmpty || finding.message.contains(words))
    }

    static func all() throws -> [UnexpressedFinding] {
        let text = try Golden.text(of: Project.folder + "/.github/CONTRIBUTING.md")
        let section = text.split(separator: "\n## ").first { $0.hasPrefix("The schema for editors") } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `scenario/") }.map { line in
            let cells = line.split(separator: "|").map {
                $0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            }
            let names = cells.prefix(2).map { String($0.filter { $0 != "`" }) }
            return UnexpressedFinding(id: names[0], words: names[1] == "any" ? "" : names[1])
        }
    }
}

/// A tree in which one value has been changed.
private struct Mutant {
    private(set) var root: JSONValue
    private(set) var words: String

    init?(of root: JSONValue, with other: JSONValue, _ chance: inout SeededGenerator) {
        let places = Self.places(in: root)
        guard let place = places.randomElement(using: &chance), let value = place.value(in: root),
            let foreign = Self.places(in: other).randomElement(using: &chance)?.value(in: other),
            let own = places.randomElement(using: &chance)?.value(in: root)
        else { return nil }
        var name = place.tokens.last
        let changed: JSONValue?
        switch Int.random(in: 0..<18, using: &chance) {
        case 0: changed = nil
        case 1: changed = .null
        case 2: changed = .number(JSONNumber([-1, 0, 1, 7, 204, 1_006, 1_000_000].randomElement(using: &chance) ?? 7))
        case 3:
            changed = .string(
                ["", "x", "x y", "a\nb", "v ", "{{request.body#/x}}", "caller", "0s", "10", "GET /a", "*"]
                    .randomElement(using: &chance) ?? ""
            )
        case 4: changed = []
        case 5: changed = [:]
        case 6: changed = .array([value])
        case 7: changed = .array((value.array ?? [value]) + (value.array ?? [value]))
        case 8: changed = .bool(value.bool != true)
        case 9: changed = .number(JSONNumber("0.5") ?? 0)
        case 10, 11:
            // A key of the same object from anywhere in either file.
            guard var object = value.object else { return nil }
            let members = (Self.places(in: other) + []).compactMap { $0.value(in: other)?.object?.members }.flatMap(
                \.self
            )
            guard let member = members.randomElement(using: &chance) else { return nil }
            object[member.name] = member.value
            changed = .object(object)
        case 12:
            guard var object = value.object, let key = object.names.randomElement(using: &chance) else { return nil }
            object[key] = nil
            changed = .object(object)
        case 13:
            guard var object = value.object, let key = object.names.randomElement(using: &chance) else { return nil }
            object[key] = .null
            changed = .object(object)
        case 14:
            guard var object = value.object else { return nil }
            object[["surplus", "a b", "$comment", "/a", "GET /x"].randomElement(using: &chance) ?? ""] =
                value.object?.members.first?.value ?? 1
            changed = .object(object)
        case 15:
            guard let text = value.string, !text.isEmpty else { return nil }
            changed = .string(String(text.dropLast(Int.random(in: 1...text.count, using: &chance))))
        case 16: changed = own
        default: changed = foreign
        }
        if Int.random(in: 0..<12, using: &chance) == 0, Int(name ?? "") == nil {
            name = places.randomElement(using: &chance)?.tokens.last ?? name
        }
        self.root = Self.replacing(value: root, along: place.tokens[...], by: changed, named: name) ?? root
        words = "\(place) \(changed.map(\.description)?.prefix(300) ?? "removed") as \(name ?? "")"
    }

    private static func places(in value: JSONValue, at place: JSONPointer = JSONPointer()) -> [JSONPointer] {
        // What is in content is content.
        let members = value.object?.members.filter { $0.name != "json" && $0.name != "item" } ?? []
        return members.flatMap { member in
            [place.appending(member.name)] + places(in: member.value, at: place.appending(member.name))
        }
            + (value.array ?? []).enumerated().flatMap { index, element in
                [place.appending(index)] + places(in: element, at: place.appending(index))
            }
    }

    private static func replacing(
        value: JSONValue,
        along path: ArraySlice<String>,
        by changed: JSONValue?,
        named last: String?
    ) -> JSONValue? {
        guard let name = path.first else { return changed }
        if var object = value.object {
            let inner = object[name].flatMap { replacing(value: $0, along: path.dropFirst(), by: changed, named: last) }
            if path.count == 1, let last, last.exact != name.exact { object[name] = nil }
            object[path.count == 1 ? last ?? name : name] = inner
            return .object(object)
        }
        guard var elements = value.array, let index = Int(name) else { return value }
        let element = replacing(value: elements[index], along: path.dropFirst(), by: changed, named: last)
        elements.replaceSubrange(index...index, with: element.map { [$0] } ?? [])
        return .array(elements)
    }
}
