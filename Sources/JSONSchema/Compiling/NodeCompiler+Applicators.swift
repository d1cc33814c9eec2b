import Basics
import ECMAPatterns
import JSON

/// Keywords that apply other schemas.
extension NodeCompiler {
    mutating func readApplicator(_ keyword: Keyword, _ value: JSONValue, in compiler: inout SchemaCompiler) {
        let name = keyword.rawValue
        switch keyword {
        case .ref: readReference(value, in: &compiler)
        case .dynamicRef: readDynamicReference(value, in: &compiler)
        case .recursiveRef: readRecursiveReference(value, in: &compiler)
        case .allOf: addApplicator(.allOf, schemas(keyword, value, in: &compiler), in: &compiler)
        case .anyOf: addApplicator(.anyOf, schemas(keyword, value, in: &compiler), in: &compiler)
        case .oneOf: addApplicator(.oneOf, schemas(keyword, value, in: &compiler), in: &compiler)
        case .not: addApplicator(.not, [inner(name, in: &compiler)], in: &compiler)
        case .if: condition.if = inner(name, in: &compiler)
        case .then: condition.then = inner(name, in: &compiler)
        case .else: condition.else = inner(name, in: &compiler)
        case .prefixItems: arrays.orNew.prefix = schemas(keyword, value, in: &compiler)
        case .items:
            if value.array == nil {
                arrays.orNew.items = inner(name, in: &compiler)
            } else {
                arrays.orNew.prefix = schemas(keyword, value, in: &compiler)
            }
        case .additionalItems: readAdditionalItems(in: &compiler)
        case .contains:
            arrays.orNew.contains = inner(name, in: &compiler)
            arrays.orNew.containsEvaluates = dialect >= .draft2020
        case .unevaluatedItems: node.unevaluatedItems = inner(name, in: &compiler)
        case .unevaluatedProperties: node.unevaluatedProperties = inner(name, in: &compiler)
        default: readObjectApplicator(keyword, value, in: &compiler)
        }
    }

    private mutating func readObjectApplicator(
        _ keyword: Keyword,
        _ value: JSONValue,
        in compiler: inout SchemaCompiler
    ) {
        let name = keyword.rawValue
        let members = value.object?.members ?? []
        switch keyword {
        case .additionalProperties: objects.orNew.rules.additional = inner(name, in: &compiler)
        case .propertyNames: objects.orNew.rules.names = inner(name, in: &compiler)
        case .properties:
            for member in members {
                let node = inner(name, member.name, in: &compiler)
                objects.change { draft in
                    let number = draft.number(of: member.name)
                    draft.rules.properties[number].node = node
                }
            }
        case .patternProperties:
            for member in members {
                let expression = JSONValue(.string(member.name), at: member.namePosition)
                guard let pattern = pattern(expression, at: keyword, in: &compiler) else { continue }
                let node = inner(name, member.name, in: &compiler)
                objects.change { $0.rules.patterns.append((pattern, node)) }
            }
        case .dependentSchemas: for member in members { addDependentSchema(member, at: keyword, in: &compiler) }
        case .dependencies:
            for member in members {
                if member.value.array == nil {
                    addDependentSchema(member, at: keyword, in: &compiler)
                } else {
                    addDependentNames(member, at: keyword, in: &compiler)
                }
            }
        case .definitions, .defs:
            for member in members {
                if let inner = compiler.walk([name, member.name], from: place) { compiler.unchecked.append(inner) }
            }
        default: break
        }
    }

    private mutating func addDependentSchema(
        _ member: JSONObject.Member,
        at keyword: Keyword,
        in compiler: inout SchemaCompiler
    ) {
        let node = inner(keyword.rawValue, member.name, in: &compiler)
        objects.change { $0.rules.dependentSchemas.append((member.name, node)) }
    }

    /// `additionalItems` means something next to an array of `items` only.
    private mutating func readAdditionalItems(in compiler: inout SchemaCompiler) {
        guard compiler.tree[place].value["items"]?.array != nil else { return }
        arrays.orNew.items = inner("additionalItems", in: &compiler)
    }

