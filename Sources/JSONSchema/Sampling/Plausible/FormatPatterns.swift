import ECMAPatterns

extension StringFormat {
    /// Patterns of the format's texts, for a search that also has to meet other requirements: the most readable ones
    /// first, the widest last.
    var patterns: [ECMAPattern] { Self.patterns[self] ?? [] }

    /// A Boolean value that indicates whether the last of ``patterns`` matches every text of the format.
    var hasWidestPattern: Bool { self != .httpDate }

    private static let patterns = Dictionary(
        uniqueKeysWithValues: allCases.map { format in
            (format, format.expressions.compactMap { try? ECMAPattern("^(?:\($0))$") })
        }
    )

    /// The expressions of ``patterns``, which have to match whole texts.
    private var expressions: [String] {
        switch self {
        case .date: [Self.dayForm]
        case .time: ["(?:\(Self.clockForm))(?:Z|\(Self.offsetForm))", Self.timeForm]
        case .dateTime:
            [
                "(?:\(Self.dayForm))T(?:\(Self.clockForm))(?:Z|\(Self.offsetForm))",
                "(?:\(Self.dayForm))[Tt]\(Self.timeForm)",
            ]
        case .duration: ["P(?:\\d+W|(?:\(Self.units("YMD")))(?:T(?:\(Self.units("HMS"))))?|T(?:\(Self.units("HMS"))))"]
        case .email: ["[a-z0-9]+(?:[._+-][a-z0-9]+)*@[a-z0-9]+(?:\\.[a-z0-9]+)+", Self.mailboxForm, #"[!-~ ]+@[!-~]+"#]
        case .idnEmail: ["[a-z0-9]+(?:[._+-][a-z0-9]+)*@[a-z0-9]+(?:\\.[a-z0-9]+)+", Self.mailboxForm, #"[^]+@[^]+"#]
        case .hostname: [Self.hostForm]
        case .idnHostname: [Self.hostForm, "[^]{1,253}"]
        case .ipv4: [Self.addressV4Form]
        case .ipv6: [Self.addressV6Form, "[0-9A-Fa-f:.]{2,45}"]
        case .uri: [Self.addressForm, Self.identifierForm, "[A-Za-z][A-Za-z0-9+.-]*:[!-~]*"]
        case .iri: [Self.addressForm, Self.identifierForm, "[A-Za-z][A-Za-z0-9+.-]*:[^ ]*"]
        case .uriReference: ["/(?:[a-z0-9-]+/?)*", Self.addressForm, "(?:\(Self.referenceForm))*", "[!-~]*"]
        case .iriReference: ["/(?:[a-z0-9-]+/?)*", Self.addressForm, "(?:\(Self.referenceForm))*", "[^]*"]
        case .uriTemplate: ["\(Self.addressForm)(?:/\\{[a-z]+\\})?", "(?:\(Self.referenceForm)|\\{[a-z]+\\})*", "[^]*"]
        case .uuid: [Self.uuid("0-9a-f"), Self.uuid("0-9A-Fa-f")]
        case .jsonPointer: ["(?:/[a-z0-9]+)+", Self.pointerForm]
        case .relativeJSONPointer: ["(?:0|[1-9]\\d*)(?:[+-][1-9]\\d*)?(?:#|\(Self.pointerForm))"]
        case .regex: ["[a-z]*", #"(?:[a-z0-9 ^$.-]|\([a-z]*\)|\[[a-z]+\]|\\[dws])*"#, "[^]*"]
        case .byte: ["(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"]
        case .base64url: ["(?:[\\w-]{4})*(?:[\\w-]{2}(?:==)?|[\\w-]{3}=?)?"]
        case .char: ["[!-~]", "[a-z]\\u0301*", "[^]+"]
        case .httpDate: [Self.fixedDateForm]
        case .binary, .password: []
        }
    }

    /// A day of the calendar, in leap years one more.
    private static let dayForm =
        #"\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))"#
        + #"|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"#
    private static let clockForm = #"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"#
    private static let offsetForm = #"[+-](?:[01]\d|2[0-3]):[0-5]\d"#
    private static let timeForm =
        #"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)"#

    /// Numbers with neighbouring units (RFC 3339, appendix A).
    private static func units(_ letters: String) -> String {
        let units = letters.map { "\\d+\($0)" }
        return "\(units[0])(?:\(units[1])(?:\(units[2]))?)?|\(units[1])(?:\(units[2]))?|\(units[2])"
    }

    private static let hostForm =
        "(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    private static let atomForm = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
    private static let mailboxForm = "\(atomForm)(?:\\.\(atomForm))*@\(hostForm)"
    private static let octetForm = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
    private static let addressV4Form = "(?:\(octetForm)\\.){3}\(octetForm)"
    private static let addressV6Form: String = {
        let group = "[0-9A-Fa-f]{1,4}"
        let shortened = (0...6).map { before in
            let start = before == 0 ? "" : "\(group)(?::\(group)){0,\(before - 1)}"
            let end = before == 6 ? "(?:\(group))?" : "(?:\(group)(?::\(group)){0,\(5 - before)})?"
            return "\(start)::\(end)"
        }
        return (["(?:\(group):){7}\(group)", "(?:\(group):){6}\(addressV4Form)"] + shortened).joined(separator: "|")
    }()
    private static let addressForm = "https://[a-z0-9]+(?:\\.[a-z]+)+(?:/[a-z0-9-]+)*/?"
    private static let identifierForm = "[A-Za-z][A-Za-z0-9+.-]*:(?:\(referenceForm))*"
    private static let referenceForm = "[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-F]{2}"
    private static let pointerForm = "(?:/(?:[^~/]|~[01])*)*"

    private static func uuid(_ digits: String) -> String { "[\(digits)]{8}(?:-[\(digits)]{4}){3}-[\(digits)]{12}" }

    /// IMF-fixdate (RFC 9110, section 5.6.7).
    private static let fixedDateForm =
        "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?:0[1-9]|[12]\\d|3[01]) "
        + "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \\d{4} (?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d GMT"
}
