import Basics
import HTTPCodec
import JSON
import OpenAPI

/// The part of a path template that leads to one resource: `/pets/{id}` of `/pets/{id}/photo`.
///
/// Templates that differ in the names of their parameters only are the same.
struct ResourceTemplate: Hashable {
    /// A segment that a parameter fills is `{}`.
    let segments: [String]
    /// The names of the parameters, in the order of the path.
    let names: [String]

    /// - Returns: `nil` for a path without parameters, and for one with a parameter that fills a part of a segment.
    init?(of path: String) {
        self.init(Self.segments(of: path)[...])
    }

    private init?(_ all: ArraySlice<String>) {
        guard let last = all.lastIndex(where: Self.isTemplated) else { return nil }
        let own = all[...last]
        guard own.allSatisfy({ !Self.isTemplated($0) || Self.isParameter($0) }) else { return nil }
        names = own.filter(Self.isParameter).map { String($0.dropFirst().dropLast()) }
        segments = own.map { Self.isParameter($0) ? "{}" : $0 }
    }

    /// The resources on the way to a path, the innermost first: `/pets/{id}/toys/{toy}` and `/pets/{id}`.
    static func all(in path: String) -> [ResourceTemplate] {
        let segments = segments(of: path)
        return segments.indices.reversed().filter { isTemplated(segments[$0]) }
            .compactMap { ResourceTemplate(segments[...$0]) }
    }

    /// Returns whether the path ends with the resource itself.
    func isWhole(_ path: String) -> Bool { Self.segments(of: path).count == segments.count }

    /// Returns whether a request to a path adds such resources: `POST /pets` for `/pets/{id}`.
    func isMember(ofCollection path: String) -> Bool {
        let collection = Self.segments(of: path).map { Self.isParameter($0) ? "{}" : $0 }
        return segments.last == "{}" && segments.dropLast().elementsEqual(collection)
    }

    /// The names of all parameters in a path, in their order.
    static func parameters(in path: String) -> [String] {
        path.split(separator: "{").dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }

    static func hasParameters(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "{")) }

    static func == (left: ResourceTemplate, right: ResourceTemplate) -> Bool { left.segments == right.segments }
    func hash(into hasher: inout Hasher) { hasher.combine(segments) }

    static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static func isTemplated(_ segment: String) -> Bool { hasParameters(segment) }

    /// Returns whether a parameter fills the whole segment.
    static func isParameter(_ segment: String) -> Bool {
        segment.utf8.first == UInt8(ascii: "{") && segment.utf8.last == UInt8(ascii: "}")
            && segment.utf8.count { $0 == UInt8(ascii: "{") } == 1
    }
}

extension ResourceTemplate: CustomStringConvertible {
    /// `/pets/{id}`.
    var description: String {
        var names = names[...]
        return segments.map { "/" + ($0 == "{}" ? "{\(names.popFirst() ?? "")}" : $0) }.joined()
    }
}

/// The resources that a run has created, which alone it may change and delete.
struct CreatedResources {
    private var values: [ResourceTemplate: [String]] = [:]

    /// The values of the parameters that lead to the created resource which a path is about.
    func values(for path: String) -> [(name: String, value: String)] {
        guard let template = ResourceTemplate(of: path), let values = values[template] else { return [] }
        return Array(zip(template.names, values))
    }

    /// Takes note of what a request has created, where the response says so and names it.
    ///
    /// Only 201 says that something was created (RFC 9110, section 15.3.2): 200 may name what was there before.
    ///
    /// - Parameter path: the path of the request, still percent-encoded.
    mutating func add(
        _ template: ResourceTemplate,
        from response: HTTPResponse,
        to operation: Operation,
        at path: String
    ) {
        guard response.status == .created,
            let id = Self.location(in: response, below: path) ?? Self.id(of: template, in: response.body),
            // Such a segment would lead to another path (RFC 3986, section 5.2.4).
            id != ".", id != ".."
        else { return }
        values[template] = self.values(for: operation.path).map(\.value) + [id]
    }

    /// The last segment of Location, where the rest is the request's path.
    private static func location(in response: HTTPResponse, below path: String) -> String? {
        guard let location = response.fields["Location"] else { return nil }
        let target = location.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let segments = target.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
        let parents = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
        guard let last = segments.last, segments.dropLast().count >= parents.count,
            zip(segments.dropLast().reversed(), parents.reversed()).allSatisfy({ $0.elementsEqual($1) })
        else { return nil }
        return PercentEncoding.decode(Substring(last))
    }

    /// The id in a body: at the root or in an envelope.
    private static func id(of template: ResourceTemplate, in body: [UInt8]) -> String? {
        guard let name = template.names.last,
            let root = try? JSONParser(duplicateNames: .lastWins).parse(body).root.object
        else { return nil }
        let collection = template.segments.last { $0 != "{}" } ?? ""
        let envelopes = root.members.filter { member in
            root.count == 1 || ["data", "result"].contains(member.name.exact)
        }
        return ([root] + envelopes.compactMap(\.value.object)).lazy
            .compactMap { ItemIdentifier.value(named: name, of: collection, in: $0) }
            .first.map(StyledWriting.text)
    }
}
