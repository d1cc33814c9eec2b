import Basics
import JSON

extension ShapeChecker {
    /// Judges what no single key says: keys that depend on one another.
    mutating func checkTogether(
        _ object: JSONObject,
        of value: JSONValue,
        as name: ObjectShape.Name,
        slips: Set<String>
    ) {
        switch name {
        case .openAPI: checkDocument(object, of: value, slips: slips)
        case .operation where !object.contains("responses") && !slips.contains("responses"):
            report(
                version == .v30 ? .error : .warning,
                "contract/missing-response",
                "an operation without \"responses\" says nothing about its responses",
                at: value.position
            )
        case .parameter: checkParameter(object, of: value, slips: slips)
        case .header: checkDescribed(object, of: value, as: name, slips: slips)
        case .securityScheme: checkScheme(object, of: value, slips: slips)
        default: break
        }
    }

    private mutating func checkDocument(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        let wanted = version == .v30 ? ["paths"] : ["paths", "components", "webhooks"]
        guard !wanted.contains(where: { object.contains($0) || slips.contains($0) }) else { return }
        report(
            .error,
            "contract/missing-key",
            "an OpenAPI document needs \"paths\", an object of paths that begin with a slash",
            at: value.position
        )
    }

    private mutating func checkParameter(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        checkDescribed(object, of: value, as: .parameter, slips: slips)
        guard let location = object["in"]?.string.flatMap(Parameter.Location.init) else { return }
        if location == .path, object["required"]?.bool != true, !slips.contains("required") {
            report(
                .error,
                "contract/optional-path-parameter",
                "a path parameter needs \"required\": true, because a path without it is another path",
                at: object["required"]?.position ?? value.position,
                below: object["required"] == nil ? nil : "required"
            )
        }
        guard let style = object["style"], let text = style.string, let known = Parameter.Style(rawValue: text),
            !location.styles.contains(known)
        else { return }
        under("style") { $0.wrongStyle(text, style, location) }
    }

    private mutating func wrongStyle(_ text: String, _ value: JSONValue, _ location: Parameter.Location) {
        report(
            .error,
            "contract/bad-value",
            "a \(location.rawValue) parameter cannot have the style \"\(text)\"; it may be "
                + Shape.oneOf(location.styles.map(\.rawValue)).expectation,
            at: value.position
        )
    }

    /// Parameters and headers have a schema, or content of exactly one media type.
    private mutating func checkDescribed(
        _ object: JSONObject,
        of value: JSONValue,
        as name: ObjectShape.Name,
        slips: Set<String>
    ) {
        if let content = object["content"], let count = content.object?.count, count != 1 {
            report(
                .error,
                "contract/bad-value",
                "\"content\" of \(name.article) has exactly one media type, and this has \(count)",
                at: content.position,
                below: "content"
            )
        }
        if !object.contains("schema"), !object.contains("content"), slips.isDisjoint(with: ["schema", "content"]) {
            report(
                .warning,
                "contract/missing-key",
                "\(name.article) without \"schema\" or \"content\" allows every value",
                at: value.position
            )
        }
    }

    private mutating func checkScheme(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        let wanted: [String] =
            switch object["type"]?.string {
            case "apiKey": ["name", "in"]
            case "http": ["scheme"]
            case "oauth2": ["flows"]
            case "openIdConnect": ["openIdConnectUrl"]
            default: []
            }
        for name in wanted where !object.contains(name) && !slips.contains(name) {
            report(
                .error,
                "contract/missing-key",
                "a security scheme of this type needs \"\(name)\"",
                at: value.position
            )
        }
    }

    /// No two parameters of one list have the same name and place.
    mutating func checkParameters(_ values: [JSONValue]) {
        var seen: Set<[UInt8]> = []
        for (index, value) in values.enumerated() {
            let here = ContractNode(document: document, pointer: JSONPointer(tokens: path + ["\(index)"]), value: value)
            guard let node = try? library.resolve(here), let name = node.value["name"]?.string,
                let location = node.value["in"]?.string
            else { continue }
            let folded = location == "header" ? name.lowercased() : name
            guard !seen.insert(Array("\(location) \(folded)".utf8)).inserted else { continue }
            report(
                .error,
                "contract/duplicate-parameter",
                "the \(location.shortened) parameter \"\(name.shortened)\" is in this list already",
                at: value.position,
                below: "\(index)"
            )
        }
    }

    mutating func checkSecurity(_ object: JSONObject) {
        let schemes = library.documents[0].root["components"]?["securitySchemes"]?.object
        for member in object.members {
            under(member.name) { $0.check(member.value, against: .list(of: .text)) }
            // Since 3.2 a name may also be the URI of a scheme.
            let isURI = version == .v32 && member.name.utf8.contains { $0 == 0x23 || $0 == 0x2F }
            guard schemes?.contains(member.name) != true, !isURI else {
                use(ContractSurvey.Component(section: "securitySchemes", name: member.name))
                continue
            }
            report(
                .error,
                "contract/unknown-security-scheme",
                "there is no security scheme \"\(member.name.shortened)\" in the components",
                at: member.namePosition,
                below: member.name,
                advice: Suggestion.nearest(to: member.name, among: schemes?.names ?? [])
                    .map { "did you mean \"\($0)\"?" }
            )
        }
    }
}

extension Parameter.Location {
    /// The styles that parameters in this place can have (OpenAPI 3.1, section 4.8.12.2).
    var styles: [Parameter.Style] {
        switch self {
        case .path: [.simple, .label, .matrix]
        case .query: [.form, .spaceDelimited, .pipeDelimited, .deepObject]
        case .header: [.simple]
        case .cookie: [.form]
        }
    }
}
