import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// One exchange as one line: virtual time, method, path, status, milliseconds, route, tokens.
struct ExchangeLine {
    let text: String

    /// - Parameter stamp: the time of the exchange as a line begins with it.
    init(_ exchange: Exchange, stamp: String, session: String, paint: Paint) {
        // Each member of an exchange that is one of its details is a key path, which costs more than the details do.
        let details = exchange.details?.content ?? ExchangeDetails.none
        var columns = [
            paint(.grey, stamp),
            Self.clipped(exchange.request.method.rawValue).printable,
            Self.shortened(exchange.request.target).printable,
            Self.status(exchange, details, paint),
            "\(JSONNumber.milliseconds(exchange.end?.since(exchange.arrival) ?? .zero).text) ms",
            Self.route(exchange, details, paint),
        ]
        if let hold = details.hold {
            columns.append(paint(.grey, "held \(JSONNumber.milliseconds(hold.duration).text) ms"))
        }
        columns += details.offered.filter { $0.isAccepted != nil || $0.id != nil }.map { Self.token($0, paint) }
        columns += details.granted.compactMap { granted in granted.id.map { paint(.cyan, "→ \($0)") } }
        let messages = details.messages.kept
        if let end = messages.last(where: { $0.kind == .fault }) ?? messages.last, let text = Self.end(end) {
            columns.append(paint(end.kind == .fault || end.isRefusal ? .yellow : .grey, text))
        }
        columns += details.findings.map { paint(.yellow, Self.clipped($0.message)) }
        if let origin = details.origin { columns.insert(paint(.grey, "at \(origin)"), at: 3) }
        if session != Session.defaultName { columns.insert(paint(.grey, session), at: 1) }
        text = columns.joined(separator: "  ")
    }

    private static let pattern = DatePattern("yyyy-MM-dd HH:mm:ss.SSS")

    /// A moment as every line begins with it.
    static func stamp(_ time: VirtualTime) -> String {
        pattern?.text(of: time, zone: 0) ?? time.description
    }

    private static func status(_ exchange: Exchange, _ details: ExchangeDetails.Content, _ paint: Paint) -> String {
        if let fault = details.fault {
            return paint(.red, "\(exchange.status.code) \(fault.rawValue)")
        }
        let code = exchange.status.code
        let text = exchange.outcome == .clientGone ? "\(code) (client gone)" : "\(code)"
        return paint(code < 300 ? .green : code < 400 ? .cyan : code < 500 ? .yellow : .red, text)
    }

    /// The end of a stream; `nil` if it had no message.
    private static func end(_ message: StreamMessage) -> String? {
        let reason = message.text.isEmpty ? "" : ": \(clipped(message.text).printable)"
        switch message.kind {
        case .fault, .close: return "closed\(message.code.map { " \($0)" } ?? "")\(reason)"
        case .end: return "ended\(reason)"
        default: return nil
        }
    }

    private static func route(_ exchange: Exchange, _ details: ExchangeDetails.Content, _ paint: Paint) -> String {
        if let route = exchange.route {
            return paint(.grey, details.answeredBy.map { "\(route) (\($0))" } ?? route)
        }
        switch details.answeredBy {
        case ExchangeDetails.upstream: return paint(.grey, "sent on")
        case ExchangeDetails.proxy: return paint(.grey, "not sent on")
        default: break
        }
        if let nearest = details.nearest {
            return paint(.red, "NO MATCH, nearest \(nearest.route): \(clipped(withoutLongWords(nearest.difference)))")
        }
        // Backlot's own response to OPTIONS.
        return exchange.status.code < 400 ? paint(.grey, "no route") : paint(.red, "NO MATCH")
    }

    private static func token(_ token: OfferedToken, _ paint: Paint) -> String {
        let isFine = token.isAccepted ?? (token.standing == .valid)
        guard let id = token.id else {
            return paint(isFine ? .grey : .yellow, "\(token.wanted) \(token.standing.rawValue)")
        }
        let age = token.age.map { " (\(rounded($0)) old)" } ?? ""
        return paint(isFine ? .grey : .yellow, "\(id) \(token.standing.rawValue)\(age)")
    }

