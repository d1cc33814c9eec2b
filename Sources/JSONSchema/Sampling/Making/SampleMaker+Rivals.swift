import JSON

extension SampleMaker {
    /// An object with a further property for each rival that still accepts it, of a kind that this rival refuses.
    ///
    /// Objects of which nothing is required are valid for every branch of a `oneOf` unless their properties disagree.
    mutating func spoiled(_ value: JSONValue, for demand: Demand) -> JSONValue {
        guard var object = value.object else { return value }
        for rival in demand.rivals where table.seemsToAccept(.object(object), by: rival) {
            guard let spoiler = spoiler(of: rival, beside: object, demand) else { continue }
            object[spoiler.name] = spoiler.value
        }
        return .object(object)
    }

    private mutating func spoiler(
        of rival: Int,
        beside object: JSONObject,
        _ demand: Demand
    ) -> (name: String, value: JSONValue)? {
        for part in table.parts(of: rival) {
            for property in table.facts(of: part).objects.properties.all where !object.contains(property.name) {
                for value in Self.oddValues where !table.seemsToAccept(value, by: property.schema) {
                    if isFree(property.name, for: value, demand) { return (property.name, value) }
                }
            }
        }
        return nil
    }

    /// Whether what is demanded allows a value as a further property.
    private mutating func isFree(_ name: String, for value: JSONValue, _ demand: Demand) -> Bool {
        for facts in demand.objects {
            if let maximum = facts.objects.maximumCount, maximum < .max { return false }
            for schema in table.schemas(ofProperty: name, by: facts.objects) {
                guard table.seemsToAccept(value, by: schema) else { return false }
            }
        }
        return true
    }

    /// A value of each kind.
    private static let oddValues: [JSONValue] = ["text", 1, true, .array([]), .object([:]), .null]
}
