import Basics
import JSON
import JSONSchema

extension Contract {
    /// What the compiler says about the schemas.
    func schemaFindings() -> [Finding] {
        schemas.problems.compactMap { problem in
            guard !survey.brokenReferences.contains(problem.position) else { return nil }
            return Finding(
                .error,
                id: "contract/\(problem.id)",
                problem.message.printable,
                at: place(of: problem.position),
                advice: problem.advice?.printable
            )
        }
    }

    /// Components that nothing needs.
    ///
    /// A component that only unused ones refer to is unused, too.
    func componentFindings() -> [Finding] {
        var used: Set<ContractSurvey.Component> = []
        var usedBy: [ContractSurvey.Component: [ContractSurvey.Component]] = [:]
        var waiting: [ContractSurvey.Component] = []
        for (user, component) in survey.uses {
            if let user { usedBy[user, default: []].append(component) } else { waiting.append(component) }
        }
        while let component = waiting.popLast() {
            guard used.insert(component).inserted else { continue }
            waiting += usedBy[component] ?? []
        }
        let components = documents[0].root["components"]?.object?.members ?? []
        // A file that has nothing but components is a library for others.
        guard !operations.isEmpty else { return [] }
        return components.filter { ObjectShape.components[$0.name] != nil }.flatMap { section in
            (section.value.object?.members ?? []).compactMap { member in
                let component = ContractSurvey.Component(section: section.name, name: member.name)
                guard !used.contains(component) else { return nil }
                return Finding(
                    .note,
                    id: "contract/unused-component",
                    "nothing uses \"\(member.name.shortened)\" of the \(section.name)".printable,
                    at: place(of: member.namePosition)
                )
            }
        }
    }
}
