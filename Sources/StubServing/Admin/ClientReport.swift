import Basics
import JSON

/// Facts that a client tells about itself, such as `{"signedOut": true, "screen": "home"}`.
struct ClientReport {
    /// The maximum number of facts of a session, and the maximum length of one, so that a client cannot fill the memory.
    static let mostFacts = 256
    private static let longestText = 1_024

    let facts: JSONObject

    /// - Throws: ``AdminError`` for a body that is not an object of plain values.
    init(_ body: JSONValue) throws(AdminError) {
        guard let object = body.object, !object.isEmpty else {
            let found = body.object == nil ? ", not \(body.kindName)" : ""
            throw AdminError("bad-fact", "Send an object of facts, such as {\"signedOut\": true}\(found).")
        }
        for fact in object.members {
            guard Self.isName(fact.name) else {
                throw AdminError(
                    "bad-fact",
                    "\"\(fact.name.printable.shortened)\" is not a valid fact name; a name starts with a letter and"
                        + " contains up to 64 letters, digits, \"-\" and \"_\"."
                )
            }
            guard Self.isPlain(fact.value) else {
                throw AdminError(
                    "bad-fact",
                    "\"\(fact.name)\" requires a Boolean value, a number or a string of up to \(Self.longestText) "
                        + "bytes, not "
                        + "\(fact.value.string == nil ? fact.value.kindName : "a longer one")."
                )
            }
        }
        facts = object
    }

    /// The same names as expectations have.
    private static func isName(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count), let first = name.utf8.first else { return false }
        return first.isLetter
            && name.utf8.allSatisfy { $0.isLetter || (0x30...0x39).contains($0) || "-_".utf8.contains($0) }
    }

    private static func isPlain(_ value: JSONValue) -> Bool {
        switch value.content {
        case .bool: true
        case .number(let number): number.text.utf8.count <= longestText
        case .string(let text): text.utf8.count <= longestText
        case .null, .array, .object: false
        }
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether it is an ASCII letter.
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
