import Basics
import JSON

extension ShapeChecker {
    /// Judges a reference that stands in place of an object.
    mutating func check(_ reference: JSONObject.Member, in object: JSONObject, to name: ObjectShape.Name) {
        guard let text = reference.value.string else {
            return under("$ref") { $0.mismatch(reference.value, .text) }
        }
        if name != .pathItem { checkSiblings(object, of: name) }
        do {
            let target = try library.target(of: text, from: document)
            use(target)
            try checkEnd(of: reference, in: object, target, name)
            guard target.value["$ref"] == nil || name == .pathItem else { return visit(target, .reference(to: name)) }
            guard target.object != nil else {
                return under("$ref") {
                    $0.wrongTarget(reference.value, "leads to \(target.value.shownBriefly)", name)
                }
            }
            visit(target, .reference(to: name))
        } catch {
            broken(reference.value, error)
        }
    }

    /// Makes sure that a reference ends somewhere, and at something of its kind.
    private mutating func checkEnd(
        of reference: JSONObject.Member,
        in object: JSONObject,
        _ target: ContractNode,
        _ name: ObjectShape.Name
    ) throws(ReferenceProblem) {
        let here = ContractNode(document: document, pointer: JSONPointer(tokens: path), value: .object(object))
        do {
            _ = try library.resolve(here)
        } catch {
            // What is wrong with a reference further on is told there; a way without end is wrong everywhere.
            switch error {
            case .circular, .endless: throw error
            default: break
            }
        }
        let tokens = target.pointer.tokens
        guard target.document == 0, tokens.count == 3, tokens[0] == "components", let section = name.section,
            !tokens[1].hasSameUTF8(as: section), ObjectShape.components[tokens[1]] != nil
        else { return }
        under("$ref") { $0.wrongTarget(reference.value, "is one of the \"\(tokens[1])\"", name) }
    }

    private mutating func wrongTarget(_ value: JSONValue, _ what: String, _ name: ObjectShape.Name) {
        report(
            .error,
            "contract/wrong-reference",
            "\"\(value.string?.shortened ?? "")\" \(what), but wanted \(name.article)",
            at: value.position
        )
    }

    /// Tells of a reference that leads nowhere; the walk stands at the object that has it.
    mutating func broken(_ value: JSONValue, _ problem: ReferenceProblem) {
        survey.brokenReferences.insert(value.position)
        under("$ref") {
            $0.report(.error, problem.id, problem.sentence, at: value.position, advice: problem.advice)
        }
    }

    /// Keys beside a reference mean nothing, but for what describes it (OpenAPI 3.1, section 4.8.23).
    private mutating func checkSiblings(_ object: JSONObject, of name: ObjectShape.Name) {
        for member in object.members where !member.name.isExtensionName {
            guard !["$ref", "summary", "description"].containsExactly(member.name) else { continue }
            report(
                .warning,
                "contract/ignored-key",
                "\"\(member.name.shortened)\" beside \"$ref\" is ignored; only what is referred to counts",
                at: member.namePosition,
                below: member.name
            )
        }
    }

    /// Takes note that the place where the walk is uses a component.
    mutating func use(_ target: ContractNode) {
        guard target.document == 0 else { return }
        use(Self.component(target.pointer.tokens))
    }

    mutating func use(_ component: ContractSurvey.Component?) {
        guard let component else { return }
        survey.uses.append((document == 0 ? Self.component(path) : nil, component))
    }

    static func component(_ tokens: [String]) -> ContractSurvey.Component? {
        guard tokens.count >= 3, tokens[0] == "components" else { return nil }
        return ContractSurvey.Component(section: tokens[1], name: tokens[2])
    }
}
