import Basics
import JSON
import OpenAPI

/// Writes values as the styles of parameters require (OpenAPI 3.1, section 4.8.12.4).
struct StyledWriting {
    let name: String
    let style: Parameter.Style
    let explode: Bool
    var allowsReserved = false

    /// For a path: percent-encoded, with what the styles label and matrix put in front.
    func pathText(_ value: JSONValue) -> String {
        switch (style, value.content) {
        case (.label, .array), (.label, .object):
            return "." + list(value, separator: explode ? "." : ",", encode)
        case (.label, _): return "." + encode(Self.text(value))
        case (.matrix, .array(let elements)) where explode:
            return elements.map { ";\(encode(name))=\(encode(Self.text($0)))" }.joined()
        case (.matrix, .object) where explode:
            return fields(of: value).map { ";\(encode($0.name))=\(encode($0.text))" }.joined()
        case (.matrix, _): return ";\(encode(name))=" + list(value, separator: ",", encode)
        default: return list(value, separator: ",", encode)
        }
    }

    /// For a header field: unchanged.
    func fieldText(_ value: JSONValue) -> String {
        list(value, separator: ",") { $0 }
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
            return [pair(name, list(value, separator: separator, encode))]
        }
    }

    /// The text of a value; a value that is not simple is written as JSON.
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

    private func list(_ value: JSONValue, separator: String, _ written: (String) -> String) -> String {
        let fields = fields(of: value).map { (name: written($0.name), text: written($0.text)) }
        return switch value.content {
        case .array(let elements): elements.map { written(Self.text($0)) }.joined(separator: separator)
        case .object where explode: fields.map { "\($0.name)=\($0.text)" }.joined(separator: separator)
        case .object: fields.flatMap { [$0.name, $0.text] }.joined(separator: separator)
        default: written(Self.text(value))
        }
    }

    private func encode(_ text: String) -> String {
        PercentEncoding.encode(text, allowing: allowsReserved ? ":/?@!$'()*,;" : "")
    }
}

extension StyledWriting {
    init(_ parameter: Parameter) {
        self.init(name: parameter.name, style: parameter.style, explode: parameter.explode)
        allowsReserved = parameter.allowsReserved
    }
}
