import Basics
import JSON

/// The way from the root of an instance to a part of it.
struct InstancePath: Sendable {
    private(set) var tokens: [String] = []
    /// The same as numbers of members and elements.
    private(set) var order: [Int32] = []
    private var isElement: [Bool] = []

    func element(_ number: Int) -> InstancePath { appending(String(number), number, isElement: true) }

    func member(_ name: String, _ number: Int) -> InstancePath { appending(name, number, isElement: false) }

    private func appending(_ token: String, _ number: Int, isElement: Bool) -> InstancePath {
        var path = self
        path.tokens.append(token)
        path.order.append(Int32(truncatingIfNeeded: number))
        path.isElement.append(isElement)
        return path
    }

    var pointer: JSONPointer { JSONPointer(tokens: tokens) }

    /// How a sentence names the part: `data.items[0].id`, or its pointer when a name is not a plain word.
    var name: String {
        guard !tokens.isEmpty else { return "the value" }
        var text = ""
        for (token, isElement) in zip(tokens, isElement) {
            if isElement {
                text += "[\(token)]"
            } else if InstancePath.isPlain(token) {
                text += text.isEmpty ? token : "." + token
            } else {
                return "`\(pointer.description.printable)`"
            }
        }
        return "`\(text)`"
    }

    /// The name of a property of this part, whether it exists or not.
    func name(of property: String) -> String { member(property, 0).name }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 60
            && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_-$@".utf8.contains($0) }
    }
}
