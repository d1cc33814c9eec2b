import Basics
import JSON

// Kinds of token that somebody else issues, such as those of an identity provider.
extension ScenarioBuilder {
    /// Reports a kind that is not declared, and one whose tokens are not the backend's to do something with.
    mutating func expectOwnKind(_ name: String, at position: JSONPosition, for purpose: String) {
        guard expect(name, among: kinds, as: "token kind", at: position), foreignKinds.containsExactly(name) else {
            return
        }
        report(
            "scenario/foreign-kind",
            "this backend cannot \(purpose) any \"\(name)\" token, because somebody else issues them",
            at: position
        )
    }

    /// Reports states that no foreign token is ever in.
    ///
    /// - Parameter tree: one state, several, or an object whose members are named by them.
    mutating func expectForeignStates(of kind: String, in tree: JSONValue?) {
        guard let tree, foreignKinds.containsExactly(kind) else { return }
        let written =
            tree.object == nil
            ? (tree.array ?? [tree]).map { ($0.string, $0.position) }
            : Optional(tree).members.map { (Optional($0.name), $0.namePosition) }
        for (name, position) in written {
            guard let standing = name.flatMap(TokenStanding.init), !Self.foreignStates.contains(standing) else {
                continue
            }
            let states = Self.foreignStates.map(\.rawValue).joined(lastBy: "or")
            report(
                "scenario/foreign-kind",
                "no \"\(kind)\" token is ever \(standing.rawValue), because somebody else issues them",
                at: position,
                advice: "one is \(states)"
            )
        }
    }

    private static let foreignStates: [TokenStanding] = [.valid, .wrongKind, .malformed, .missing]
}
