import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Shortens tokens in all places of the scenario's token kinds, and the tokens of the story in all places, under any
/// name.
///
/// A report itself shortens texts that it recognizes by name or form.
struct TokenConcealment {
    private let carriers: [TokenCarrier]
    private let ledger: TokenLedger?

    /// - Parameter ledger: The tokens that were granted.
    init(_ carriers: [TokenCarrier], ledger: TokenLedger? = nil) {
        self.carriers = carriers
        self.ledger = ledger.flatMap { $0.tokens.isEmpty ? nil : $0 }
    }

    /// Returns whether a text is a token that was granted, and long enough to be a secret.
    private func isGranted(_ text: String) -> Bool {
        text.utf8.count >= 8 && ledger?.token(value: text) != nil
    }

    /// Header fields in their order, with their schemes.
    func fields(_ fields: HTTPFields) -> HTTPFields {
        let names = carriers.compactMap { carrier in
            switch carrier.part {
            case .header(let name): name.lowercased()
            case .cookie: "cookie"
            case .basic: "authorization"
            default: nil
            }
        }
        guard ledger != nil || fields.contains(where: { names.contains($0.name.lowercased()) }) else { return fields }
        var concealed = HTTPFields()
        for (name, value) in fields {
            let word = value.utf8.split(separator: UInt8(ascii: " ")).last.map { String(Substring($0)) } ?? ""
            let isHidden = names.contains(name.lowercased()) || isGranted(word)
            concealed.append(name, isHidden ? Self.field(name, value) : value)
        }
        return concealed
    }

    func target(_ target: String) -> String {
        let names = carriers.compactMap { if case .query(let name) = $0.part { name } else { nil } }
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let path = path(target[..<mark])
        guard mark < target.endIndex else { return path }
        return path + "?" + pairs(target[target.utf8.index(after: mark)...], hiding: names)
    }

    private func path(_ path: Substring) -> String {
        guard ledger != nil else { return String(path) }
        return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { part in
            let part = String(Substring(part))
            return isGranted(PercentEncoding.decode(part) ?? part) ? Secrets.shortened(part) : part
        }
        .joined(separator: "/")
    }

    /// The items of a query or a form, of which some values are shortened.
    private func pairs(_ text: Substring, hiding names: [String]) -> String {
        text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
            let item = QueryItems(parsing: String(Substring(pair))).items.first
            guard let item, names.contains(item.name.exact) || isGranted(item.value) else {
                return String(Substring(pair))
            }
            return "\(Substring(pair.prefix { $0 != UInt8(ascii: "=") }))=\(Self.text(item.value, named: item.name))"
        }
        .joined(separator: "&")
    }

    /// A body that is not changed where none of its places holds a token.
    func body(_ bytes: [UInt8], type: String? = nil) -> [UInt8] {
        let fields = carriers.compactMap { if case .form(let name) = $0.part { name } else { nil } }
        if let type, let form = try? MultipartForm(parsing: bytes, contentType: type) {
            return parts(of: form, in: bytes, hiding: fields)
        }
        if ledger != nil || !fields.isEmpty, let text = String(validUTF8: bytes), Self.isForm(text) {
            return Array(pairs(text[...], hiding: fields).utf8)
        }
        let pointers = carriers.compactMap { if case .body(let pointer) = $0.part { pointer } else { nil } }
        guard ledger != nil || !pointers.isEmpty else { return bytes }
        guard var root = (try? JSONParser().parse(bytes))?.root else {
            return String(validUTF8: bytes).map { isGranted($0) ? Array(Secrets.shortened($0).utf8) : bytes } ?? bytes
        }
        var isChanged = false
        for pointer in pointers {
            guard let text = pointer.value(in: root)?.string else { continue }
            root.put(.string(Self.text(text, named: pointer.tokens.last)), at: pointer.tokens[...])
            isChanged = true
        }
        root = value(root, named: nil, &isChanged)
        return isChanged ? Array(root.text(.compact).utf8) : bytes
    }

    /// A value in which the granted tokens are shortened.
    private func value(_ value: JSONValue, named name: String?, _ isChanged: inout Bool) -> JSONValue {
        switch value.content {
        case .string(let text) where isGranted(text):
            isChanged = true
            return .string(Self.text(text, named: name))
        case .array(let elements) where ledger != nil:
            return .array(elements.map { self.value($0, named: name, &isChanged) })
        case .object(let object) where ledger != nil:
            return .object(
                JSONObject(object.members.map { ($0.name, self.value($0.value, named: $0.name, &isChanged)) })
            )
        default: return value
        }
    }

    /// A multipart body in which the parts with a secret are shortened; its lines and boundaries remain.
    private func parts(of form: MultipartForm, in bytes: [UInt8], hiding names: [String]) -> [UInt8] {
        var bytes = bytes
        for part in form.parts.reversed() {
            let text = String(decoding: part.body, as: UTF8.self)
            guard Secrets.isSecret(part.name) || names.contains(part.name.exact) || isGranted(text) else { continue }
            bytes.replaceSubrange(part.body.indices, with: Secrets.shortened(text).utf8)
        }
        return bytes
    }

    /// Returns whether a body looks form-urlencoded: no JSON text begins so.
    private static func isForm(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "=")) && text.utf8.first.map { !"{[\"".utf8.contains($0) } ?? false
    }

    private static func text(_ value: String, named name: String?) -> String {
        let isLeft = Secrets.isSecret(name ?? "") || Secrets.text(value).exact != value.exact
        return isLeft ? value : Secrets.shortened(value)
    }

    /// A header field, of which a scheme stays.
    private static func field(_ name: String, _ value: String) -> String {
        guard Secrets.field(name, value).exact == value.exact else { return value }
        guard let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) else { return Secrets.shortened(value) }
        return value[...space] + Secrets.shortened(value[space...].drop { $0 == " " })
    }
}
