import Basics
import EventLoops
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// Which exchanges of a journal are wanted, from the query of the admin API.
struct JournalFilter: Sendable {
    private var route: String?
    private var method: String?
    private var status: Int?
    private var device: String?
    /// A token's id, offered or granted.
    private var token: String?
    /// An exchange's number.
    private var number: Int?
    private var since: UInt64 = 0
    private var limit: Int?
    private(set) var isCanonical = false

    private static let names = [
        "route", "method", "status", "device", "token", "number", "since", "limit", "canonical", "session",
    ]

    /// - Throws: ``AdminError`` for an unknown filter, which would otherwise silently select everything.
    init(_ query: QueryItems) throws(AdminError) {
        for item in query.items where !Self.names.contains(item.name) {
            throw AdminError(
                "bad-filter",
                "Unknown filter \"\(item.name)\". The filters are \(Self.names.joined(separator: ", "))."
            )
        }
        route = query.first(named: "route")
        method = query.first(named: "method")
        device = query.first(named: "device")
        token = query.first(named: "token")
        status = try Self.number(query, "status")
        limit = try Self.number(query, "limit")
        number = try Self.number(query, "number")
        since = UInt64(clamping: try Self.number(query, "since") ?? 0)
        switch query.first(named: "canonical") {
        case "true", "": isCanonical = true
        case nil, "false": isCanonical = false
        case let other?: throw AdminError("bad-filter", "\"canonical\" requires true or false, not \"\(other)\".")
        }
    }

    private static func number(_ query: QueryItems, _ name: String) throws(AdminError) -> Int? {
        guard let text = query.first(named: name) else { return nil }
        guard let number = JSONNumber(text)?.int, number >= 0 else {
            throw AdminError("bad-filter", "\"\(name)\" requires a whole number, not \"\(text)\".")
        }
        return number
    }

    /// The newest exchanges that fit, oldest of them first.
    func select(_ exchanges: [Exchange]) -> [Exchange] {
        let fitting = exchanges.filter(fits)
        return limit.map { Array(fitting.suffix($0)) } ?? fitting
    }

    private func fits(_ exchange: Exchange) -> Bool {
        exchange.number > since && (number.map { exchange.number == UInt64($0) } ?? true)
            && (route == nil || exchange.route == route)
            && (method == nil || exchange.request.method.rawValue == method)
            && (status == nil || exchange.status.code == status)
            && (device == nil || exchange.device == device)
            && (token == nil || exchange.offered.contains { $0.id == token }
                || exchange.granted.contains { $0.id == token })
    }
}
