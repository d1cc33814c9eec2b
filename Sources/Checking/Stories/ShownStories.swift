package import Basics

/// The table of stories that a file shows, checked against the stories.
package struct ShownStories: Sendable {
    private enum Content {
        case section(MarkedSection)
        /// The reason why there is no such table.
        case none(Finding)
    }

    private static let name = "stories"

    private let content: Content
    private let file: String
    private let command: String

    /// Reads a file.
    ///
    /// - Parameter command: what renews the table, for the advice.
    package init(in file: String, renewedBy command: String, files: any FileReading) {
        content = Self.content(of: file, files)
        self.file = file
        self.command = command
    }

    /// A Boolean value that indicates whether the file has a place for the table.
    package var isThere: Bool {
        if case .section = content { true } else { false }
    }

    /// The difference between the file and the stories; `nil` when it shows them correctly.
    package func finding(for catalog: StoryCatalog) -> Finding? {
        switch content {
        case .none(let finding): return finding
        case .section(let section):
            guard let line = section.firstDifference(from: catalog.markdown) else { return nil }
            return Finding(
                .error,
                id: "stories/outdated-table",
                "the table of stories is out of date from this line on",
                at: Place(file: file, position: TextPosition(line: line, column: 1)),
                advice: "update the table with \(command.printable)"
            )
        }
    }

    /// The file's text with the table renewed; `nil` where it has no place for it.
    package func text(with catalog: StoryCatalog) -> String? {
        if case .section(let section) = content { section.replacing(with: catalog.markdown) } else { nil }
    }

    private static func content(of file: String, _ files: any FileReading) -> Content {
        func none(_ id: String, _ message: String, advice: String? = nil) -> Content {
            .none(Finding(.error, id: "stories/\(id)", message, at: Place(file: file), advice: advice))
        }
        let bytes: [UInt8]
        do {
            bytes = try files.read(file)
        } catch {
            return none("unreadable-file", error.sentence(about: file))
        }
        guard let text = String(validUTF8: bytes) else {
            return none("unreadable-file", "the file is not valid UTF-8")
        }
        guard let section = MarkedSection(name, in: text) else {
            return none(
                "missing-markers",
                "the file contains no markers for the table of stories",
                advice: "write the lines <!-- \(name) --> and <!-- /\(name) --> where the table belongs"
            )
        }
        return .section(section)
    }
}

/// The part of a text that a command writes, between the lines `<!-- NAME -->` and `<!-- /NAME -->`.
package struct MarkedSection: Sendable {
    private let before: [Substring]
    private let after: [Substring]
    /// The lines between the markers.
    private let lines: [Substring]

    /// Finds the part.
    ///
    /// - Returns: `nil` when the text lacks one of the markers, or has them in another order.
    package init?(_ name: String, in text: String) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard
            let start = all.firstIndex(where: { $0.exact == "<!-- \(name) -->".exact }),
            let end = all[start...].firstIndex(where: { $0.exact == "<!-- /\(name) -->".exact })
        else { return nil }
        before = Array(all[...start])
        lines = Array(all[(start + 1)..<end])
        after = Array(all[end...])
    }

    /// The first line at which the part differs from what it should be, counted from 1 in the whole
    /// text; `nil` when it does not.
    package func firstDifference(from content: String) -> Int? {
        let wanted = Self.lines(of: content)
        guard !lines.elementsEqual(wanted, by: { $0.exact == $1.exact }) else { return nil }
        let shared = zip(lines, wanted).prefix { $0.exact == $1.exact }.count
        return before.count + shared + 1
    }

    /// The whole text with another part.
    package func replacing(with content: String) -> String {
        (before + Self.lines(of: content) + after).joined(separator: "\n")
    }

    /// The lines of a part, which empty ones set apart from the markers.
    private static func lines(of content: String) -> [Substring] {
        var lines = content.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return [""] + lines + [""]
    }
}
