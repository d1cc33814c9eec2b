import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The values of a request that its response repeats, such as an identifier that the client has made.
///
/// A response to a request that was not captured contains placeholders for them, with the captured values where that
/// request has none.
struct CapturedEchoes {
    private var sources: [(value: String, name: String, placeholder: String)] = []
    private let fields: HTTPFields

    /// The name of an identifier in the resource that the path names.
    private static let identifier = "id"
    /// A shorter value is repeated only by a member of the same name.
    private static let shortest = 8

    /// - Parameter variant: the values that distinguish the request from others of its route; none of them is a secret.
    init(_ variant: CapturedVariant, _ request: HTTPRequest) {
        fields = request.fields
        for (name, value) in variant.path.sorted(by: { $0.key < $1.key }) {
            add(value, name.hasSuffix("Id") ? Self.identifier : name, "request.path.\(name)")
        }
        for (name, value) in variant.query.sorted(by: { $0.key < $1.key }) { add(value, name, "request.query.\(name)") }
        for (place, value) in variant.body.sorted(by: { $0.key.name < $1.key.name }) {
            guard let text = value.string else { continue }
            switch place {
            case .body(let pointer): add(text, place.name, "request.body#\(pointer)")
            case .form(let name): add(text, name, "request.form.\(name)")
            case .header, .cookie, .query: break
            }
        }
    }

    private mutating func add(_ value: String, _ name: String, _ reference: String) {
        let isPlain = reference.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-#/".utf8.contains($0) }
        guard isPlain, !value.isEmpty, let placeholder = Self.placeholder(reference, or: value) else { return }
        sources.append((value, name, placeholder))
    }

    /// - Returns: `nil` for a value that a placeholder cannot contain as it is.
    private static func placeholder(_ reference: String, or value: String) -> String? {
        // A parameter of the path is always there.
        if reference.hasPrefix("request.path.") { return "{{\(reference)}}" }
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && !#""\{}"#.utf8.contains($0) }
        return isPlain ? #"{{\#(reference) ?? "\#(value)"}}"# : nil
    }

    private func placeholder(for text: String, named name: String) -> String? {
        sources.first { source in
            source.value.exact == text.exact && (source.name == name || text.utf8.count >= Self.shortest)
        }?.placeholder
    }

    /// A body with placeholders where its texts are values of the request.
    func filled(_ body: JSONValue, named name: String = "") -> JSONValue {
        if let text = body.string { return placeholder(for: text, named: name).map { .string($0) } ?? body }
        if let elements = body.array { return .array(elements.map { filled($0, named: name) }) }
        guard let object = body.object else { return body }
        return .object(JSONObject(object.members.map { ($0.name, filled($0.value, named: $0.name)) }))
    }

    /// Header fields with placeholders for equal fields of the request, and for its values in the paths of URLs.
    func filled(headers: JSONObject) -> JSONObject {
        JSONObject(
            headers.members.map { member in
                guard let text = member.value.string else { return (member.name, member.value) }
                if text.utf8.count >= Self.shortest, fields[member.name] == text,
                    let placeholder = Self.placeholder("request.header.\(member.name)", or: text)
                {
                    return (member.name, .string(placeholder))
                }
                guard ["location", "content-location"].contains(member.name.lowercased()) else {
                    return (member.name, member.value)
                }
                let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
                    placeholder(for: String(part), named: Self.identifier) ?? String(part)
                }
                return (member.name, .string(parts.joined(separator: "/")))
            }
        )
    }
}
