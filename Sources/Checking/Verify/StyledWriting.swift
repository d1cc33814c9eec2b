import Basics
import HTTPCodec
import JSON
import OpenAPI

/// Writes values as the styles of parameters want them (OpenAPI 3.1, section 4.8.12.4).
struct StyledWriting {
    let name: String
    let style: Parameter.Style
    let explode: Bool
    var allowsReserved = false

    init(_ parameter: Parameter) {
        name = parameter.name
        style = parameter.style
        explode = parameter.explode
        allowsReserved = parameter.allowsReserved
    }

    init(name: String, style: Parameter.Style, explode: Bool) {
        self.name = name
        self.style = style
        self.explode = explode
    }

    /// For a path: percent-encoded, with what the styles label and matrix put in front.
    func pathText(_ value: JSONValue) -> String {
        let fields = fields(of: value)
        switch (style, value.content) {
        case (.label, .array), (.label, .object):
            return "." + list(value, fields, separator: explode ? "." : ",", encode)
        case (.label, _): return "." + encode(Self.text(value))
        case (.matrix, .array(let elements)) where explode:
            return elements.map { ";\(encode(name))=\(encode(Self.text($0)))" }.joined()
        case (.matrix, .object) where explode:
            return fields.map { ";\(encode($0.name))=\(encode($0.text))" }.joined()
        case (.matrix, _): return ";\(encode(name))=" + list(value, fields, separator: ",", encode)
        default: return list(value, fields, separator: ",", encode)
        }
    }

    /// For a header field: as it stands.
    func fieldText(_ value: JSONValue) -> String {
        list(value, fields(of: value), separator: ",") { $0 }
    }

    /// For a query or a form: `name=value` each, percent-encoded.
    func pairs(_ value: JSONValue) -> [String] {
        if style == .deepObject { return bracketed(encode(name), value) }
        switch value.content {
        case .array(let elements) where explode: return elements.map { pair(name, encode(Self.text($0))) }
        case .object where explode: return fields(of: value).map { pair($0.name, encode($0.text)) }
        default:
            let separator =
                switch style {
                case .spaceDelimited: "%20"
                case .pipeDelimited: "%7C"
                default: ","
                }
            return [pair(name, flat(value, separator: separator))]
        }
    }

    /// How a value stands as text; what is no simple value stands as JSON.
    static func text(_ value: JSONValue) -> String {
        value.string ?? value.description
    }

    private func pair(_ name: String, _ encodedValue: String) -> String { "\(encode(name))=\(encodedValue)" }

    private func bracketed(_ prefix: String, _ value: JSONValue) -> [String] {
        switch value.content {
        case .object(let object): object.members.flatMap { bracketed("\(prefix)%5B\(encode($0.name))%5D", $0.value) }
        case .array(let elements):
            elements.enumerated().flatMap { bracketed("\(prefix)%5B\($0.offset)%5D", $0.element) }
        default: ["\(prefix)=\(encode(Self.text(value)))"]
        }
    }

    private func fields(of value: JSONValue) -> [(name: String, text: String)] {
        (value.object?.members ?? []).map { ($0.name, Self.text($0.value)) }
    }

    private func flat(_ value: JSONValue, separator: String) -> String {
        switch value.content {
        case .array(let elements): elements.map { encode(Self.text($0)) }.joined(separator: separator)
        case .object: fields(of: value).flatMap { [encode($0.name), encode($0.text)] }.joined(separator: separator)
        default: encode(Self.text(value))
        }
    }

    private func list(
        _ value: JSONValue,
        _ fields: [(name: String, text: String)],
        separator: String,
        _ written: (String) -> String
    ) -> String {
        switch value.content {
        case .array(let elements): elements.map { written(Self.text($0)) }.joined(separator: separator)
        case .object where explode:
            fields.map { "\(written($0.name))=\(written($0.text))" }.joined(separator: separator)
        case .object: fields.flatMap { [written($0.name), written($0.text)] }.joined(separator: separator)
        default: written(Self.text(value))
        }
    }

    private func encode(_ text: String) -> String {
        PercentEncoding.encode(text, allowing: allowsReserved ? ":/?@!$'()*,;" : "")
    }
}
