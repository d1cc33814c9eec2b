import Basics

extension PlaceholderParser {
    private static let names = [
        "request.method", "request.target", "request.path", "request.path.NAME", "request.query.NAME",
        "request.header.NAME", "request.body", "request.body#/POINTER", "request.form.NAME", "request.part.NAME",
        "token.KIND", "clock", "counter.NAME", "random.integer(LOW, HIGH)", "random.hex(DIGITS)",
        "random.choice(A, B)", "uuid", "device", "account", "account.NAME", "state.NAME", "session", "exchange",
        "origin.NAME",
    ]

    /// The words that names begin with, without what the author puts in.
    private static let stems = names.map { name in
        String(name.prefix { !"(#".contains($0) }).components.filter { $0 != $0.uppercased() }
    }

    static func unknown(_ name: String) -> Problem {
        let written = String(name.prefix { !"(#".contains($0) }).components
        for length in [written.count, 2, 1] where length > 0 && length <= written.count {
            let head = written.prefix(length).joined(separator: ".")
            let candidates = stems.filter { $0.count >= length }.map { $0.prefix(length).joined(separator: ".") }
            let meant = completion(of: head, among: candidates) ?? Suggestion.nearest(to: head, among: candidates)
            guard let meant, meant != head else { continue }
            let rest = name.dropFirst(head.count)
            return Problem(message: "unknown placeholder \"\(name)\"", advice: "did you mean \"\(meant)\(rest)\"?")
        }
        return Problem(
            message: "unknown placeholder \"\(name)\"",
            advice: "there are \(names.joined(separator: ", "))"
        )
    }

    /// The one name that begins with what was written.
    private static func completion(of head: String, among candidates: [String]) -> String? {
        let longer = Set(candidates.filter { $0.hasPrefix(head) && head.utf8.count > 2 })
        return longer.count == 1 ? longer.first : nil
    }
}

extension String {
    fileprivate var components: [String] {
        split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
