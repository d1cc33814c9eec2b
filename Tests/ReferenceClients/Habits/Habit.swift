import ScenarioFormat

/// A client as data: how it is built, the server that it talks to, and what its user does.
///
/// A row of a table has five columns, with `|` between them: a name; the client's ``Trait``s in words; the
/// ``HabitServer``; the script; and the number of refreshes that the server grants, received or not, such as `1` or
/// `0-2`, or the rules that a broken client violates, such as `B2`. `/` in the second column lies between clients, each
/// of which is a habit of its own.
package struct Habit: Sendable {
    /// What the client does, in words.
    package var name: String
    var traits: Set<Trait>
    var server: HabitServer
    var steps: [Step]
    /// How many refreshes a correct client makes, whatever the latency and the connections.
    package var refreshes: ClosedRange<Int> = 0...Int.max
    /// The numbers of the rules that a broken client violates, the first one of which is to be named first; none for a
    /// correct one.
    package var rules: [String] = []

    func has(_ trait: Trait) -> Bool { traits.contains(trait) }

    /// Why a row cannot be read.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }
}

extension Habit: CustomStringConvertible {
    package var description: String { (rules + [name]).joined(separator: " ") }
}

extension Habit {
    /// Reads the rows of a table.
    static func table(_ text: String) throws(Problem) -> [Habit] {
        var habits: [Habit] = []
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
            guard cells.count == 5 else { throw Problem(description: "no five columns: \(line)") }
            for client in cells[1].split(separator: "/") { habits.append(try Habit(cells, trimmed(client))) }
        }
        return habits
    }

    private init(_ cells: [Substring], _ client: Substring) throws(Problem) {
        name = "\(cells[0]), \(client)"
        traits = []
        for word in client.split(separator: " ") where word != "-" {
            guard let trait = Trait(rawValue: String(word)) else {
                throw Problem(description: "no trait \"\(word)\": \(name)")
            }
            traits.insert(trait)
        }
        guard let server = HabitServer(rawValue: String(cells[2])) else {
            throw Problem(description: "no server \"\(cells[2])\": \(name)")
        }
        self.server = server
        steps = try Step.all(in: cells[3])
        let numbers = cells[4].split(separator: "-").compactMap { Int($0) }
        if let first = numbers.first, let last = numbers.last, first <= last {
            refreshes = first...last
        } else if cells[4].hasPrefix("B") {
            rules = cells[4].split(separator: " ").map(String.init)
        } else {
            throw Problem(description: "neither refreshes nor a rule \"\(cells[4])\": \(name)")
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
