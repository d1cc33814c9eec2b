import Basics
import JSON
import JSONSchema
import TestSupport
import Testing

@testable import ScenarioFormat

/// The scenarios of this project, and what becomes of them when a slip changes one value somewhere.
@Suite
struct `The schema and the loader` {
    /// How many slips each file gets: five, or as many times five as `BACKLOT_SCHEDULES` says.
    private static let slips = 5 * Breadth.factor

    private static let files = DiskFiles().entries(of: Project.scenarios).flatMap { backend in
        Project.stories(of: backend).map { "\(backend)/\($0)" }
    }

    @Test(arguments: files)
    func `accept the same files, and refuse the same slips`(file: String) throws {
        let schema = try Shapes.schema.get()
        let root = try JSONParser().parse(try DiskFiles().read("\(Project.scenarios)/\(file)")).root
        #expect(try schema.accepts(root))
        #expect(Self.loads(root))
        var chance = SeededGenerator(seed: file.utf8.reduce(5381) { $0 &* 33 &+ UInt64($1) })
        for _ in 0..<Self.slips {
            guard let slip = Slip(in: root, &chance) else { continue }
            #expect(try schema.accepts(slip.root) == Self.loads(slip.root), "\(slip.words)")
        }
    }

    /// Whether the loader finds nothing wrong with a file's shape.
    private static func loads(_ root: JSONValue) -> Bool {
        let isStory = root["extends"] != nil
        guard root[isStory ? "extends" : "backend"]?.isNull == false, root["backend"]?.isNull != true else {
            return false
        }
        var checker = ShapeChecker(sources: SourceMap(), isPatch: isStory)
        checker.check(root, against: .object(ScenarioKeys.self))
        return checker.findings.isEmpty
    }
}

/// A tree in which one value has been changed.
private struct Slip {
    private(set) var root: JSONValue
    private(set) var words: String

    /// - Returns: `nil` where the slip is one that no shape tells, but the loader behind it.
    init?(in root: JSONValue, _ chance: inout SeededGenerator) {
        let places = Self.places(in: root)
        guard let place = places.randomElement(using: &chance), let value = place.value(in: root),
            let other = places.randomElement(using: &chance)?.value(in: root)
        else { return nil }
        // Whether a text is a route is a question for its parser.
        guard value.string?.contains(" /") != true, other.string?.contains(" /") != true else { return nil }
        let changed: JSONValue?
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: changed = nil
        case 1: changed = .null
        case 2: changed = 7
        case 3: changed = "x y"
        case 4: changed = []
        case 5: changed = .array([value])
        case 6:
            guard var object = value.object, !object.names.contains(where: { $0.contains(" /") }) else { return nil }
            object["surplus"] = 1
            changed = .object(object)
        default: changed = other
        }
        self.root = Self.replacing(value: root, along: place.tokens[...], by: changed) ?? root
        words = "\(place) \(changed.map(\.description)?.prefix(200) ?? "removed")"
    }

    private static func places(in value: JSONValue, at place: JSONPointer = JSONPointer()) -> [JSONPointer] {
        let members = value.object?.members.filter { $0.name != "json" && $0.name != "item" } ?? []
        return members.flatMap { member in
            [place.appending(member.name)] + places(in: member.value, at: place.appending(member.name))
        }
            + (value.array ?? []).enumerated().flatMap { index, element in
                [place.appending(index)] + places(in: element, at: place.appending(index))
            }
    }

    private static func replacing(value: JSONValue, along path: ArraySlice<String>, by changed: JSONValue?)
        -> JSONValue?
    {
        guard let name = path.first else { return changed }
        if var object = value.object {
            object[name] = object[name].flatMap { replacing(value: $0, along: path.dropFirst(), by: changed) }
            return .object(object)
        }
        guard var elements = value.array, let index = Int(name) else { return value }
        let element = replacing(value: elements[index], along: path.dropFirst(), by: changed)
        elements.replaceSubrange(index...index, with: element.map { [$0] } ?? [])
        return .array(elements)
    }
}