    private mutating func schemas(_ keyword: Keyword, _ value: JSONValue, in compiler: inout SchemaCompiler) -> [Int32]
    {
        (0..<(value.array?.count ?? 0)).map { inner(keyword.rawValue, String($0), in: &compiler) }
    }

    mutating func addApplicator(_ kind: Applicator.Kind, _ links: [Int32], in compiler: inout SchemaCompiler) {
        let first = Int32(compiler.draft.links.count)
        compiler.draft.links += links
        applicators.append(Applicator(kind: kind, links: first..<first + Int32(links.count)))
    }
}

/// References.
extension NodeCompiler {
    private mutating func readReference(_ value: JSONValue, in compiler: inout SchemaCompiler) {
        annotations.change { $0.reference = value.string }
        guard let target = target(of: value, at: .ref, in: &compiler) else { return }
        addApplicator(.reference, [compiler.node(at: target)], in: &compiler)
    }

    private mutating func readDynamicReference(_ value: JSONValue, in compiler: inout SchemaCompiler) {
        guard let target = target(of: value, at: .dynamicRef, in: &compiler) else { return }
        let resource = compiler.registry.resources[Int(compiler.tree[target].resource)]
        let node = compiler.node(at: target)
        let name = URIReference(value.string ?? "").fragment ?? ""
        let isDynamic = resource.dynamicAnchors.contains { anchor in
            anchor.name.exact == name.exact
                && compiler.walk(anchor.path, from: compiler.root(of: resource.document)) == target
        }
        if isDynamic {
            addDynamic(named: name, target: node, in: &compiler)
        } else {
            addApplicator(.reference, [node], in: &compiler)
        }
    }

    private mutating func readRecursiveReference(_ value: JSONValue, in compiler: inout SchemaCompiler) {
        guard let target = target(of: value, at: .recursiveRef, in: &compiler) else { return }
        let node = compiler.node(at: target)
        if compiler.registry.resources[Int(compiler.tree[target].resource)].isRecursiveAnchor {
            addDynamic(named: DynamicAnchors.recursive, target: node, in: &compiler)
        } else {
            addApplicator(.reference, [node], in: &compiler)
        }
    }

    private mutating func addDynamic(named name: String, target: Int32, in compiler: inout SchemaCompiler) {
        let number = compiler.draft.dynamicReferences.count
        compiler.draft.dynamicReferences.append(DynamicReference(target: target, candidates: [:]))
        compiler.dynamics.references.append((number, name))
        compiler.want(name)
        addApplicator(.dynamicReference, [Int32(number)], in: &compiler)
    }

    private mutating func target(of value: JSONValue, at keyword: Keyword, in compiler: inout SchemaCompiler) -> Int32?
    {
        let text = value.string ?? ""
        guard let target = compiler.locate(text, from: place) else {
            isIntact = false
            compiler.note(
                "unresolvable-reference",
                "the reference \(Wording.shown(value)) cannot be resolved",
                uri: compiler.uri(of: place) + "/" + keyword.rawValue,
                position: value.position,
                advice: compiler.nearest(to: text, from: place).map { "did you mean \"\($0)\"?" }
            )
            return nil
        }
        switch compiler.tree[target].value.content {
        case .object, .bool: return target
        default:
            complain(KeywordCheck.fault(aboutSchema: compiler.tree[target].value), at: target, in: &compiler)
            return nil
        }
    }
}

extension SchemaCompiler {
    /// A reference like this one that leads somewhere: only its last name differs.
    mutating func nearest(to reference: String, from place: Int32) -> String? {
        guard let slash = reference.utf8.lastIndex(of: UInt8(ascii: "/")), reference.utf8.contains(UInt8(ascii: "#")),
            let around = locate(String(reference[..<slash]), from: place),
            let names = tree[around].value.object?.names
        else { return nil }
        let name = String(reference[reference.utf8.index(after: slash)...])
        guard let near = Suggestion.nearest(to: name, among: names) else { return nil }
        return reference[...slash] + String(JSONPointer(tokens: [near]).fragment.dropFirst(2))
    }
}
