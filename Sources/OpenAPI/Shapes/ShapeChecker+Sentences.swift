import Basics
import JSON

extension ShapeChecker {
    mutating func report(
        _ severity: Finding.Severity,
        _ id: String,
        _ message: String,
        at position: JSONPosition,
        below name: String? = nil,
        advice: String? = nil
    ) {
        var place = library.sources.place(of: position)
        place.pointer = JSONPointer(tokens: path + (name.map { [$0] } ?? [])).description
        place.operation = operation
        survey.findings.append(Finding(severity, id: id, message.printable, at: place, advice: advice?.printable))
    }

    /// The operation that the walk is in.
    private var operation: String? {
        guard document == 0, path.count >= 3, path[0] == "paths", ContractBuilder.methods.containsExactly(path[2])
        else { return nil }
        return "\(path[2].uppercased()) \(path[1])".printable
    }

    mutating func mismatch(_ value: JSONValue, _ shape: Shape) {
        report(
            .error,
            "contract/wrong-type",
            "found \(value.shownBriefly), but wanted \(shape.expectation)",
            at: value.position,
            advice: needsQuotes(value, as: shape) ? "put quotes around it, because YAML reads it as no text" : nil
        )
    }

    /// Whether a value is a slip that only YAML allows: text without quotes that looks like something else.
    private func needsQuotes(_ value: JSONValue, as shape: Shape) -> Bool {
        guard case .text = shape, value.number != nil || value.bool != nil else { return false }
        return library.sources.path(of: value.position).map { TextFormat(ofFile: $0) } == .yaml
    }

    mutating func wrongWord(_ text: String, _ value: JSONValue, _ words: [String]) {
        report(
            .error,
            "contract/bad-value",
            "\"\(text.shortened)\" is not \(Shape.oneOf(words).expectation)",
            at: value.position,
            advice: Suggestion.nearest(to: text, among: words).map { "did you mean \"\($0)\"?" }
        )
    }

    mutating func missing(_ key: ObjectShape.Key, in name: ObjectShape.Name, of value: JSONValue) {
        report(
            .error,
            "contract/missing-key",
            "\(name.article) needs \"\(key.name)\", \(key.shape.expectation)",
            at: value.position
        )
    }

    /// Tells of a key that nobody knows, and returns the one that was meant, if any.
    ///
    /// Only a key that resembles a known one is an error: it was meant to say something, and says nothing.
    mutating func unknownKey(
        _ member: JSONObject.Member,
        of shape: ObjectShape,
        in name: ObjectShape.Name,
        besides object: JSONObject
    ) -> [String] {
        if member.name.utf8.elementsEqual("$ref".utf8) {
            report(
                .error,
                "contract/unknown-key",
                "there can be no reference in place of \(name.article)",
                at: member.namePosition
            )
            return []
        }
        // A key that is there already is hardly meant a second time.
        let likely = shape.keys.filter { !object.contains($0.name) && $0.since <= version }.map(\.name)
        let meant = Suggestion.nearest(to: member.name, among: likely)
        report(
            meant == nil ? .warning : .error,
            "contract/unknown-key",
            "unknown key \"\(member.name.shortened)\" in \(name.article)",
            at: member.namePosition,
            below: member.name,
            advice: meant.map { "did you mean \"\($0)\"?" }
                ?? "keys of your own begin with \"x-\"; known here: \(known(shape, besides: object))"
        )
        return [meant].compactMap(\.self)
    }

    private func known(_ shape: ObjectShape, besides object: JSONObject) -> String {
        shape.keys.filter { $0.since <= version && !object.contains($0.name) }.map(\.name).joined(separator: ", ")
    }
}

extension OpenAPIVersion: Comparable {
    package static func < (left: OpenAPIVersion, right: OpenAPIVersion) -> Bool {
        // "3.0" to "3.2": the texts have the order of the versions.
        left.rawValue < right.rawValue
    }
}
