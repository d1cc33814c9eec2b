import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The parts of a response that all tools have.
extension StubDraft {
    /// A body's text as the response's body: JSON where it is that and the media type does not say otherwise.
    mutating func setBody(_ text: String, type: String?, in response: inout DraftRoute, at value: JSONValue) {
        guard !text.isEmpty else { return response[.empty] = true }
        let start = text.utf8.first { $0 > 0x20 } ?? 0
        let isJSON = type.map { $0.lowercased().contains("json") } ?? "[{".utf8.contains(start)
        if isJSON, let root = (try? JSONParser().parse(text))?.root {
            setBody(json: root, type: type, in: &response, at: value)
        } else {
            response[.text] = .string(DraftText.literal(text))
        }
    }

    /// JSON as the response's body.
    mutating func setBody(json: JSONValue, type: String?, in response: inout DraftRoute, at value: JSONValue) {
        guard !DraftText.isTooDeep(json) else {
            leaveOut("a body that is nested more than \(DraftText.deepestBody) levels deep", at: value)
            return response[.empty] = true
        }
        response[.json] = DraftText.literal(json)
    }

    /// A body of bytes: as text where it is that, else as a file.
    mutating func setBody(bytes: [UInt8], type: String?, in response: inout DraftRoute, at value: JSONValue) {
        if let text = String(validUTF8: bytes), !bytes.contains(0) {
            setBody(text, type: type, in: &response, at: value)
        } else {
            response[.file] = .string(addFile(bytes))
        }
    }

    /// A status that a scenario may have; by default 200.
    mutating func status(_ value: JSONValue?) -> JSONValue {
        guard let value, !value.isNull else { return 200 }
        let code = value.int ?? value.string.flatMap { Int($0) }
        guard let code, 200...999 ~= code else {
            assume("the status \(value.text().printable.shortened) is imported as 200", at: value)
            return 200
        }
        return .number(code)
    }

    /// A latency of so many milliseconds; `nil` for none.
    mutating func latency(_ value: JSONValue?, unit: String = "ms") -> JSONValue? {
        guard let value, let amount = value.int ?? value.string.flatMap({ Int($0) }), amount != 0 else { return nil }
        guard 1...86_400_000 ~= amount else {
            leaveOut("the delay \(value.text().printable.shortened)", at: value)
            return nil
        }
        return .string("\(amount)\(unit)")
    }

    /// The names and values of a list of `{"key": …, "value": …}`.
    static func fields(_ list: JSONValue?) -> [(String, [JSONValue])] {
        (list?.array ?? []).compactMap { field in
            guard field["disabled"]?.bool != true else { return nil }
            return field["key"]?.string.map { ($0, [field["value"] ?? ""]) }
        }
    }

    /// The media type among header fields; `nil` for none.
    static func type(_ fields: [(String, [JSONValue])]) -> String? {
        fields.first { $0.0.lowercased() == "content-type" }?.1.first?.string
    }

    /// Fields that the server writes itself.
    private static let managed: Set<String> = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "date", "server",
    ]

    /// Header fields, each with all of its values.
    mutating func setHeaders(_ pairs: [(String, [JSONValue])], in response: inout DraftRoute) {
        let headers = headers(pairs, hasJSON: response[.json] != nil, in: &response)
        if !headers.isEmpty { response[.headers] = .object(headers) }
    }

    private mutating func headers(
        _ pairs: [(String, [JSONValue])],
        hasJSON: Bool,
        in response: inout DraftRoute
    ) -> JSONObject {
        var headers = JSONObject()
        var written: [String: String] = [:]
        for (name, values) in pairs where !name.isEmpty && !Self.managed.contains(name.lowercased()) {
            let lowercased = name.lowercased()
            for value in values {
                let text = value.string ?? value.number?.text ?? value.bool.map { "\($0)" }
                guard let text = text.map(Self.trimmed), HTTPFields.isName(name), HTTPFields.isValue(text) else {
                    leaveOut("the header field \(name.printable.shortened), which HTTP does not allow", at: value)
                    continue
                }
                if lowercased == "content-type", hasJSON, text == "application/json" { continue }
                if lowercased == "content-encoding" {
                    if text.lowercased() == "gzip" {
                        response[.gzip] = true
                    } else if text.lowercased() != "identity" {
                        leaveOut(
                            "the content coding \(text.printable.shortened); the body is sent unchanged",
                            at: value
                        )
                    }
                    continue
                }
                let made = JSONValue(.string(DraftText.literal(text)), at: value.position)
                guard let first = written[lowercased], let known = headers[first] else {
                    written[lowercased] = name
                    headers[name] = made
                    continue
                }
                headers[first] = .array((known.array ?? [known]) + [made])
            }
        }
        return headers
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return "" }
        return String(Substring(bytes[...last]))
    }

    /// Notes that a body has a template of the tool, which is sent as it is written.
    mutating func noteTemplate(in text: String?, at value: JSONValue) {
        guard let text, text.contains("{{") else { return }
        assume("the template is sent literally; replace it with a placeholder", at: value)
    }

    /// A matcher for a scalar that the tool compares as text, and a scenario as JSON.
    static func equalsAsText(_ text: String) -> DraftMatcher {
        guard let root = (try? JSONParser().parse(text))?.root, root.number != nil || root.bool != nil else {
            return .equals(literal: text)
        }
        return [.oneOf: [.string(DraftText.literal(text)), root]]
    }
}
