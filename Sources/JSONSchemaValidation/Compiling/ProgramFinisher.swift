/// Turns the lists of a compiler into a program.
enum ProgramFinisher {
    static func finish(_ compiler: SchemaCompiler) -> SchemaProgram {
        var draft = compiler.draft
        for (number, name) in compiler.dynamics.references {
            draft.dynamicReferences[number].candidates = compiler.dynamics.candidates(named: name)
        }
        markDirections(in: &draft)
        let aliases = aliases(in: draft)
        replace(in: &draft, by: aliases)
        let schemas = CompiledSchemas(
            draft,
            places: compiler.tree,
            resourceURIs: compiler.registry.resources.map(\.uri)
        )
        return SchemaProgram(schemas: schemas, aliases: aliases)
    }

    /// Marks required properties that may be missing on one of the ways, and counts the others.
    private static func markDirections(in draft: inout ProgramDraft) {
        for number in draft.objects.indices {
            var counts = (0, 0, 0)
            for property in draft.objects[number].properties.indices
            where draft.objects[number].properties[property].isRequired {
                let node = draft.objects[number].properties[property].node
                let isReadOnly = node >= 0 && draft.says(\.isReadOnly, from: node)
                let isWriteOnly = node >= 0 && draft.says(\.isWriteOnly, from: node)
                draft.objects[number].properties[property].isReadOnly = isReadOnly
                draft.objects[number].properties[property].isWriteOnly = isWriteOnly
                counts.0 += 1
                counts.1 += isReadOnly ? 0 : 1
                counts.2 += isWriteOnly ? 0 : 1
            }
            draft.objects[number].requiredCounts = counts
        }
    }

    /// The nodes that stand for others: those which do nothing but refer to them.
    ///
    /// With dynamic references about it matters which resources are on the way, so nothing is left out then.
    private static func aliases(in draft: ProgramDraft) -> [Int32] {
        var aliases = draft.nodes.indices.map { Int32($0) }
        guard draft.dynamicReferences.isEmpty else { return aliases }
        for start in draft.nodes.indices {
            var node = Int32(start)
            // Longer rows are possible, but nobody writes them; circles end here too.
            for _ in 0..<16 {
                guard let next = draft.target(ofMereReference: node) else { break }
                node = next
            }
            aliases[start] = node
        }
        return aliases
    }

    private static func replace(in draft: inout ProgramDraft, by aliases: [Int32]) {
        func target(_ node: Int32) -> Int32 { node < 0 ? node : aliases[Int(node)] }
        for applicator in draft.applicators where applicator.kind != .dynamicReference {
            for link in applicator.links { draft.links[Int(link)] = target(draft.links[Int(link)]) }
        }
        for number in draft.nodes.indices {
            draft.nodes[number].unevaluatedItems = target(draft.nodes[number].unevaluatedItems)
            draft.nodes[number].unevaluatedProperties = target(draft.nodes[number].unevaluatedProperties)
        }
        for number in draft.arrays.indices {
            draft.arrays[number].prefix = draft.arrays[number].prefix.map(target)
            draft.arrays[number].items = target(draft.arrays[number].items)
            draft.arrays[number].contains = target(draft.arrays[number].contains)
        }
        for number in draft.objects.indices {
            for property in draft.objects[number].properties.indices {
                draft.objects[number].properties[property].node = target(
                    draft.objects[number].properties[property].node
                )
            }
            draft.objects[number].patterns = draft.objects[number].patterns.map { ($0.pattern, target($0.node)) }
            draft.objects[number].dependentSchemas = draft.objects[number].dependentSchemas.map {
                ($0.name, target($0.node))
            }
            draft.objects[number].additional = target(draft.objects[number].additional)
            draft.objects[number].names = target(draft.objects[number].names)
        }
    }
}

extension ProgramDraft {
    /// Whether a schema says something of its value, itself or through what it always applies.
    fileprivate func says(_ flag: KeyPath<SchemaNode, Bool>, from start: Int32) -> Bool {
        var seen = [start]
        var next = 0
        while next < seen.count, seen.count < 64 {
            let node = nodes[Int(seen[next])]
            if node[keyPath: flag] { return true }
            for inner in inPlace(node, onlyAlways: true) where !seen.contains(inner) { seen.append(inner) }
            next += 1
        }
        return false
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
