import Basics
import HTTPCodec

/// The stories of a backend as a table in Markdown.
package struct StoryTable: Sendable, Hashable {
    /// One story.
    package struct Row: Sendable, Hashable {
        package var id: String
        package var title: String
        /// The story's file, from where the table is shown.
        package var link: String
        /// The bugs that it brings back, such as `app/B3`.
        package var reproduces: [String]
        /// The rules that a client with those bugs fails, by number and name.
        package var bugClasses: [String]
        /// A Boolean value that indicates whether those bugs show on the screen alone.
        package var isUIOnly: Bool
        package var variants: [Variant] = []
        /// A fact that a client may report about itself.
        package var facts: [Fact] = []

        package init(
            id: String,
            title: String,
            link: String,
            reproduces: [String] = [],
            bugClasses: [String] = [],
            isUIOnly: Bool = false
        ) {
            self.id = id
            self.title = title
            self.link = link
            self.reproduces = reproduces
            self.bugClasses = bugClasses
            self.isUIOnly = isUIOnly
        }
    }

    /// A fact that a client may report about itself.
    package struct Fact: Sendable, Hashable {
        package var name: String
        /// The values that are right in one of the story's runs, as JSON.
        package var values: [String]
        /// A Boolean value that indicates whether one of the runs is decided by nothing else.
        package var isRequired: Bool

        package init(name: String, values: [String], isRequired: Bool) {
            self.name = name
            self.values = values
            self.isRequired = isRequired
        }
    }

    /// A variant of a story.
    package struct Variant: Sendable, Hashable {
        /// As `--story` names it: `SM-10/no-data`.
        package var id: String
        /// `nil` where it has the story's.
        package var title: String?

        package init(id: String, title: String?) {
            self.id = id
            self.title = title
        }
    }

    package var backend: String
    package var rows: [Row]

    package init(backend: String, rows: [Row]) {
        self.backend = backend
        self.rows = rows
    }

    /// A heading and the table, a line for each story.
    package var markdown: String {
        let head = [
            "### \(MarkdownText.escaped(backend))", "",
            "| id | story | reproduces | bug classes | facts |", "|---|---|---|---|---|",
        ]
        return (head + rows.map(\.markdown)).map { $0 + "\n" }.joined()
    }
}

extension StoryTable.Row {
    fileprivate var markdown: String {
        let file = PercentEncoding.encode(link, allowing: "/")
        let story = ["[\(MarkdownText.escaped(title))](\(file))"] + variants.map(\.markdown)
        let classes = bugClasses + (isUIOnly ? ["only on the screen"] : [])
        let cells = [
            MarkdownText.escaped(id), story.joined(separator: "<br>"), Self.list(reproduces), Self.list(classes),
            facts.map(\.markdown).joined(separator: "; "),
        ]
        return "| " + cells.map { $0.isEmpty ? "" : $0 + " " }.joined(separator: "| ") + "|"
    }

    private static func list(_ words: [String]) -> String {
        words.map(MarkdownText.escaped).joined(separator: ", ")
    }
}

extension StoryTable.Fact {
    fileprivate var markdown: String {
        let cell = MarkdownText.cell(name)
        return "\(isRequired ? "**\(cell)**" : cell) \(values.map(MarkdownText.escaped).joined(separator: ", "))"
    }
}

extension StoryTable.Variant {
    fileprivate var markdown: String {
        [MarkdownText.cell(id), title.map(MarkdownText.escaped)].compactMap(\.self).joined(separator: " ")
    }
}
