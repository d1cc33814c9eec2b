import Basics
import HTTPCodec
import JSON
import JSONSchema

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
                "\"responses\" is missing, so the operation does not document its responses",
                at: value.position
            )
        case .parameter: checkParameter(object, of: value, slips: slips)
        case .header: checkDescribed(object, of: value, as: name, slips: slips)
        case .securityScheme: checkScheme(object, of: value, slips: slips)
        case .serverVariable: checkVariable(object)
        case .server: checkServer(object)
        case .flow: checkFlow(object, of: value, slips: slips)
        case .link: checkLink(object, of: value, slips: slips)
        case .contact: checkContact(object)
        default: break
        }
        if name == .operation, let id = object["operationId"]?.string { survey.operationIDs.insert(id.exact) }
    }

    private mutating func checkDocument(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        if let tags = object["tags"]?.array { checkTags(tags) }
        let wanted = version == .v30 ? ["paths"] : ["paths", "components", "webhooks"]
        guard !wanted.contains(where: { object.contains($0) || slips.contains($0) }) else { return }
        report(
            .error,
            "contract/missing-key",
            "an OpenAPI document requires \"paths\", an object whose keys are paths that begin with a slash",
            at: value.position
        )
    }

    private mutating func checkParameter(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        checkDescribed(object, of: value, as: .parameter, slips: slips)
        if let location = object["in"], location.string == "querystring" {
            if version < .v32 {
                report(
                    .error,
                    "contract/bad-value",
                    "\"querystring\" is new in OpenAPI 3.2; this document is \(version.rawValue)",
                    at: location.position,
                    below: "in"
                )
            }
            if object["content"] == nil, !slips.contains("content") {
                let message = "a parameter for the whole query requires \"content\" with one media type"
                report(.error, "contract/missing-key", message, at: value.position)
            }
        }
        guard let location = object["in"]?.string.flatMap(Parameter.Location.init) else { return }
        if location == .path, object["required"]?.bool != true, !slips.contains("required") {
            report(
                .error,
                "contract/optional-path-parameter",
                "a path parameter requires \"required\": true, because a path without the parameter is a different path",
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
            "a \(location.rawValue) parameter must not use the style \"\(text)\"; the style must be "
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
                "\"content\" in \(name.article) must contain exactly one media type, but this contains \(count)",
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

    /// The URLs that each flow needs (OpenAPI 3.1, section 4.8.30; 3.2, section 4.29.1).
    private static let flowURLs = [
        "implicit": ["authorizationUrl"], "password": ["tokenUrl"], "clientCredentials": ["tokenUrl"],
        "authorizationCode": ["authorizationUrl", "tokenUrl"],
        "deviceAuthorization": ["deviceAuthorizationUrl", "tokenUrl"],
    ]

    private mutating func checkFlow(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        guard let flow = path.last, let urls = Self.flowURLs[flow],
            ObjectShape.flows[flow].map({ $0.since <= version }) == true
        else { return }
        for name in urls where !object.contains(name) && !slips.contains(name) {
            report(.error, "contract/missing-key", "the flow \"\(flow)\" needs \"\(name)\", a URL", at: value.position)
        }
    }

    /// Every name in braces in a server's URL is that of a variable (OpenAPI 3.1, section 4.8.5).
    private mutating func checkServer(_ object: JSONObject) {
        guard let value = object["url"], let url = value.string else { return }
        let variables = object["variables"]?.object
        for name in URLTemplate.names(in: url) where variables?.contains(name) != true {
            report(
                .warning,
                "contract/undefined-variable",
                "the server URL contains \"{\(name.shortened)}\", but \"variables\" does not define it",
                at: value.position,
                below: "url",
                advice: Suggestion.nearest(to: name, among: variables?.names ?? []).map { "did you mean \"\($0)\"?" }
            )
        }
    }

    /// A link names an operation that is there (OpenAPI 3.1, section 4.8.20).
    private mutating func checkLink(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        let names = ["operationId", "operationRef"]
        if !names.contains(where: { object.contains($0) || slips.contains($0) }) {
            report(
                .error,
                "contract/missing-key",
                "a link requires \"operationId\" or \"operationRef\", which identifies the linked operation",
                at: value.position
            )
        }
        if let value = object["operationId"], let id = value.string {
            let link = ContractNode(document: document, pointer: JSONPointer(tokens: path), value: .object(object))
            survey.linkedIDs.append(.init(id: id, link: link, position: value.position))
        }
        guard let value = object["operationRef"], let text = value.string, FileURI.scheme(of: text) == nil else {
            return
        }
        do {
            _ = try library.target(of: text, from: document)
        } catch {
            report(
                .error,
                error.id,
                error.sentence,
                at: value.position,
                below: "operationRef",
                advice: error.advice
            )
        }
    }

    private mutating func checkContact(_ object: JSONObject) {
        guard let value = object["email"], let text = value.string, !StringFormat.email.accepts(text) else { return }
        report(
            .warning,
            "contract/bad-value",
            "\"\(text.shortened)\" is not an email address",
            at: value.position,
            below: "email"
        )
    }

    /// Reports links to operations that do not exist, once all operations have been seen.
    mutating func checkLinkedIDs() {
        // An operation behind a reference that cannot be resolved may have the id.
        guard survey.brokenReferences.isEmpty else { return }
        for linked in survey.linkedIDs where !survey.operationIDs.contains(linked.id.exact) {
            document = linked.link.document
            path = linked.link.pointer.tokens
            report(
                .error,
                "contract/unknown-operation",
                "there is no operation with the id \"\(linked.id.shortened)\"",
                at: linked.position,
                below: "operationId",
                advice: Suggestion.nearest(to: linked.id, among: survey.operationIDs.map(\.text).sorted())
                    .map { "did you mean \"\($0)\"?" }
            )
        }
    }

    /// Tags have different names, and each parent is a tag and none its own ancestor (OpenAPI 3.2, section 4.22).
    private mutating func checkTags(_ tags: [JSONValue]) {
        var parents: [ExactText: String] = [:]
        var seen: Set<ExactText> = []
        for (number, tag) in tags.enumerated() {
            guard let value = tag["name"], let name = value.string, !seen.insert(name.exact).inserted else {
                continue
            }
            under("tags") { checker in
                checker.under("\(number)") {
                    $0.report(
                        .error,
                        "contract/bad-value",
                        "the tag \"\(name.shortened)\" is already in this list",
                        at: value.position,
                        below: "name"
                    )
                }
            }
        }
        for tag in tags {
            guard let name = tag["name"]?.string else { continue }
            parents[name.exact] = tag["parent"]?.string ?? ""
        }
        for (number, tag) in tags.enumerated() {
            guard let name = tag["name"]?.string, let value = tag["parent"], let parent = value.string else { continue }
            var problem = parents[parent.exact] == nil ? "there is no tag \"\(parent.shortened)\"" : nil
            var (ancestor, steps) = (parent, 0)
            while problem == nil, let next = parents[ancestor.exact], !next.isEmpty, steps <= tags.count {
                if ancestor.exact == name.exact { problem = "the tag \"\(name.shortened)\" is its own ancestor" }
                (ancestor, steps) = (next, steps + 1)
            }
            guard let problem else { continue }
            under("tags") { checker in
                checker.under("\(number)") {
                    $0.report(.error, "contract/bad-value", problem, at: value.position, below: "parent")
                }
            }
        }
    }

    /// A variable's `enum` is not empty and has the default in it (OpenAPI 3.1, section 4.8.6); 3.0 only advises it.
    private mutating func checkVariable(_ object: JSONObject) {
        guard let list = object["enum"], let values = list.array else { return }
        let severity: Finding.Severity = version == .v30 ? .warning : .error
        guard !values.isEmpty else {
            let message = "the \"enum\" of a server variable is empty; remove the \"enum\", or list the allowed values"
            return report(severity, "contract/bad-value", message, at: list.position, below: "enum")
        }
        guard let chosen = object["default"], let text = chosen.string,
            !values.contains(where: { $0.string?.exact == text.exact })
        else { return }
        let known = values.prefix(8).compactMap(\.string).map { "\"\($0.shortened)\"" }.joined(lastBy: "and")
        report(
            severity,
            "contract/bad-value",
            "the default \"\(text.shortened)\" is not in the \"enum\" of the variable, which contains \(known)",
            at: chosen.position,
            below: "default"
        )
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
                "a security scheme of this type requires \"\(name)\"",
                at: value.position
            )
        }
        guard let format = object.member(named: "bearerFormat"), let scheme = object["scheme"]?.string,
            scheme.lowercased() != "bearer"
        else { return }
        report(
            .warning,
            "contract/ignored-key",
            "\"bearerFormat\" has no effect in the scheme \"\(scheme.shortened)\"; only the scheme \"bearer\" supports \"bearerFormat\"",
            at: format.namePosition,
            below: "bearerFormat"
        )
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
                "the \(location.shortened) parameter \"\(name.shortened)\" is already in this list",
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
