import Basics
import JSON

extension DocumentLibrary {
    /// Follows one reference, which may lead to a place that is a reference again.
    ///
    /// - Parameters:
    ///   - reference: the text of a `$ref`.
    ///   - document: the number of the document that it stands in.
    mutating func target(of reference: String, from document: Int) throws(ReferenceProblem) -> ContractNode {
        let bytes = reference.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let file = String(reference[..<end])
        let number = file.isEmpty ? document : try open(checked(file), from: document)
        let fragment = String(reference[end...])
        guard fragment.utf8.count > 1 else { return root(of: number) }
        guard fragment.utf8.dropFirst().first == UInt8(ascii: "/") || fragment.utf8.starts(with: "#%2F".utf8) else {
            throw .anchor(reference)
        }
        guard let pointer = JSONPointer(fragment: fragment) else { throw .notAPointer(reference) }
        guard let value = pointer.value(in: documents[number].root) else {
            throw nothing(at: pointer, in: number, reference)
        }
        return ContractNode(document: number, pointer: pointer, value: value)
    }

    /// More references than these do not lead to one another; each of a long chain would be followed to its end.
    private static let chainLimit = 100

    /// Follows references until there is none.
    mutating func resolve(_ node: ContractNode) throws(ReferenceProblem) -> ContractNode {
        var node = node
        var seen: Set<ContractNode.Key> = []
        while let reference = node.value["$ref"]?.string {
            guard seen.insert(node.key).inserted else { throw .circular(reference) }
            guard seen.count <= Self.chainLimit else { throw .endless(reference) }
            node = try target(of: reference, from: node.document)
        }
        return node
    }

    private func checked(_ file: String) throws(ReferenceProblem) -> String {
        if file.utf8.starts(with: "//".utf8) { throw .remote(file) }
        if file.utf8.first == UInt8(ascii: "/") { throw .absolutePath(file) }
        switch FileURI.scheme(of: file) {
        case nil: return file
        case "http", "https": throw .remote(file)
        default: throw .foreignScheme(file)
        }
    }

    private func nothing(at pointer: JSONPointer, in number: Int, _ reference: String) -> ReferenceProblem {
        var value = documents[number].root
        var parent = JSONPointer()
        for token in pointer.tokens {
            guard let next = JSONPointer(tokens: [token]).value(in: value) else {
                // Comparing with very many names would make a broken file slow.
                let names = value.object.map { $0.members.prefix(2_000).map(\.name) } ?? []
                let meant = Suggestion.nearest(to: token, among: names)
                return .nothingThere(reference, parent: parent.description, meant: meant)
            }
            parent = parent.appending(token)
            value = next
        }
        return .nothingThere(reference, parent: parent.description, meant: nil)
    }
}

extension FileURI {
    /// The scheme of an absolute URI in lower case; `nil` for a relative reference (RFC 3986, section 3.1).
    static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.enumerated().allSatisfy { offset, byte in
            byte &- 0x61 < 26 || offset > 0 && (byte &- 0x30 < 10 || "+-.".utf8.contains(byte))
        }
        return isScheme ? scheme : nil
    }
}
