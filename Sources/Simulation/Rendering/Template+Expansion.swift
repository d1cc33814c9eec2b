import HTTPCodec
import JSON
import ScenarioFormat

/// Templates with the values of their placeholders, which a function gives: `nil` for a placeholder without a value.
extension TextTemplate {
    /// The text; `nil` where a placeholder without a value leaves it out.
    ///
    /// - Parameter isCookie: whether it sets a cookie, in which a value, such as one of the request, must not begin an
    ///   attribute (RFC 6265, section 4.1.1).
    func text(isCookie: Bool = false, _ value: (Placeholder) -> JSONValue?) -> String? {
        if let constant { return constant }
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let placeholder):
                let value = value(placeholder) ?? .null
                if value.isNull, placeholder.mayBeOmitted { return nil }
                let plain = value.plainText
                text += isCookie ? plain.withoutAttributes : plain
            }
        }
        return text
    }
}

extension ValueTemplate {
    /// The text of the value as JSON.
    func bytes(_ value: (Placeholder) -> JSONValue?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(usualSize)
        for part in parts {
            switch part {
            case .bytes(let fixed): bytes += fixed
            case .value(let placeholder):
                let value = value(placeholder) ?? .null
                if let text = value.string {
                    JSONWriter.append(quoted: text, to: &bytes)
                } else {
                    JSONWriter().append(value, to: &bytes)
                }
            case .fragment(let placeholder):
                // The template has the quotes.
                JSONWriter.append(unquoted: (value(placeholder) ?? .null).plainText, to: &bytes)
            }
        }
        return bytes
    }
}

extension TreeTemplate {
    /// The value; `nil` for one that is left out.
    func value(_ value: (Placeholder) -> JSONValue?) -> JSONValue? {
        switch self {
        case .constant(let value): return value
        case .value(let placeholder, _): return value(placeholder) ?? (placeholder.mayBeOmitted ? nil : .null)
        case .text(let text, _): return .string(text.text(value) ?? "")
        case .array(let templates, _): return Self.array(of: templates, value)
        case .object(let members, _): return Self.object(of: members, value)
        }
    }

    /// The same, but for a lone placeholder without a value it is `nil` instead of null.
    func valueIfAny(_ value: (Placeholder) -> JSONValue?) -> JSONValue? {
        if case .value(let placeholder, _) = self { return value(placeholder) }
        return self.value(value)
    }

    // On their own, so that what they need does not lie on the stack at every depth.

    private static func array(of templates: [TreeTemplate], _ value: (Placeholder) -> JSONValue?) -> JSONValue {
        var values: [JSONValue] = []
        values.reserveCapacity(templates.count)
        for template in templates {
            if let value = template.value(value) { values.append(value) }
        }
        return .array(values)
    }

    private static func object(of members: [Member], _ value: (Placeholder) -> JSONValue?) -> JSONValue {
        var object = JSONObject()
        for member in members {
            if let value = member.value.value(value) { object[member.name] = value }
        }
        return .object(object)
    }
}

extension [HeaderTemplate] {
    /// Appends the header fields.
    ///
    /// A control character that a placeholder brings in becomes a space there.
    func append(to fields: inout HTTPFields, _ value: (Placeholder) -> JSONValue?) {
        for header in self {
            let isCookie = header.name.lowercased() == "set-cookie"
            if let value = header.value.text(isCookie: isCookie, value) { fields.append(header.name, value) }
        }
    }
}

extension String {
    /// The text as a part of a cookie's value: a semicolon would begin an attribute.
    fileprivate var withoutAttributes: String {
        utf8.contains(UInt8(ascii: ";"))
            ? split(separator: ";", omittingEmptySubsequences: false).joined(separator: "%3B") : self
    }
}
