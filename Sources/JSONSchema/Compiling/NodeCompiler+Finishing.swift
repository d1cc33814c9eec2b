import JSON

/// What can be said only when all keywords of a schema are known.
extension NodeCompiler {
    mutating func finish(in compiler: inout SchemaCompiler) {
        finishNumbers()
        finishFormat(in: compiler)
        if condition.if >= 0, condition.then >= 0 || condition.else >= 0 || node.needsAnnotations(of: compiler) {
            addApplicator(.condition, [condition.if, condition.then, condition.else], in: &compiler)
        }
        // References first: a wrong target is the likeliest thing to fail, and a plain one is the cheapest to try.
        let first = Int32(compiler.draft.applicators.count)
        compiler.draft.applicators += applicators
        node.applicators = first..<first + Int32(applicators.count)
        node.numbers = add(numbers, to: \.numbers, in: &compiler)
        node.strings = add(strings, to: \.strings, in: &compiler)
        node.arrays = add(arrays, to: \.arrays, in: &compiler)
        if var rules = objects?.rules {
            rules.index = PropertyIndex(rules.properties)
            node.objects = add(rules, to: \.objects, in: &compiler)
        }
    }

    private func add<Rules>(
        _ rules: Rules?,
        to list: WritableKeyPath<ProgramDraft, [Rules]>,
        in compiler: inout SchemaCompiler
    ) -> Int32 {
        guard let rules else { return -1 }
        compiler.draft[keyPath: list].append(rules)
        return Int32(compiler.draft[keyPath: list].count - 1)
    }

    /// Before draft 6 an exclusive limit was a limit with a flag beside it.
    private mutating func finishNumbers() {
        if exclusive.minimum, let limit = numbers?.minimum {
            numbers?.exclusiveMinimum = limit
            numbers?.minimum = nil
        }
        if exclusive.maximum, let limit = numbers?.maximum {
            numbers?.exclusiveMaximum = limit
            numbers?.maximum = nil
        }
    }

    private mutating func finishFormat(in compiler: SchemaCompiler) {
        let value = compiler.tree[place].value
        guard !(dialect.referencesHideSiblings && value.object?.contains("$ref") == true),
            let format = value["format"]?.string
        else { return }
        // A schema whose pattern is none could not be compiled, so its metaschema does not call it valid either.
        let isPattern = value.position.document == Metaschemas.file && format.hasSameUTF8(as: "regex")
        let isAsserted = compiler.formats == .assertion || rules.vocabularies.contains(.formatAssertion)
        guard isAsserted || isPattern else { return }
        if dialect == .openAPI30 || dialect == .openAPI31, let integer = IntegerFormat(rawValue: format) {
            numbers.orNew.format = integer
        }
        if FormatChecker.knows(format) { strings.orNew.format = format }
    }
}

extension SchemaNode {
    /// Whether an `if` alone may matter, because somebody could ask what it evaluated.
    fileprivate func needsAnnotations(of compiler: SchemaCompiler) -> Bool {
        compiler.rules[Int(compiler.tree[place].rules)].dialect >= .draft2019
    }
}