    /// An age in its largest unit, as people say it.
    private static func rounded(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case 172_800...: "\(seconds / 86_400)d"
        case 7_200...: "\(seconds / 3_600)h"
        case 120...: "\(seconds / 60)m"
        default: "\(seconds)s"
        }
    }

    /// A target without its parts and long values that may be tokens.
    private static func shortened(_ target: String) -> String {
        // Most have no part that is long enough, which their bytes show sooner than their characters.
        let parts = target.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") }
        if parts.allSatisfy({ $0.count <= longestItem }) { return clipped(target) }
        let question = target.firstIndex(of: "?") ?? target.endIndex
        let path = target[..<question].split(separator: "/", omittingEmptySubsequences: false)
            .map { mayBeToken($0) ? "\($0.prefix(8))…" : String($0) }
            .joined(separator: "/")
        guard question < target.endIndex else { return clipped(path) }
        let items = target[target.index(after: question)...].split(separator: "&").map { item -> String in
            guard let equals = item.firstIndex(of: "="), item[equals...].count > longestItem else {
                return String(item)
            }
            return item[...equals] + item[item.index(after: equals)...].prefix(8) + "…"
        }
        return clipped("\(path)?\(items.joined(separator: "&"))")
    }

    /// The number of letters of the shortest tokens in paths.
    private static let shortestToken = 32
    /// The number of letters of the longest items of queries that are written as they are, without their names.
    private static let longestItem = 25

    /// Returns whether a part of a path may be a token: long, and neither a UUID nor words between signs.
    private static func mayBeToken(_ word: some StringProtocol) -> Bool {
        let bytes = word.utf8
        guard bytes.count >= shortestToken else { return false }
        guard bytes.count <= 64 else { return true }
        let letters = bytes.filter { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        let isOfOneCase = letters.allSatisfy { $0 & 0x20 == 0 } || letters.allSatisfy { $0 & 0x20 != 0 }
        let words = bytes.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
        return !isOfOneCase || words.contains { $0.count > 20 }
    }

    /// A sentence without words that may be tokens in a path.
    private static func withoutLongWords(_ sentence: String) -> String {
        var (shortened, word) = ("", "")
        for character in sentence + " " {
            guard " \"'/?&=".contains(character) else {
                word.append(character)
                continue
            }
            shortened += mayBeToken(word) ? "\(word.prefix(8))…" : word
            shortened.append(character)
            word = ""
        }
        return String(shortened.dropLast())
    }

    private static func clipped(_ text: String) -> String {
        text.utf8.count > 200 ? "\(text.prefix(200))…" : text
    }
}

/// Writes exchanges as lines, those that most are without a text in between.
struct ExchangeLines: Sendable {
    let paint: Paint
    private var second = Int64.min
    /// The second's part of a line's beginning, up to the point.
    private var stamp: [UInt8] = []

    init(paint: Paint) {
        self.paint = paint
    }

    /// Appends the line of an exchange, and a second one for what the contract does not allow in it.
    mutating func append(_ exchange: Exchange, session: String, to output: inout [UInt8]) {
        if appendPlain(exchange, session: session, to: &output) { return }
        var stamp: [UInt8] = []
        append(stampOf: exchange.time, to: &stamp)
        let text = String(decoding: stamp, as: UTF8.self)
        output += ExchangeLine(exchange, stamp: text, session: session, paint: paint).text.utf8
        output.append(UInt8(ascii: "\n"))
        guard let line = ContractLine(exchange, paint: paint) else { return }
        output += line.text.utf8
        output.append(UInt8(ascii: "\n"))
    }

    /// Appends a line that is nothing but its columns; false where it may be more.
    private mutating func appendPlain(_ exchange: Exchange, session: String, to output: inout [UInt8]) -> Bool {
        guard
            !paint.isColoured, exchange.details == nil, exchange.outcome == .sent, let route = exchange.route,
            let end = exchange.end,
            session == Session.defaultName, exchange.request.target.isPlainColumn, route.isPlainColumn
        else { return false }
        let (microseconds, time) = (end.since(exchange.arrival).wholeMicroseconds, exchange.time)
        append(stampOf: time, to: &output)
        output.append(column: exchange.request.method.rawValue)
        output.append(column: exchange.request.target)
        output.append(contentsOf: "  ".utf8)
        output.append(decimal: exchange.message.status.code, width: 3)
        output.append(contentsOf: "  ".utf8)
        output += String(microseconds / 1_000).utf8
        let rest = Int(microseconds % 1_000)
        if rest > 0 {
            output.append(UInt8(ascii: "."))
            output.append(decimal: rest, width: 3)
            while output.last == UInt8(ascii: "0") { output.removeLast() }
        }
        output.append(contentsOf: " ms".utf8)
        output.append(column: route)
        output.append(UInt8(ascii: "\n"))
        return true
    }

    /// Appends a moment as every line begins with it.
    private mutating func append(stampOf time: VirtualTime, to output: inout [UInt8]) {
        if second != time.seconds {
            second = time.seconds
            stamp = Array(ExchangeLine.stamp(VirtualTime(seconds: second)).utf8.dropLast(3))
        }
        output += stamp
        output.append(decimal: Int((time.microseconds - second * 1_000_000) / 1_000), width: 3)
    }
}

extension String {
    /// A Boolean value that indicates whether it is written as it is: short, and nothing but letters, signs and spaces
    /// of ASCII.
    fileprivate var isPlainColumn: Bool {
        utf8.count <= 64 && utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "?") }
    }
}

extension [UInt8] {
    fileprivate mutating func append(column text: String) {
        append(contentsOf: "  ".utf8)
        append(contentsOf: text.utf8)
    }
}
