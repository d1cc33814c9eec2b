import Findings
import HTTPWire
import Simulation

extension Exchange {
    /// The request as part of a sentence: `GET /notes`.
    var words: String { "\(request.method.rawValue) \(request.path)".printable.shortened }

    /// Whether it carries a token of this session.
    func brings(_ id: String) -> Bool {
        offered.contains { $0.id == id }
    }
}

extension Array where Element: Hashable {
    /// Each element once, where it is first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
