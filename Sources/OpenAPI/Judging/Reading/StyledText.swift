import Basics
import HTTPCodec
import JSON

/// Takes a single text apart by the styles of path, header and cookie (OpenAPI 3.1, section 4.8.12.5).
struct StyledText {
    let text: String
    let isPercentEncoded: Bool

    /// The values that may be meant, the likeliest first.
    ///
    /// - Parameter name: the parameter's, which the matrix style repeats.
    func values(style: Parameter.Style, explode: Bool, name: String, kinds: ValueKinds) -> [WireValue] {
        switch style {
        case .label: labelled(explode: explode, kinds: kinds)
        case .matrix: matrix(explode: explode, name: name, kinds: kinds)
        default: separated(text[...], explode: explode, kinds: kinds)
        }
    }

    /// `blue,black,brown` · `R,100,G,200,B,150` · exploded `R=100,G=200,B=150`.
    private func separated(_ text: Substring, explode: Bool, kinds: ValueKinds) -> [WireValue] {
        // Most schemas require a plain value, and then nothing needs to be taken apart.
        if kinds.isDisjoint(with: [.array, .object]) { return [.text(decoded(text))] }
        return values(
            kinds: kinds,
            whole: text,
            parts: parts(of: text, by: ","),
            fields: explode ? .assignments : .alternating
        )
    }

    /// `.blue` · `.blue,black,brown` · exploded `.blue.black.brown` and `.R=100.G=200.B=150`.
    private func labelled(explode: Bool, kinds: ValueKinds) -> [WireValue] {
        guard text.utf8.first == UInt8(ascii: ".") else { return [.text(decoded(text[...]))] }
        let rest = Substring(text.utf8.dropFirst())
        // The table of OpenAPI 3.0 and 3.1.0 has points for lists that are not exploded, RFC 6570 has commas.
        let separator: Character = explode || !rest.utf8.contains(UInt8(ascii: ",")) ? "." : ","
        return values(
            kinds: kinds,
            whole: rest,
            parts: parts(of: rest, by: separator),
            fields: explode ? .assignments : .alternating
        )
    }

    /// `;color=blue` · `;color=blue,black,brown` · exploded `;color=blue;color=black` and `;R=100;G=200`.
    private func matrix(explode: Bool, name: String, kinds: ValueKinds) -> [WireValue] {
        guard text.utf8.first == UInt8(ascii: ";") else { return [.text(decoded(text[...]))] }
        let assignments = parts(of: Substring(text.utf8.dropFirst()), by: ";").map(Assignment.init)
        guard explode else {
            guard let first = assignments.first, first.name.exact == name.exact else {
                return [.text(decoded(text[...]))]
            }
            return separated(first.value, explode: false, kinds: kinds)
        }
        let own = assignments.filter { $0.name.exact == name.exact }.map(\.value)
        return values(kinds: kinds, whole: own.first ?? "", parts: own, fields: .ready(assignments))
    }

    private enum Fields {
        case alternating
        case assignments
        case ready([Assignment])
    }

    private struct Assignment {
        var name: Substring
        var value: Substring

        init(_ text: Substring) {
            let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
            name = text[..<equals]
            value = Substring(text.utf8[equals...].dropFirst())
        }
    }

    private func values(kinds: ValueKinds, whole: Substring, parts: [Substring], fields: Fields) -> [WireValue] {
        var values: [WireValue] = []
        if !kinds.isDisjoint(with: .scalars) { values.append(.text(decoded(whole))) }
        // A schema that allows anything is not taken to require a list.
        guard kinds != .all else { return values }
        if kinds.contains(.array) {
            values.append(.list(whole.isEmpty ? [] : parts.map { .text(decoded($0)) }))
        }
        if kinds.contains(.object), let value = object(parts, fields) { values.append(value) }
        return values.isEmpty ? [.text(decoded(whole))] : values
    }

    private func object(_ parts: [Substring], _ fields: Fields) -> WireValue? {
        let assignments: [Assignment]
        switch fields {
        case .ready(let ready): assignments = ready
        case .assignments:
            guard parts.allSatisfy({ $0.utf8.contains(UInt8(ascii: "=")) }) else { return nil }
            assignments = parts.map(Assignment.init)
        case .alternating: return StyledText.alternating(parts.map(decoded))
        }
        return .fields(assignments.map { WireValue.Field(name: decoded($0.name), value: .text(decoded($0.value))) })
    }

    /// `R,100,G,200`: names and values in turn; `nil` when one is left over.
    static func alternating(_ parts: [String]) -> WireValue? {
        guard parts.count.isMultiple(of: 2) else { return nil }
        return .fields(
            stride(from: 0, to: parts.count, by: 2).map {
                WireValue.Field(name: parts[$0], value: .text(parts[$0 + 1]))
            }
        )
    }

    private func parts(of text: Substring, by separator: Character) -> [Substring] {
        let separator = separator.asciiValue ?? 0
        return text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { part in
            // Lists in header fields have white space after the comma (RFC 9110, section 5.6.1).
            isPercentEncoded ? Substring(part) : Substring(part.drop { $0 == 0x20 || $0 == 0x09 })
        }
    }

    private func decoded(_ text: Substring) -> String {
        guard isPercentEncoded else { return String(text) }
        return PercentEncoding.decode(text) ?? String(text)
    }
}
