import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// One exchange as one line: virtual time, method, path, status, milliseconds, route, tokens.
struct ExchangeLine {
    let text: String

    init(_ exchange: Exchange, session: String, paint: Paint) {
        var columns = [
            paint(.grey, Self.stamp(exchange.time)),
            Self.clipped(exchange.request.method.rawValue).printable,
            Self.shortened(exchange.request.target).printable,
            Self.status(exchange, paint),
            "\(JSONNumber.milliseconds(exchange.end?.since(exchange.arrival) ?? .zero).text) ms",
            Self.route(exchange, paint),
        ]
        if let hold = exchange.hold {
            columns.append(paint(.grey, "held \(JSONNumber.milliseconds(hold.duration).text) ms"))
        }
        columns += exchange.offered.filter { $0.isAccepted != nil || $0.id != nil }.map { Self.token($0, paint) }
        columns += exchange.granted.compactMap { granted in granted.id.map { paint(.cyan, "→ \($0)") } }
        columns += exchange.findings.map { paint(.yellow, Self.clipped($0.message)) }
        if let origin = exchange.origin { columns.insert(paint(.grey, "at \(origin)"), at: 3) }
        if session != Session.defaultName { columns.insert(paint(.grey, session), at: 1) }
        text = columns.joined(separator: "  ")
    }

    private static let pattern = DatePattern("yyyy-MM-dd HH:mm:ss.SSS")

    /// A moment as every line begins with it.
    static func stamp(_ time: VirtualTime) -> String {
        pattern?.text(of: time, zone: 0) ?? time.description
    }

    private static func status(_ exchange: Exchange, _ paint: Paint) -> String {
        if let fault = exchange.fault {
            return paint(.red, "\(exchange.response.status.code) \(fault.rawValue)")
        }
        let code = exchange.response.status.code
        let text = exchange.outcome == .clientGone ? "\(code) (client gone)" : "\(code)"
        return paint(code < 300 ? .green : code < 400 ? .cyan : code < 500 ? .yellow : .red, text)
    }

    private static func route(_ exchange: Exchange, _ paint: Paint) -> String {
        if let route = exchange.route {
            return paint(.grey, exchange.answeredBy.map { "\(route) (\($0))" } ?? route)
        }
        if let nearest = exchange.nearest {
            return paint(.red, "NO MATCH, nearest \(nearest.route): \(clipped(nearest.difference))")
        }
        // Backlot's own answer to OPTIONS.
        return exchange.response.status.code < 400 ? paint(.grey, "no route") : paint(.red, "NO MATCH")
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

    /// A target without its long parts and long values, which may be tokens: the shortest opaque one has 32 letters.
    private static func shortened(_ target: String) -> String {
        let question = target.firstIndex(of: "?") ?? target.endIndex
        let path = target[..<question].split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.count > 64 ? "\($0.prefix(8))…" : String($0) }
            .joined(separator: "/")
        guard question < target.endIndex else { return clipped(path) }
        let items = target[target.index(after: question)...].split(separator: "&").map { item -> String in
            guard let equals = item.firstIndex(of: "="), item[equals...].count > 25 else { return String(item) }
            return item[...equals] + item[item.index(after: equals)...].prefix(8) + "…"
        }
        return clipped("\(path)?\(items.joined(separator: "&"))")
    }

    private static func clipped(_ text: String) -> String {
        text.utf8.count > 200 ? "\(text.prefix(200))…" : text
    }
}
