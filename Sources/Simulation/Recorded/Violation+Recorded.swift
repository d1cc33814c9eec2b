import Basics
import JSON

extension Violation {
    /// Reads a violation as the journal tells it.
    init(_ json: RecordedValue) throws(RecordingProblem) {
        self.init(
            try json.member("id").string(),
            try json.member("severity").choice(among: Finding.Severity.allCases),
            in: try json.member("in").choice(among: [.request, .response]),
            part: try json.member("part").string(),
            pointer: try json.optional("pointer")?.string(),
            message: try json.member("message").string(),
            place: try json.member("place").string(),
            contractPointer: try json.member("contract").string()
        )
        source = try json.optional("source")?.string()
        isDeliberate = try json.optional("deliberate")?.bool() ?? false
    }
}

extension Finding {
    /// Reads a finding back from the line that ``description`` makes of it; its place stays a text.
    init(described text: String) {
        var rest = Array(text.utf8)[...]
        var (place, severity, id) = (Place?.none, Severity.note, "")
        if rest.last == UInt8(ascii: "]"), let bracket = rest.lastIndex(of: UInt8(ascii: "[")), bracket > 0 {
            id = String(decoding: rest[(bracket + 1)...].dropLast(), as: UTF8.self)
            rest = rest[..<(bracket - 1)]
        }
        let marks = Severity.allCases.compactMap { severity in
            rest.firstIndex(of: Array("\(severity.rawValue): ".utf8)).map { (severity: severity, start: $0) }
        }
        if let mark = marks.min(by: { $0.start < $1.start }) {
            severity = mark.severity
            let before = rest[..<mark.start].dropLast(2)
            if !before.isEmpty { place = Place(file: String(decoding: before, as: UTF8.self)) }
            rest = rest[(mark.start + mark.severity.rawValue.utf8.count + 2)...]
        }
        self.init(severity, id: id, String(decoding: rest, as: UTF8.self), at: place)
    }
}

extension ArraySlice<UInt8> {
    /// Where some bytes stand for the first time.
    fileprivate func firstIndex(of bytes: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: bytes) }
    }
}
