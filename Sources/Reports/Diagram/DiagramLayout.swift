import Basics

/// A sequence diagram with a place for everything, in units that are about a phone's pixels.
///
/// It is as wide as a phone's window and no wider, so one drawing serves phones, desks and paper; it only grows
/// downwards. Nothing here knows SVG.
struct DiagramLayout: Sendable {
    /// The width of every drawing.
    static let width = 360

    /// A line from one column to another.
    struct Arrow: Sendable, Hashable {
        enum Kind: String, Sendable {
            case request
            case response
            /// A response that did not get through.
            case broken
        }

        var kind: Kind
        var from: Int
        var to: Int
        var y: Int
        var isFailure: Bool
    }

    /// A numbered dot that leads to a finding.
    struct Badge: Sendable, Hashable {
        /// The finding's number; `nil` for more of them than there is room for.
        var number: Int?
        var label: DiagramText
    }

    /// The parts of one request or response.
    struct Group: Sendable {
        /// The exchange's number.
        var exchange: Int
        var texts: [DiagramText] = []
        var arrow: Arrow?
        var badges: [Badge] = []
    }

    /// A token's life.
    struct Bar: Sendable {
        /// An index into the diagram's lifetimes.
        var lifetime: Int
        var x: Int
        var top: Int
        var bottom: Int
        var label: DiagramText
        var isCrossed = false
        /// A Boolean value that indicates whether it is still valid where the drawing ends.
        var isOpen = false
    }

    /// The time that the server was busy with a request.
    struct Activation: Sendable, Hashable {
        var x: Int
        var top: Int
        var bottom: Int
    }

    var frame: DiagramFrame
    var height = 0
    /// The place where the names end and the columns begin.
    var namesBottom = 0
    var groups: [Group] = []
    /// Texts that belong to no exchange.
    var texts: [DiagramText] = []
    var bars: [Bar] = []
    var activations: [Activation] = []
    /// The heights at which time is folded, and at which something is marked across.
    var zigzags: [Int] = []
    var rules: [Int] = []
    /// The number of tokens without a column.
    var barsLeftOut = 0
    var columnsTaken = 0

    /// Every box with text in it.
    var allTexts: [DiagramText] {
        texts + bars.map(\.label) + groups.flatMap { $0.texts + $0.badges.map(\.label) }
    }
}

extension DiagramLayout {
    /// More tokens than these are not drawn.
    private static let mostBars = 200

    /// Draws the tokens' lifetimes at the left, each in the first column that is free.
    ///
    /// - Parameters:
    ///   - issued: the heights of the responses that handed tokens out, where they are drawn.
    ///   - ended: the heights of the responses for which tokens were exchanged.
    mutating func addBars(
        _ diagram: StoryDiagram,
        _ axis: DiagramAxis,
        top: Int,
        issued: [String: Int],
        ended: [String: (time: Double, y: Int)]
    ) {
        let bottom = height - 4
        var free = Array(repeating: Int.min, count: DiagramFrame.tokenColumns)
        var lives: [(index: Int, top: Int)] = []
        for (index, life) in diagram.lifetimes.enumerated() {
            lives.append((index, max(top, issued[life.id] ?? axis.height(of: life.issued))))
        }
        lives.sort { $0.top != $1.top ? $0.top < $1.top : $0.index < $1.index }
        for (index, start) in lives {
            let life = diagram.lifetimes[index]
            // Below its start there must be room for its name.
            let start = min(start, bottom - 14)
            guard bars.count < Self.mostBars, let column = free.firstIndex(where: { $0 <= start }) else {
                barsLeftOut += 1
                continue
            }
            let x = DiagramFrame.tokens + column * DiagramFrame.tokenColumn
            guard let label = DiagramText(.token, life.shortName, x: x, y: start, within: DiagramFrame.tokenColumn - 1)
            else { continue }
            var stop = life.expires > axis.end ? bottom : axis.height(of: life.expires)
            var isCrossed = false
            if let end = life.ended, end.time <= life.expires {
                let drawn = ended[life.id].flatMap { abs($0.time - end.time) < 1 ? $0.y : nil }
                stop = min(stop, drawn ?? axis.height(of: end.time))
                isCrossed = true
            }
            stop = min(bottom, max(stop, label.box.bottom + 3))
            free[column] = stop + 8
            columnsTaken = max(columnsTaken, column + 1)
            bars.append(
                Bar(
                    lifetime: index,
                    x: x + 5,
                    top: label.box.bottom + 1,
                    bottom: stop,
                    label: label,
                    isCrossed: isCrossed,
                    isOpen: !isCrossed && life.expires > axis.end
                )
            )
        }
    }
}

extension StoryDiagram.Lifetime {
    /// `a2` for `access-2`.
    var shortName: String {
        let initial = String(String.UnicodeScalarView(id.unicodeScalars.prefix(1)))
        guard let dash = id.unicodeScalars.lastIndex(of: "-") else { return initial }
        return initial + String(id.unicodeScalars[dash...].dropFirst())
    }
}
