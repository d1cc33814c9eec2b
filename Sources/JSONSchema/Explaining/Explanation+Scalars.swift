import ECMAPatterns
import JSON

/// What is wrong with numbers and strings.
extension Explanation {
    mutating func explain(_ number: JSONNumber, _ rules: NumberRules, _ task: Task) {
        let schema = schemas.places[schemas.nodes[Int(task.node)].place].value
        if let limit = rules.minimum, number < limit { add(.limit("at least", limit), "minimum", task) }
        if let limit = rules.maximum, limit < number { add(.limit("at most", limit), "maximum", task) }
        if let limit = rules.exclusiveMinimum, !(limit < number) {
            // Before draft 6 the limit stands in `minimum`, and `exclusiveMinimum` is a flag.
            add(
                .limit("more than", limit),
                schema["exclusiveMinimum"]?.bool == true ? "minimum" : "exclusiveMinimum",
                task
            )
        }
        if let limit = rules.exclusiveMaximum, !(number < limit) {
            add(
                .limit("less than", limit),
                schema["exclusiveMaximum"]?.bool == true ? "maximum" : "exclusiveMaximum",
                task
            )
        }
        if let divisor = rules.multipleOf, number.isMultiple(of: divisor) == false {
            add(.limit("a multiple of", divisor), "multipleOf", task)
        }
        if let format = rules.format, !format.accepts(number) { add(.format(format.rawValue), "format", task) }
    }

    mutating func explain(_ string: String, _ rules: StringRules, _ task: Task) {
        let length = string.unicodeScalars.count
        if length < rules.minimumLength {
            add(.length(length, least: true, limit: rules.minimumLength), "minLength", task)
        }
        if length > rules.maximumLength {
            add(.length(length, least: false, limit: rules.maximumLength), "maxLength", task)
        }
        if let pattern = rules.pattern, pattern.search(in: string) == .noMatch {
            add(.pattern(pattern.source), "pattern", task)
        }
        if let format = rules.format, FormatChecker.accepts(string, as: format) == false {
            add(.format(format), "format", task)
        }
    }
}
