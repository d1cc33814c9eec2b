import Basics
import JSON

/// Turns the lists of a compiler into a program.
enum ProgramFinisher {
    static func finish(_ compiler: consuming SchemaCompiler) -> SchemaProgram {
        var draft = compiler.draft
        for (number, name) in compiler.dynamics.references {
            draft.dynamicReferences[number].candidates = compiler.dynamics.candidates(named: name)
        }
        draft = DirectionMarks.set(in: draft)
        let written = draft
        let aliases = aliases(in: draft)
        replace(in: &draft, by: aliases)
        let schemas = CompiledSchemas(
            draft,
            written: written,
            aliases: aliases,
            places: compiler.tree,
            placeNodes: compiler.nodes,
            resourceURIs: compiler.registry.resources.map(\.uri),
            broken: compiler.broken,
            damaged: compiler.damagedNodes()
        )
        return SchemaProgram(schemas: schemas)
    }

    /// The nodes that replace others: the targets of those which only refer to them.
    ///
    /// With dynamic references about it matters which resources are on the way, so nothing is left out then.
    private static func aliases(in draft: ProgramDraft) -> [Int32] {
        var aliases = draft.nodes.indices.map { Int32($0) }
        guard draft.dynamicReferences.isEmpty else { return aliases }
        for start in draft.nodes.indices {
            var node = Int32(start)
            // Longer chains are possible, but do not occur in practice; circles end here too.
            for _ in 0..<16 {
                guard let next = draft.target(ofMereReference: node) else { break }
                node = next
            }
            aliases[start] = node
        }
        return aliases
    }

    private static func replace(in draft: inout ProgramDraft, by aliases: [Int32]) {
        func replace(_ node: inout Int32) { if node >= 0 { node = aliases[Int(node)] } }
        for number in draft.applicators.indices where draft.applicators[number].kind != .dynamicReference {
            for link in draft.applicators[number].links { replace(&draft.links[Int(link)]) }
            draft.dropRepeatedLinks(of: number)
        }
        for number in draft.nodes.indices {
            replace(&draft.nodes[number].unevaluatedItems)
            replace(&draft.nodes[number].unevaluatedProperties)
        }
        for number in draft.arrays.indices {
            for place in draft.arrays[number].prefix.indices { replace(&draft.arrays[number].prefix[place]) }
            replace(&draft.arrays[number].items)
            replace(&draft.arrays[number].contains)
        }
        for number in draft.objects.indices {
            for place in draft.objects[number].properties.indices {
                replace(&draft.objects[number].properties[place].node)
            }
            for place in draft.objects[number].patterns.indices {
                replace(&draft.objects[number].patterns[place].node)
            }
            for place in draft.objects[number].dependentSchemas.indices {
                replace(&draft.objects[number].dependentSchemas[place].node)
            }
            replace(&draft.objects[number].additional)
            replace(&draft.objects[number].names)
        }
    }
}

extension ProgramDraft {
    /// Drops the repetitions of a schema in `allOf` and `anyOf`: doubled again and again, they would multiply the steps of
    /// validation.
    fileprivate mutating func dropRepeatedLinks(of number: Int) {
        let applicator = applicators[number]
        guard applicator.kind == .allOf || applicator.kind == .anyOf else { return }
        var seen: Set<Int32> = []
        var end = applicator.links.lowerBound
        for link in applicator.links where seen.insert(links[Int(link)]).inserted {
            links[Int(end)] = links[Int(link)]
            end += 1
        }
        applicators[number].links = applicator.links.lowerBound..<end
    }

    fileprivate func target(ofMereReference number: Int32) -> Int32? {
        let node = nodes[Int(number)]
        guard node.verdict == .depends, node.kinds == .all, !node.isNullable, node.values < 0, node.numbers < 0,
            node.strings < 0, node.arrays < 0, node.objects < 0, node.applicators.count == 1, node.unevaluatedItems < 0,
            node.unevaluatedProperties < 0
        else { return nil }
        let applicator = applicators[Int(node.applicators.lowerBound)]
        guard applicator.kind == .reference else { return nil }
        return links[Int(applicator.links.lowerBound)]
    }
}

/// The schemas that a schema leads to.
extension ProgramDraft {
    /// Every node that a node applies, to the same value or to a part of it.
    func successors(of number: Int32) -> [Int32] {
        let node = nodes[Int(number)]
        var found = inPlace(node, onlyAlways: false)
        found += [node.unevaluatedItems, node.unevaluatedProperties]
        if node.arrays >= 0 {
            let rules = arrays[Int(node.arrays)]
            found += rules.prefix + [rules.items, rules.contains]
        }
        if node.objects >= 0 {
            let rules = objects[Int(node.objects)]
            found += rules.properties.map(\.node) + rules.patterns.map(\.node) + [rules.additional, rules.names]
            found += rules.dependentSchemas.map(\.node)
        }
        return found.filter { $0 >= 0 }
    }

    /// The nodes that a node applies to the same value.
    ///
    /// - Parameter onlyAlways: whether those are left out that a value may get round.
    func inPlace(_ node: SchemaNode, onlyAlways: Bool) -> [Int32] {
        var found: [Int32] = []
        for number in node.applicators {
            let applicator = applicators[Int(number)]
            switch applicator.kind {
            case .dynamicReference where onlyAlways: continue
            case .dynamicReference:
                found.append(dynamicReferences[Int(links[Int(applicator.links.lowerBound)])].target)
            case .reference, .allOf:
                found += links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)]
            default:
                if onlyAlways { continue }
                found += links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)]
            }
        }
        return found.filter { $0 >= 0 }
    }
}

/// The anchors that dynamic references may find, in the resources that compilation came by.
struct DynamicAnchors {
    /// The name for `$recursiveAnchor: true`; no `$dynamicAnchor` can be empty.
    static let recursive = ""

    var opened: Set<Int> = []
    private var found: [ExactText: [Int32: Int32]] = [:]
    /// The references that are to be given their candidates, with the name that they look for.
    var references: [(number: Int, name: String)] = []

    private var wanted: Set<ExactText> = []
    private var postponed: [ExactText: [(resource: Int, place: Int32)]] = [:]

    func isWanted(_ name: String) -> Bool { wanted.contains(name.exact) }

    mutating func postpone(_ name: String, resource: Int, place: Int32) {
        postponed[name.exact, default: []].append((resource, place))
    }

    /// The anchors of a name that was not looked up until now.
    mutating func want(_ name: String) -> [(resource: Int, place: Int32)] {
        wanted.insert(name.exact)
        return postponed.removeValue(forKey: name.exact) ?? []
    }

    mutating func note(_ name: String, resource: Int, node: Int32) {
        found[name.exact, default: [:]][Int32(resource)] = node
    }

    /// The nodes with an anchor, by their resource.
    func candidates(named name: String) -> [Int32: Int32] { found[name.exact] ?? [:] }
}
