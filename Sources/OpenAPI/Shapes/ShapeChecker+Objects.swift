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
                "an operation without \"responses\" does not describe its responses",
                at: value.position
            )
        case .parameter: checkParameter(object, of: value, slips: slips)
        case .header: checkDescribed(object, of: value, as: name, slips: slips)
        case .securityScheme: checkScheme(object, of: value, slips: slips)
        case .serverVariable: checkVariable(object)
        case .flows: checkDeviceFlow(object)
        default: break
        }
    }

    private mutating func checkDocument(_ object: JSONObject, of value: JSONValue, slips: Set<String>) {
        if let tags = object["tags"]?.array { checkTags(tags) }
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
                let message = "a parameter that is the whole query needs \"content\", with one media type"
                report(.error, "contract/missing-key", message, at: value.position)
            }
        }
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

    /// The device flow has both of its URLs (OpenAPI 3.2, section 4.29.1).
    private mutating func checkDeviceFlow(_ object: JSONObject) {
        guard version >= .v32, let flow = object["deviceAuthorization"], flow.object != nil else { return }
        for name in ["deviceAuthorizationUrl", "tokenUrl"] where flow[name] == nil {
            report(
                .error,
                "contract/missing-key",
                "the device flow needs \"\(name)\", a URL",
                at: flow.position,
                below: "deviceAuthorization"
            )
        }
    }

    /// Each parent of a tag is a tag, and none its own ancestor (OpenAPI 3.2, section 4.22).
    private mutating func checkTags(_ tags: [JSONValue]) {
        var parents: [ExactText: String] = [:]
        for tag in tags {
            guard let name = tag["name"]?.string else { continue }
            parents[ExactText(name)] = tag["parent"]?.string ?? ""
        }
        for (number, tag) in tags.enumerated() {
            guard let name = tag["name"]?.string, let value = tag["parent"], let parent = value.string else { continue }
            var problem = parents[ExactText(parent)] == nil ? "there is no tag \"\(parent.shortened)\"" : nil
            var (ancestor, steps) = (parent, 0)
            while problem == nil, let next = parents[ExactText(ancestor)], !next.isEmpty, steps <= tags.count {
                if ancestor.hasSameUTF8(as: name) { problem = "the tag \"\(name.shortened)\" is its own ancestor" }
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
            let message = "the \"enum\" of a server's variable has no value; leave it out, or list what is allowed"
            return report(severity, "contract/bad-value", message, at: list.position, below: "enum")
        }
        guard let chosen = object["default"], let text = chosen.string,
            !values.contains(where: { $0.string?.hasSameUTF8(as: text) == true })
        else { return }
        let known = values.prefix(8).compactMap(\.string).map { "\"\($0.shortened)\"" }.joined(lastBy: "and")
        report(
            severity,
            "contract/bad-value",
            "the default \"\(text.shortened)\" is not in the \"enum\" of the variable, which has \(known)",
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

extension ShapeChecker {
    /// Follows the references of a schema and collects its examples; the compiler judges all the rest.
    mutating func checkSchema(_ value: JSONValue) {
        // Below an identifier references are relative to that, and the compiler alone knows its meaning.
        guard let object = value.object, version == .v30 || object.value(of: .identifier)?.string == nil else { return }
        for member in object.members {
            checkKeyword(member)
            switch (KeywordRole(named: member.name), member.value.content) {
            case (.reference, .string(let text)): checkSchemaReference(text, member)
            case (.schema, .object): under(member.name) { $0.checkSchema(member.value) }
            case (.schema, .array(let elements)):
                under(member.name) { checker in
                    for (index, element) in elements.enumerated() {
                        checker.under("\(index)") { $0.checkSchema(element) }
                    }
                }
            case (.schemasByName, .object(let schemas)):
                under(member.name) { checker in
                    for schema in schemas.members { checker.under(schema.name) { $0.checkSchema(schema.value) } }
                }
            case (.discriminator, .object(let discriminator)):
                under(member.name) { $0.checkDiscriminator(discriminator) }
            case (.examples, _): collect(member, of: value)
            default: break
            }
        }
    }

    private mutating func checkSchemaReference(_ text: String, _ member: JSONObject.Member) {
        do {
            let target = try library.target(of: text, from: document)
            use(target)
            useHeirs(of: target)
            visit(target, .schema)
        } catch {
            switch error {
            // Identifiers and anchors may be anywhere; the compiler finds them or says that they are missing.
            case .anchor, .remote, .foreignScheme, .absolutePath: break
            default: if member.name == "$ref" { broken(member.value, error) }
            }
        }
    }

    /// A schema that extends one with a discriminator is used through that, though nothing refers to it.
    private mutating func useHeirs(of target: ContractNode) {
        guard target.document == 0, document == 0, path.count == 5, path[3] == "allOf",
            target.object?.value(of: .discriminator) != nil, let base = Self.component(target.pointer.tokens),
            let heir = Self.component(path)
        else { return }
        survey.uses.append((base, heir))
    }

    private mutating func checkDiscriminator(_ discriminator: JSONObject) {
        // What is not mapped is of this schema (OpenAPI 3.2, section 4.25).
        if version >= .v32, let fallback = discriminator.member(named: "defaultMapping") { checkMapping([fallback]) }
        guard let mapping = discriminator["mapping"]?.object else { return }
        under("mapping") { $0.checkMapping(mapping.members) }
    }

    private mutating func checkMapping(_ members: [JSONObject.Member]) {
        for member in members {
            guard let text = member.value.string else {
                under(member.name) { $0.mismatch(member.value, .text) }
                continue
            }
            // The plain name of a schema wins over a file of that name (OpenAPI 3.1, section 4.8.25).
            let named = JSONPointer(tokens: ["components", "schemas", text])
            if let schema = named.value(in: library.documents[document].root) {
                use(ContractNode(document: document, pointer: named, value: schema))
                continue
            }
            do {
                let target = try library.target(of: text, from: document)
                use(target)
                visit(target, .schema)
            } catch {
                guard FileURI.scheme(of: text) == nil else { continue }
                survey.brokenReferences.insert(member.value.position)
                report(
                    .error,
                    error.id,
                    text.utf8.contains { $0 == 0x23 || $0 == 0x2F || $0 == 0x2E }
                        ? error.sentence : "there is no schema \"\(text.shortened)\" in the components",
                    at: member.value.position,
                    below: member.name,
                    advice: error.advice
                )
            }
        }
    }

    private mutating func collect(_ member: JSONObject.Member, of value: JSONValue) {
        let node = ContractNode(document: document, pointer: JSONPointer(tokens: path), value: value)
        let schema = SchemaReference(uri: library.uri(of: node), position: value.position)
        let values = member.name == "examples" ? member.value.array ?? [] : [member.value]
        for value in values {
            survey.schemaExamples.append(.init(keyword: member.name, schema: schema, value: value))
        }
    }
}

extension ShapeChecker {
    /// Judges a name that the author chose; a value under a meaningless name is not looked at.
    mutating func checkName(_ member: JSONObject.Member, _ form: NameForm) -> Bool {
        switch form {
        case .any, .expression: return true
        case .path: return checkPath(member)
        case .status: return checkStatus(member)
        case .component:
            if member.name.isEmpty || !member.name.utf8.allSatisfy({ $0.isUnreserved && $0 != UInt8(ascii: "~") }) {
                badName(member, "a component's name, which has letters, digits, dots, hyphens and underscores only")
            }
            return true
        case .mediaType:
            if MediaType(parsing: member.name) == nil { badName(member, "a media type such as \"application/json\"") }
            return true
        case .fieldName:
            if !HTTPFields.isName(member.name) { badName(member, "the name of a header field") }
            return true
        }
    }

    private mutating func checkPath(_ member: JSONObject.Member) -> Bool {
        guard member.name.utf8.first == UInt8(ascii: "/") else {
            let advice =
                member.name.isEmpty ? "the root is \"/\"" : "write \"/\(member.name.shortened)\""
            badName(member, "a path, which begins with a slash", advice: advice)
            return false
        }
        for problem in PathProblem.problems(in: member.name) {
            report(
                problem.severity,
                "contract/bad-path",
                "in \"\(member.name.shortened)\", \(problem.sentence)",
                at: member.namePosition,
                below: member.name
            )
        }
        return true
    }

    private mutating func checkStatus(_ member: JSONObject.Member) -> Bool {
        if DocumentedResponse.Status(key: member.name) != nil { return true }
        let upper = member.name.uppercased()
        let meant =
            DocumentedResponse.Status(key: upper) != nil
            ? upper : Suggestion.nearest(to: member.name, among: ["default"] + (1...5).map { "\($0)XX" })
        badName(
            member,
            "a status such as \"200\", \"4XX\" or \"default\"",
            advice: meant.map { "did you mean \"\($0)\"?" }
        )
        return false
    }

    private mutating func badName(_ member: JSONObject.Member, _ wanted: String, advice: String? = nil) {
        report(
            .error,
            "contract/bad-name",
            "\"\(member.name.shortened)\" is not \(wanted)",
            at: member.namePosition,
            below: member.name,
            advice: advice
        )
    }
}

/// Something wrong with the text of a path template.
enum PathProblem: Hashable {
    case unbalancedBrace
    case emptyName
    case repeatedName(String)
    case query
    case fragment

    var severity: Finding.Severity {
        switch self {
        case .unbalancedBrace, .emptyName, .repeatedName: .error
        case .query, .fragment: .warning
        }
    }

    /// The end of a sentence that begins with the path.
    var sentence: String {
        switch self {
        case .unbalancedBrace: "a brace has no partner in the same segment"
        case .emptyName: "a parameter has no name between its braces"
        case .repeatedName(let name): "the parameter \"\(name.shortened)\" is there twice"
        case .query: "there is a query, which no request's path has; parameters \"in\": \"query\" describe it"
        case .fragment: "there is a #, which no request's path has"
        }
    }

    static func problems(in path: String) -> [PathProblem] {
        var problems: [PathProblem] = []
        var names: Set<[UInt8]> = []
        var open: [UInt8]?
        for byte in Array(path.utf8) + [0x2F] {
            switch (byte, open) {
            case (0x7B, nil): open = []
            case (0x7D, let name?):
                if name.isEmpty { problems.append(.emptyName) }
                if !names.insert(name).inserted {
                    problems.append(.repeatedName(String(decoding: name, as: UTF8.self)))
                }
                open = nil
            case (0x7B, _), (0x7D, nil), (0x2F, .some):
                return problems + [.unbalancedBrace]
            case (0x3F, nil): if !problems.contains(.query) { problems.append(.query) }
            case (0x23, nil): if !problems.contains(.fragment) { problems.append(.fragment) }
            default: open?.append(byte)
            }
        }
        return problems
    }
}
