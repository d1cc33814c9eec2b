import JSON

/// What the twin requires of a value: the members that have to be there, and nothing about others.
indirect enum SmeemTwinShape: Sendable {
    case text
    case flag
    case integer
    case number
    case null
    case word(Set<String>)
    case orNull(SmeemTwinShape)
    case list(SmeemTwinShape)
    case object([String: SmeemTwinShape])

    func fits(_ value: JSONValue) -> Bool {
        switch self {
        case .text: value.string != nil
        case .flag: value.bool != nil
        case .integer: value.int != nil
        case .number: value.number != nil
        case .null: value.isNull
        case .word(let words): value.string.map(words.contains) ?? false
        case .orNull(let shape): value.isNull || shape.fits(value)
        case .list(let shape): value.array?.allSatisfy(shape.fits) ?? false
        case .object(let members):
            value.object.map { object in
                members.allSatisfy { name, shape in object[name].map(shape.fits) ?? false }
            } ?? false
        }
    }
}

extension SmeemTwinShape {
    static let version = object(["version": .text, "forceVersion": .text])
    static let badge = object(["name": .text, "type": .text, "imageUrl": .text])
    static let badges = object(["badges": .list(badge)])
    static let plan = object(["id": .integer, "content": .text])
    static let correction = object([
        "originalSentence": .text, "correctedSentence": .text, "reason": .text, "isCorrected": .flag,
    ])
    static let scrapped = object([
        "scrapContent": .object([
            "thumbnail": .orNull(.text), "url": .text, "description": .orNull(.text), "scrapType": .orNull(.text),
        ]),
        "expression": .orNull(.text), "translatedExpression": .orNull(.text), "scrapedCountPerDay": .integer,
    ])

    /// An object of counts.
    static func counts(_ names: String...) -> SmeemTwinShape {
        object(Dictionary(uniqueKeysWithValues: names.map { ($0, .integer) }))
    }
}
