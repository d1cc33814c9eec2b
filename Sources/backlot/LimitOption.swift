import HTTPCodec

/// A limit of the server as the command line sets it: `body=32MB`, `fields=128kB`, `count=200`, `target=16kB`.
struct LimitOption: Sendable {
    static let expectation = "a limit such as body=32MB, target=16kB, fields=128kB or count=200"

    private var name: String
    private var value: Int

    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        name = String(text[..<equals])
        let amount = text[text.index(after: equals)...]
        let digits = amount.prefix { ("0"..."9").contains($0) }
        let units = ["": 1, "B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000]
        guard
            ["body", "target", "fields", "count"].contains(name),
            digits.count <= 9, let number = Int(digits), number > 0,
            let unit = units[String(amount.dropFirst(digits.count))], name != "count" || unit == 1
        else { return nil }
        value = number * unit
    }

    func apply(to limits: inout HTTPLimits) {
        switch name {
        case "body": limits.body = value
        case "target": limits.target = value
        case "fields": limits.fieldSection = value
        default: limits.fieldCount = value
        }
    }
}
