/// The results of an exploration at each place: exchange × perturbation × outcome.
package struct ExplorationMap: Sendable, Hashable {
    /// The worst result of one or several runs at a place.
    package struct Cell: Sendable, Hashable {
        package enum Outcome: String, Sendable, Hashable {
            case violation
            case held
            /// The rules could not decide.
            case unclear
            /// The client did not come to what was to go wrong.
            case notReached
            /// Nothing was tried.
            case untried
        }

        package var outcome: Outcome
        /// As the table of the terminal has it: `ok`, `B1 B7`, `?`, `–`, or nothing.
        package var text: String
        /// The runs and what came of each.
        package var runs: [String]

        package init(_ outcome: Outcome, _ text: String, runs: [String]) {
            (self.outcome, self.text, self.runs) = (outcome, text, runs)
        }
    }

    package struct Row: Sendable, Hashable {
        /// The exchange, such as `GET /notes #2`.
        package var name: String
        /// One for each column.
        package var cells: [Cell]

        package init(_ name: String, _ cells: [Cell]) {
            (self.name, self.cells) = (name, cells)
        }
    }

    /// The explored story.
    package var title: String
    /// The failure before the exchange.
    package var columns: [String]
    package var rows: [Row]
    /// Perturbations of the whole run instead of a single exchange.
    package var whole: [Row]

    package init(_ title: String, columns: [String], rows: [Row], whole: [Row]) {
        (self.title, self.columns, self.rows, self.whole) = (title, columns, rows, whole)
    }
}

// MARK: - On a page

extension ExplorationMap {
    /// The map as a table; what each run has shown folds out of its cell.
    func append(to page: inout String) {
        page += "<section class=\"card\">\n<h2>Exploration of \(HTMLText.escaped(title))</h2>\n"
        if !columns.isEmpty {
            page += "<table class=\"map\">\n<tr><th class=\"n\">#</th><th>exchange</th>"
            for column in columns { page += "<th>\(HTMLText.escaped(column))</th>" }
            page += "</tr>\n"
            for (index, row) in rows.enumerated().prefix(PageReport.listed) {
                page += "<tr><td class=\"n dim\">\(index + 1)</td><td>\(HTMLText.escaped(row.name))</td>"
                for cell in row.cells { page += cell.html }
                page += "</tr>\n"
            }
            page += "</table>\n"
        }
        if !whole.isEmpty {
            page += "<table class=\"map\">\n<tr><th>in the whole run</th><th>outcome</th></tr>\n"
            for row in whole.prefix(PageReport.listed) {
                page += "<tr><td>\(HTMLText.escaped(row.name))</td>"
                for cell in row.cells { page += cell.html }
                page += "</tr>\n"
            }
            page += "</table>\n"
        }
        page += """
            <p class="dim">ok: no rule was violated; ?: the rules could not be decided; –: the client did not reach the \
            failure; empty: no failure was tried. The story of a violation is listed in the findings.</p>
            </section>

            """
    }
}

extension ExplorationMap.Cell {
    fileprivate var html: String {
        let word =
            switch outcome {
            case .violation: "error"
            case .held: "held"
            case .unclear: "warning"
            case .notReached, .untried: "dim"
            }
        let told = runs.isEmpty ? text : text.isEmpty ? "–" : text
        guard outcome == .violation || outcome == .unclear else {
            return "<td class=\"\(word)\">\(HTMLText.escaped(told))</td>"
        }
        let list = runs.map { "<li>\(HTMLText.escaped($0))</li>" }.joined()
        return "<td><details><summary class=\"\(word)\">\(HTMLText.escaped(told))</summary>"
            + "<ul class=\"plain dim\">\(list)</ul></details></td>"
    }
}
