import Basics
import Checking
import OpenAPI

/// What one client is put through.
struct TestAssignment: Sendable {
    var adapter: any ClientAdapter
    /// None for a client that has nothing of what is wanted.
    var parts: [ClientTest.Part]
    /// Patterns for the ids of its operations; empty for all.
    var operations: [String]
    /// The ids of its only stories that are wanted; empty for all.
    var stories: [String]
}

/// Why nothing is tested: what is asked for is not there.
package struct TestChoiceProblem: Error, Sendable, Hashable {
    /// What was found and what would be right, without a closing full stop.
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}

extension ClientTest {
    /// Gives each client what is its own of what is wanted: operations of its contract, stories of its folder.
    ///
    /// - Throws: ``TestChoiceProblem`` for an operation or a story that no client has.
    func assignments(for adapters: [any ClientAdapter]) throws(TestChoiceProblem) -> [TestAssignment] {
        let ownOperations = try own(operations, "operation", adapters) { adapter in
            adapter.operationIDs(in: project, files: files)
        } fits: { pattern, id in
            NamePattern(pattern).fits(id)
        }
        let ownStories = try own(stories, "story", adapters) { adapter in
            FlowRun.ids(of: adapter, from: project.path, files: files)
        } fits: { wanted, id in
            id.utf8.elementsEqual(wanted.utf8) || id.utf8.starts(with: "\(wanted)/".utf8)
        }
        return adapters.indices.map { number in
            var assignment = TestAssignment(
                adapter: adapters[number],
                parts: [],
                operations: ownOperations[number],
                stories: ownStories[number]
            )
            assignment.parts = checks.parts.filter { isWanted($0, of: assignment) }
            return assignment
        }
    }

    private func isWanted(_ part: Part, of assignment: TestAssignment) -> Bool {
        switch part {
        case .responses, .variants, .urlsession:
            stories.isEmpty && (operations.isEmpty || !assignment.operations.isEmpty)
        case .stories:
            assignment.adapter.stories != nil && operations.isEmpty
                && (stories.isEmpty || !assignment.stories.isEmpty)
        }
    }

    /// Shares wanted names out to the clients, in their order.
    ///
    /// - Parameters:
    ///   - known: what a client has; `nil` where nobody can read that, so that it says itself what is wrong.
    ///   - fits: whether a name that a client has is a wanted one.
    private func own(
        _ wanted: [String],
        _ what: String,
        _ adapters: [any ClientAdapter],
        known: (any ClientAdapter) -> [String]?,
        fits: (_ wanted: String, _ name: String) -> Bool
    ) throws(TestChoiceProblem) -> [[String]] {
        guard !wanted.isEmpty else { return adapters.map { _ in [] } }
        let known = adapters.map(known)
        let isReadable = !known.contains { $0 == nil }
        let nobodys = wanted.filter { name in !known.contains { $0?.contains { fits(name, $0) } ?? false } }
        if isReadable, let name = nobodys.first {
            let owner = adapters.count == 1 ? "\(adapters[0].name) has no \(what)" : "no client has the \(what)"
            let meant = Suggestion.nearest(to: name, among: known.flatMap { $0 ?? [] })
            let advice = meant.map { "; did you mean \($0)?" } ?? ""
            throw TestChoiceProblem(sentence: "\(owner) \"\(name.shortened)\"\(advice)".printable)
        }
        return known.map { names in
            wanted.filter { name in names?.contains { fits(name, $0) } ?? nobodys.containsExactly(name) }
        }
    }
}

extension ClientAdapter {
    /// The ids of all operations that its contract has or the adapter names; `nil` where the contract cannot be read.
    fileprivate func operationIDs(in project: ProjectRoot, files: any FileReading) -> [String]? {
        guard let contract = try? readContract(in: project, files: files) else { return nil }
        return contract.operations.map(\.id) + operations.map(\.id) + omissions.keys.sorted()
    }
}
