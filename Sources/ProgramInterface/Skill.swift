import Guides

/// The guide for programs in the form in which agents load it: Markdown with a name and a description in front.
package enum Skill {
    /// The name of the skill, and of its folder.
    package static let name = "backlot"

    package static var text: String {
        let guide = Guide.all.first { $0.name == "for-programs" }
        let lines = (guide?.markdown ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        // Comments name the files of the code blocks, which readers of the skill must see.
        let body = lines.compactMap { line -> String? in
            guard line.hasPrefix("<!-- ") else { return String(line) }
            guard line.hasPrefix("<!-- file: ") else { return nil }
            return "`\(line.dropFirst(11).prefix { $0 != " " })`:"
        }
        return """
            ---
            name: \(name)
            description: Reproduce, explain, fix and prove bugs in how a client handles tokens, with a mock backend and a \
            virtual clock. Use when an app is signed out, refreshes too often, loops on 401, or needs a backend that is not \
            available.
            ---

            \(body.joined(separator: "\n"))
            """
    }
}
