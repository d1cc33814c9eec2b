import JSON

/// The rules for objects while they are collected.
struct ObjectRulesDraft {
    var rules = ObjectRules()
    private var numbers: [ExactText: Int] = [:]

    init() {}

    var minimumCount: Int {
        get { rules.minimumCount }
        set { rules.minimumCount = newValue }
    }

    var maximumCount: Int {
        get { rules.maximumCount }
        set { rules.maximumCount = newValue }
    }

    mutating func require(_ name: String) {
        let number = number(of: name)
        rules.properties[number].isRequired = true
    }

    mutating func setNode(_ node: Int32, of name: String) {
        let number = number(of: name)
        rules.properties[number].node = node
    }

    private mutating func number(of name: String) -> Int {
        if let known = numbers[ExactText(name)] { return known }
        rules.properties.append(ObjectRules.Property(name: name))
        numbers[ExactText(name)] = rules.properties.count - 1
        return rules.properties.count - 1
    }
}
