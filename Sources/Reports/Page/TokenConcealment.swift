import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Shortens tokens in requests in all places of the scenario's token kinds, under any name.
///
/// A report itself shortens texts that it recognizes by name or form.
struct TokenConcealment {
    private let carriers: [TokenCarrier]

    init(_ carriers: [TokenCarrier]) {
        self.carriers = carriers
    }

    /// Header fields in their order, with their schemes.
    func fields(_ fields: HTTPFields) -> HTTPFields {
        let names = carriers.compactMap { carrier in
            switch carrier {
            case .header(let name, _, _): name.lowercased()
            case .cookie: "cookie"
            case .basic: "authorization"
            case .body, .query, .form: nil
            }
        }
        guard fields.contains(where: { names.contains($0.name.lowercased()) }) else { return fields }
        var concealed = HTTPFields()
        for (name, value) in fields {
            concealed.append(name, names.contains(name.lowercased()) ? Self.field(name, value) : value)
        }
        return concealed
    }

    func target(_ target: String) -> String {
        let names = carriers.compactMap { if case .query(let name) = $0 { name } else { nil } }
        guard !names.isEmpty, let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return target[...mark] + Self.pairs(target[target.utf8.index(after: mark)...], hiding: names)
    }

    /// The items of a query or a form, of which some values are shortened.
    private static func pairs(_ text: Substring, hiding names: [String]) -> String {
        text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
            let item = QueryItems(parsing: String(Substring(pair))).items.first
            guard let item, names.containsExactly(item.name) else { return String(Substring(pair)) }
            return "\(Substring(pair.prefix { $0 != UInt8(ascii: "=") }))=\(Self.text(item.value, named: item.name))"
        }
        .joined(separator: "&")
    }

    /// A body that is not changed where none of its places holds a token.
    func body(_ bytes: [UInt8]) -> [UInt8] {
        let fields = carriers.compactMap { if case .form(let name) = $0 { name } else { nil } }
        if !fields.isEmpty, let text = String(validUTF8: bytes), Self.isForm(text) {
            return Array(Self.pairs(text[...], hiding: fields).utf8)
        }
        let pointers = carriers.compactMap { if case .body(let pointer) = $0 { pointer } else { nil } }
        guard !pointers.isEmpty, var root = (try? JSONParser().parse(bytes))?.root else { return bytes }
        var isChanged = false
        for pointer in pointers {
            guard let text = pointer.value(in: root)?.string else { continue }
            root.put(.string(Self.text(text, named: pointer.tokens.last)), at: pointer.tokens[...])
            isChanged = true
        }
        return isChanged ? Array(root.text(.compact).utf8) : bytes
    }

    /// Returns whether a body looks form-urlencoded: no JSON text begins so.
    private static func isForm(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "=")) && text.utf8.first.map { !"{[\"".utf8.contains($0) } ?? false
    }

    private static func text(_ value: String, named name: String?) -> String {
        let isLeft = Secrets.isSecret(name ?? "") || !Secrets.text(value).utf8.elementsEqual(value.utf8)
        return isLeft ? value : Secrets.shortened(value)
    }

    /// A header field, of which a scheme stays.
    private static func field(_ name: String, _ value: String) -> String {
        guard Secrets.field(name, value).utf8.elementsEqual(value.utf8) else { return value }
        guard let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) else { return Secrets.shortened(value) }
        return value[...space] + Secrets.shortened(value[space...].drop { $0 == " " })
    }
}
