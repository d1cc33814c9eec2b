import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// The places where the credentials of each security scheme travel.
struct SchemeCarriers: Sendable {
    /// The schemes that a scenario cannot express.
    private(set) var findings: [Finding] = []
    private var carriers: [String: TokenCarrier] = [:]
    private var ranks: [String: Int] = [:]
    private var names: [String: String] = [:]

    /// The schemes of an alternative, and the schemes that would do in their place.
    struct Choice {
        var schemes: [String]
        var others: [String]
    }

    init(_ contract: Contract) {
        let used = Set(contract.operations.flatMap { $0.security.flatMap { $0.map(\.scheme) } })
        var taken: Set<String> = []
        for scheme in contract.securitySchemes where used.contains(scheme.name) {
            guard let (carrier, rank) = Self.carrier(of: scheme.kind) else {
                let message =
                    "no route requires the security scheme \"\(scheme.name)\", because scenarios cannot express it"
                let place = contract.sources.place(of: scheme.position)
                findings.append(Finding(.note, id: "init/no-token", message.printable, at: place))
                continue
            }
            carriers[scheme.name] = carrier
            ranks[scheme.name] = rank
            names[scheme.name] = Self.kindName(scheme.name, besides: &taken)
        }
        for operation in contract.operations {
            guard let message = unservedPart(of: operation) else { continue }
            let place = contract.sources.place(of: operation.position)
            findings.append(Finding(.note, id: "init/no-token", message.printable, at: place))
        }
    }

    /// A sentence about the schemes that an operation's route does not require, because they are required together with
    /// a scheme that scenarios cannot express.
    private func unservedPart(of operation: Operation) -> String? {
        guard !operation.security.contains(where: \.isEmpty), choice(among: operation.security) == nil else {
            return nil
        }
        let alternatives = operation.security.map { $0.map(\.scheme) }
        guard let schemes = alternatives.first(where: { $0.contains { carriers[$0] != nil } }) else { return nil }
        func list(_ schemes: [String]) -> String { schemes.map { "\"\($0)\"" }.joined(lastBy: "and") }
        let missing = schemes.filter { carriers[$0] == nil }
        return
            "\(operation.label) requires no token, because it requires the security schemes \(list(schemes)) together, "
            + "and scenarios cannot express \(list(missing))"
    }

    func carrier(of scheme: String) -> TokenCarrier? { carriers[scheme] }

    /// The scheme's name as a scenario can write it.
    func kindName(of scheme: String) -> String { names[scheme] ?? scheme }

    /// The alternative that is easiest to serve; `nil` when none is needed or none can be served.
    func choice(among alternatives: [[SecurityRequirement]]) -> Choice? {
        guard !alternatives.contains(where: \.isEmpty) else { return nil }
        let playable = alternatives.map { $0.map(\.scheme) }.filter { $0.allSatisfy { carriers[$0] != nil } }
        let ranked = playable.enumerated().min { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }
        guard let best = ranked else { return nil }
        let others = playable.enumerated().filter { $0.offset != best.offset && $0.element.count == 1 }
        return Choice(schemes: best.element, others: others.map { $0.element[0] })
    }

    private func cost(_ schemes: [String]) -> Int {
        schemes.reduce(0) { $0 + (ranks[$1] ?? 0) }
    }

    /// A scheme's carrier, and how ready clients are to use it, the readiest first.
    private static func carrier(of kind: SecurityScheme.Kind) -> (TokenCarrier, Int)? {
        switch kind {
        case .http("bearer"), .oauth2, .openIDConnect: (TokenCarrier(.header("Authorization"), scheme: "Bearer"), 1)
        case .apiKey(.header, let name) where HTTPFields.isName(name): (TokenCarrier(.header(name)), 2)
        case .apiKey(.query, let name) where !name.isEmpty: (TokenCarrier(.query(name)), 3)
        case .http(let scheme) where HTTPFields.isName(scheme):
            (TokenCarrier(.header("Authorization"), scheme: scheme.prefix(1).uppercased() + scheme.dropFirst()), 4)
        default: nil
        }
    }

    private static func kindName(_ text: String, besides taken: inout Set<String>) -> String {
        let bytes = text.utf8.map { $0.isNameByte ? $0 : UInt8(ascii: "_") }
        var plain = String(decoding: bytes, as: UTF8.self)
        if plain.utf8.first.map({ !$0.isLetter }) ?? true { plain = "token" + plain }
        return taken.take(plain, numberedAfter: "-")
    }
}
