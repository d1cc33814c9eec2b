/// A sequence diagram with a place for everything, in units that are about a phone's pixels.
///
/// It is as wide as a phone's window and no wider, so one drawing serves phones, desks and paper; it only grows
/// downwards. Nothing here knows SVG.
struct DiagramLayout: Sendable {
    /// The width of every drawing.
    static let width = 360

    /// A line from one lane to another.
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

    /// What belongs to one request or response.
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
        /// Whether it lives on where the drawing ends.
        var isOpen = false
    }

    /// How long the server was busy with a request.
    struct Activation: Sendable, Hashable {
        var x: Int
        var top: Int
        var bottom: Int
    }

    var frame: DiagramFrame
    var height = 0
    /// Where the names end and the lanes begin.
    var namesBottom = 0
    var groups: [Group] = []
    /// Texts that belong to no exchange.
    var texts: [DiagramText] = []
    var bars: [Bar] = []
    var activations: [Activation] = []
    /// The heights at which time is folded, and at which something is marked across.
    var zigzags: [Int] = []
    var rules: [Int] = []
    /// How many tokens found no column.
    var barsLeftOut = 0
    var columnsTaken = 0

    /// Every box with text in it.
    var allTexts: [DiagramText] {
        texts + bars.map(\.label) + groups.flatMap { $0.texts + $0.badges.map(\.label) }
    }
}
